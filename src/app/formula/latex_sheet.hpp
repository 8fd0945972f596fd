#pragma once
// Sheets of formulas in LaTeX.

#include <string>

#include "formula_sheet.hpp"

namespace dalembert::app {

/// A page that \input takes; it needs the package amsmath.
std::string latex_page(const FormulaSheet& sheet);
/// The equations alone, a displayed environment for each kind.
std::string latex_equations(const FormulaSheet& sheet);

}  // namespace dalembert::app
