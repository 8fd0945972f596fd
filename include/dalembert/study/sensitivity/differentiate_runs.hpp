#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/sensitivity/lyapunov.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Quantities of a run to be differentiated, and by what.
struct SensitivityChoice {
  std::vector<std::string> by = {};  ///< as SensitivityOptions::by
  /// Expressions of t, positions, velocities, parameters, multipliers (by name or as lambda_1),
  /// `energy` and the integrals of the problem; all positions and velocities if empty.
  std::vector<std::string> of = {};
  SensitivityMode mode = SensitivityMode::automatic;  ///< forwards, backwards, or the lesser work
  bool with_records = false;  ///< also at the records of the run, else at its end alone
  std::atomic<bool>* cancelled = nullptr;            ///< as SensitivityOptions::cancelled
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< as SensitivityOptions::steps_done
};

/// "tangent", "adjoint" or, else, "automatic".
SensitivityMode sensitivity_mode(const std::string& name);

/// The quantities that are meant; RequestError, with the place in the expression, where one cannot
/// be read. `key`: what they were given for. Without multipliers their names are unknown.
std::vector<SensitiveQuantity> sensitive_quantities(const System& system,
                                                    const std::vector<std::string>& of,
                                                    const std::string& key = "of",
                                                    bool with_multipliers = true);

/// The quantity of an expression as it stands in a document.
SensitiveQuantity sensitive_quantity(const System& system, const DocumentNode& node,
                                     bool with_multipliers = true);

/// RequestError where the motion of a plan crosses a switch at which its rates jump; see
/// first_jump.
void refuse_jumps(const RunPlan& plan);

/// The system of a plan with its start.
Problem problem_of_plan(const RunPlan& plan);
/// The parameters of a plan by name.
NamedValues parameters_of_plan(const RunPlan& plan);

/// The derivatives of a run; see `sensitivity`.
Sensitivity differentiate_run(const RunPlan& plan, const SensitivityChoice& choice);

/// The Lyapunov exponents of a run: `options` says all but step, end, parameters and sums.
LyapunovSpectrum lyapunov_of_run(const RunPlan& plan, LyapunovOptions options);

}  // namespace dalembert::study
