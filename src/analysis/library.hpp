#pragma once
// The analyses, a file each.

#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/finding.hpp"

namespace dalembert::study {

/// Methods side by side on one motion: see compare_methods.
Analysis comparison_analysis();
/// Steady motions and their linearised equations: see linearise_problem.
Analysis linearisation_analysis();
/// Lyapunov exponents with their intervals, and running means: see lyapunov_exponents.
Analysis lyapunov_analysis();
/// Running means.
std::vector<FoundLine> exponent_lines(const RunPlan& plan, const LabelledTable& table);
/// The fields that methods follow, and what these do to integrals: see analyse_modified.
Analysis modified_analysis();
/// Orders by halving the step: see measure_orders.
Analysis order_analysis();
/// Derivatives by the start, parameters and the step: see sensitivity.
Analysis sensitivity_analysis();
/// Derivatives at records.
std::vector<FoundLine> derivative_lines(const RunPlan& plan, const LabelledTable& table);

}  // namespace dalembert::study
