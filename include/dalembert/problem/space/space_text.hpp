#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// Equations that follow from bodies, contacts and joints, as texts in the grammar of problem
/// files: parts that occur more than once, by name, and the equations that use them.
struct SpaceText {
  using Lines = std::vector<std::pair<std::string, std::string>>;
  Lines parts;      ///< name and expression
  Lines equations;  ///< "kinetic energy", "ground_1 (lambda_1)" and expression
};

/// For a problem with bodies and the system that was made of it.
SpaceText space_text(const ProblemFile& problem, const System& system);

}  // namespace dalembert::study
