#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert {

/// A line of what there is to say about a step: an equation, or words.
struct EquationLine {
  std::string words = {};  ///< what stands instead of an equation
  std::string left = {};   ///< "0", or the name of what the right side is
  Expr right = 0.0;
  int depth = 0;  ///< 1 in a piece of a splitting, else 0

  bool is_equation() const { return words.empty(); }
};

/// The equations of one step, taken from the very equations that run; see `describe_equations`,
/// which prints them.
std::vector<EquationLine> step_equations(const Method& method);

}  // namespace dalembert
