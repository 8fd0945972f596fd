#pragma once
// Problems and methods with their formulas, before a notation is chosen.

#include <string>
#include <vector>

#include "app/arguments/subject.hpp"
#include "dalembert/expression/expr.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::app {

/// An equation left = right, or words.
struct SheetLine {
  std::string words = {};
  std::string left = {};  ///< "0" or a name
  Expr right = 0.0;
  std::string multiplier = {};  ///< of a constraint

  bool is_equation() const { return words.empty(); }
};

struct SheetSection {
  std::string title;
  std::vector<SheetLine> lines;
};

/// A parameter of a problem or an option of a method.
struct SheetValue {
  std::string name, value, range, description;
  bool is_symbol = true;  ///< a name that formulas contain
};

struct FormulaSheet {
  std::string name, title;                ///< the title of a method in words
  std::vector<std::string> introduction;  ///< paragraphs
  std::string source;
  std::vector<std::string> coordinates;  ///< names that formulas contain
  std::string value_title;               ///< "Parameters"
  std::vector<SheetValue> values;
  std::vector<SheetSection> sections;
  std::vector<SheetSection> remarks;  ///< words alone, after the equations
};

FormulaSheet problem_sheet(const study::ProblemFile& problem);
FormulaSheet method_sheet(const MethodSubject& subject);
/// The sheet of the problem or method of that name. RequestError for a study, which has no formulas
/// of its own, and for unknown names; `option` is what asks for the sheet.
FormulaSheet formula_sheet(const std::string& name, const std::string& option);

}  // namespace dalembert::app
