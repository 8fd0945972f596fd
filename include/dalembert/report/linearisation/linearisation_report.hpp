#pragma once

#include <cstddef>
#include <string>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/linearisation/linearise_problem.hpp"

namespace dalembert::study {

/// A steady motion with its modes; or, along a parameter, a row for each of its values, and where
/// stability changes. `width`: of the terminal, 0 without limit.
std::string linearisation_table(const LinearisedProblem& result, std::size_t width = 0);
/// All of it.
std::string linearisation_json(const LinearisedProblem& result);
/// A line for each root of each motion.
std::string linearisation_csv(const LinearisedProblem& result);
/// The roots in the complex plane; or, along a parameter, their real and imaginary parts.
Picture linearisation_picture(const LinearisedProblem& result);

}  // namespace dalembert::study
