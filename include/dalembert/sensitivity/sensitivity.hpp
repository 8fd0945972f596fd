#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/sensitivity/variation.hpp"

namespace dalembert {

/// A function of the state with a name: an expression in the system's symbols and the multipliers
/// that the method reports.
struct SensitiveQuantity {
  std::string name;  ///< as in results
  /// The expression; lambda as [constraint_count].
  std::function<Expr(const Symbols& symbols, const Vector& lambda)> function;
};

/// Algorithm for the derivatives of a run. All give the same numbers, up to round-off.
enum class SensitivityMode {
  automatic,  ///< by adjoints where the end alone is asked for and there are many arguments
  tangent,    ///< with the run: one tangent for each argument
  adjoint,    ///< backwards through the run: one adjoint for each quantity
};

/// Quantities of a run to differentiate, and arguments. The grid is k step, as of SimulateOptions.
struct SensitivityOptions {
  double step = 0.0;               ///< size h of a step; must be given
  double until = 0.0;              ///< the final time; the last step may be shorter
  std::uint64_t steps = 0;         ///< their number, instead of until
  std::uint64_t record_every = 0;  ///< steps between records beside those of start and end; 0: none
  /// Instead: the numbers of steps after which records stand, increasing.
  std::vector<std::uint64_t> record_after = {};
  NamedValues parameters = {};  ///< instead of the system's defaults and of what the start sets
  bool compensated = false;     ///< compensated summation of q and v
  /// Arguments, by name: coordinates ("x"; of an element R of a group "R_1", a displacement in the
  /// body frame), their velocities as columns of results have them ("x_dot", "R_dot_1"),
  /// parameters, "step" for the size of all steps at a given number of them; or all of a kind:
  /// "start", "positions", "velocities", "parameters". Start and parameters if empty.
  std::vector<std::string> by = {};
  /// Quantities to differentiate; all positions as they are stored and all velocities if empty.
  std::vector<SensitiveQuantity> of = {};
  SensitivityMode mode = SensitivityMode::automatic;  ///< algorithm
  std::atomic<bool>* cancelled = nullptr;             ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;   ///< counts steps, those backwards among them
};

/// A run with its derivatives: exact for the discrete map, up to round-off.
struct Sensitivity {
  /// End of the run: as asked, failed (see `message`), or by `cancelled`.
  enum class Status { ok, failed, stopped } status = Status::ok;
  std::string message = {};  ///< one sentence when it failed: step, time, residual
  std::uint64_t steps = 0;   ///< completed
  SensitivityMode mode = SensitivityMode::tangent;  ///< tangent or adjoint: the algorithm used
  std::vector<std::string> of = {}, by = {};        ///< names
  std::vector<double> t = {};                       ///< [records]
  std::vector<double> values = {};                  ///< [records x of]
  std::vector<double> derivatives = {};             ///< [records x of x by]
  Point point = {};                                 ///< the last state, as Solution::point

  /// True if the run went to its end.
  bool ok() const { return status == Status::ok; }
  std::size_t size() const { return t.size(); }  ///< number of records
  /// Derivative of quantity i by argument j at a record; std::out_of_range beyond the last.
  double derivative(std::size_t record, std::size_t i, std::size_t j) const {
    return derivatives.at((record * of.size() + i) * by.size() + j);
  }
};

/// The derivatives of a run by its start, by parameters and by its step.
///
/// The start stays admissible while it is varied: a changed position or parameter is followed by
/// the velocity nearest to the given one on the constraints (see StartTangent); derivatives by
/// single velocities are those of the motion from that. Derivatives by parameters are at a start
/// that is fixed, apart from that. The run is differentiated as it is: quantities of
/// positions with the turns of angles, at the last state.
///
/// Source of the equations: the derivatives of the step's equations at their solution (see
/// tangent_method). RequestError for what `simulate` refuses, for unknown names, for the step where
/// the last one is shorter or the method divides its steps, for an adjoint of such a method or with
/// records, and for problems with events that change the state or end the run. Where the numbers
/// refuse a step, the records end there; then an adjoint has found nothing.
Sensitivity sensitivity(const Problem& problem, const Method& method, const StartChoice& start,
                        const SensitivityOptions& options);

}  // namespace dalembert
