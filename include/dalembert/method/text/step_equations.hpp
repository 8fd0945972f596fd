#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert {

/// A line of the description of a step: an equation, or words.
struct EquationLine {
  std::string words = {};  ///< text in place of an equation; empty for an equation
  std::string left = {};   ///< left side: "0", or the name of the right side's value
  Expr right = 0.0;        ///< right side
  int depth = 0;           ///< 1 in a piece of a splitting, else 0

  bool is_equation() const { return words.empty(); }  ///< true if the line is an equation
};

/// The equations of one step, taken from the very equations that run; see `describe_equations`,
/// which prints them.
std::vector<EquationLine> step_equations(const Method& method);

}  // namespace dalembert
