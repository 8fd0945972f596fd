#pragma once
// Sheets of formulas as HTML pages.

#include <string>

#include "formula_sheet.hpp"

namespace dalembert::app {

/// A page that needs nothing but itself, with its formulas in MathML.
std::string html_page(const FormulaSheet& sheet);

}  // namespace dalembert::app
