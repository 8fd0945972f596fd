#pragma once

#include <cstddef>
#include <string>

#include "dalembert/picture/picture.hpp"
#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/comparison/compare_methods.hpp"

namespace dalembert::study {

/// Of each method the largest step with which the solution has at most the error, the least time
/// first; then the smallest step of those that have none. `width`: of the terminal, 0 without
/// limit.
std::string comparison_table(const Comparison& comparison, double error, std::size_t width = 0);
/// Everything that was measured.
std::string comparison_json(const Comparison& comparison);
/// CSV of everything that was measured, a line for each method and step.
std::string comparison_csv(const Comparison& comparison);
/// Arrays of everything that was measured, along the dimensions method and level, of steps from the
/// largest on; nan where a method has fewer.
LabelledTable comparison_arrays(const Comparison& comparison);
/// Errors against cost on logarithmic scales: of the solution, of each quantity that the motion
/// keeps, and below it the largest drift that the interval of its slope allows; of the constraints.
Picture comparison_picture(const Comparison& comparison, CostAxis cost);

}  // namespace dalembert::study
