#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert {

/// The equations of one step in text, one per line, printed from the very equations that run: for a
/// formal system with one coordinate and one constraint, M the mass, V' the slope of the potential,
/// A the constraint matrix (without a constraint for methods that admit none). Unknowns are those
/// that do not carry the index 0. Of methods with any number of stages: the equations in words,
/// then those of the fewest stages as they run.
std::vector<std::string> describe_equations(const Method& method);

/// The facts of a method in words, one per line.
std::vector<std::string> describe_facts(const Facts& facts);

/// Requirements of a method on a system, in words: "constant mass matrix, constraints linear ...".
std::string describe_requirements(const Requirements& requirements);

}  // namespace dalembert
