#pragma once

#include <string>

#include "dalembert/audit/switches.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// Reason for measuring nothing over a switch, with the functions that stand in the texts of a
/// problem and their lines: "the potential has pieces (min, line 12), and the motion from the start
/// comes to one at t = 0.4". Names come from the texts of that part and of the definitions; a
/// problem made in code has none.
std::string pieces_text(const ProblemFile& problem, const Switch& found);

/// The first half of that: "the potential has pieces (min, line 12)".
std::string named_pieces_text(const ProblemFile& problem, const Switch& found);

}  // namespace dalembert::study
