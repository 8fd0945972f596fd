#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"

namespace dalembert {

/// Options of optimal_control: cost, controls and end of the motion. The grid is k step,
/// k = 0, ..., N.
struct ControlOptions {
  double step = 0.0;            ///< size h of a step; must be given
  double until = 0.0;           ///< the final time, a multiple of the step
  std::uint64_t steps = 0;      ///< the number N of steps, instead of until
  NamedValues parameters = {};  ///< instead of the system's defaults and of what the start sets
  std::vector<std::string> by = {};  ///< the controls: parameters, constant along each step
  /// Running cost, whose integral is least: an expression of time, state and controls; of a step it
  /// is the mean of its values before and after. No running cost if empty.
  std::optional<SensitiveQuantity> cost = {};
  /// Cost added at the end: an expression of the state there.
  std::optional<SensitiveQuantity> end_cost = {};
  std::optional<StartChoice> end = {};  ///< the state to end with, if all of it is given
  /// Expressions that vanish at the end, of the state there and of the last controls.
  std::vector<SensitiveQuantity> end_conditions = {};
  /// Controls to begin the search with, each [steps x by].
  std::vector<std::vector<double>> guesses = {};
  std::size_t trials = 16;                 ///< searches from random smooth controls beside these
  double control_scale = 1.0;              ///< size of these controls
  std::uint64_t seed = 1;                  ///< of the random controls
  std::size_t iterations = 500;            ///< of Newton's method in each search, at most
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop
  std::atomic<std::uint64_t>* trials_done = nullptr;  ///< counts searches
};

/// Kind of an extremum by the second variation of the cost, over all controls nearby that reach the
/// end.
enum class Extremum {
  minimum,  ///< it is positive: none of them costs as little
  family,   ///< it is zero along some of them, as where a symmetry leaves start and end as they are
  saddle,   ///< some cost less
};

/// Controls for which the cost of the discrete motion is stationary, with that motion.
struct OptimalControl {
  /// End of the search: with controls, without any, or by `cancelled`.
  enum class Status { ok, failed, stopped } status = Status::ok;
  std::string message = {};            ///< one sentence when none was found
  double cost = 0.0;                   ///< the least that was found
  std::vector<std::string> by = {};    ///< names of the controls
  std::vector<double> t = {};          ///< [N + 1]
  std::vector<double> q = {}, v = {};  ///< [N + 1] times storage_count and velocity_count
  std::vector<double> controls = {};   ///< [N x by]
  /// The derivatives of the cost from there on by q and v, with the other sign: maxima of
  /// Pontryagin's function. [N + 1] times storage_count + velocity_count. Along the constraint set
  /// alone they mean something.
  std::vector<double> costate = {};
  double residual = 0.0;    ///< largest derivative of the Lagrangian by states and controls
  double defect = 0.0;      ///< largest error of a step, and of the end
  double constraint = 0.0;  ///< largest residual of the constraints at the nodes
  Extremum extremum = Extremum::saddle;  ///< of these controls
  std::size_t iterations = 0;            ///< of Newton's method in the search that found it
  std::size_t trials = 0;                ///< searches
  std::size_t converged = 0;             ///< those of them that ended at stationary controls
  /// The costs of the stationary controls that were found, each once, least first; 8 at most.
  std::vector<double> stationary_costs = {};

  /// True if stationary controls were found.
  bool ok() const { return status == Status::ok; }
  std::size_t size() const { return t.size(); }  ///< number of nodes, N + 1
};

/// Optimal control of the discrete motion of a method: of all controls that are constant along each
/// step and bring the start to the end, those whose cost
///   sum_k h (l(t_k, x_k, c_k) + l(t_k+1, x_k+1, c_k)) / 2 + m(x_N)
/// is least, where x_k+1 = F(x_k, c_k) is the method's own step. The optimality conditions
/// (stationarity in states and controls, costates as multipliers of the steps) are solved by
/// Newton's method with exact first and second derivatives of the steps, whose linear systems are
/// sparse, after one for the augmented Lagrangian that needs no good guess. So it is discrete
/// mechanics and optimal control on the constraint set.
/// States are those of the method's own steps: constraints hold as its runs hold them.
///
/// Many stationary controls may exist: searches begin with the guesses and with random smooth
/// controls, on a grid of at most 31 steps, which is then refined, and the least cost wins. Nothing
/// says that there is no other.
///
/// Source: [JungeMarsdenOberbloebaum2005], on the constraint set [MartinDeDiegoSato2018], Sect. 8.
/// RequestError for what `simulate` refuses, for unknown controls, an end that is not admissible, a
/// last step that is shorter, a method that divides its steps, and events that act.
OptimalControl optimal_control(const Problem& problem, const Method& method,
                               const StartChoice& start, const ControlOptions& options);

}  // namespace dalembert
