#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/solution.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Start of a run: a start of the problem by name, a start put together in code, or q and v.
class StartChoice {
 public:
  /// The first start of the problem.
  StartChoice() = default;
  StartChoice(std::string name) : choice_(std::move(name)) {}
  StartChoice(const char* name) : choice_(std::string(name)) {}
  StartChoice(Start start) : choice_(std::move(start)) {}
  StartChoice(std::vector<double> q, std::vector<double> v)
      : choice_(Start{.q = std::move(q), .v = std::move(v)}) {}

  /// The start itself; RequestError if it is a name that the problem does not know.
  const Start& in(const Problem& problem) const;

 private:
  std::variant<std::string, Start> choice_;
};

/// Options of `simulate`. The grid is k step, k = 0, 1, ...
struct SimulateOptions {
  double step = 0.0;   ///< size h of a step; must be given
  double until = 0.0;  ///< the final time; the last step is shorter where it is no multiple of step
  std::uint64_t steps = 0;         ///< their number, instead of until
  std::uint64_t record_every = 1;  ///< steps between records; the last state is recorded too
  NamedValues parameters = {};     ///< instead of the system's defaults and of what the start sets
  bool compensated = false;        ///< compensated summation of q and v
  bool wrap_angles = true;  ///< keep angles in [-pi, pi] within the run, and count their turns
  bool strict = false;      ///< throw StepError where the solver fails in a step
  /// Events of the run in addition to the problem's own; see Solution::events.
  std::vector<Event> events = {};
};

/// Runs a method on a system from t = 0: `simulate(problem, Dla{}, "rotating", {.step = 0.1, .until
/// = 100})`. The start may be given by momenta or be projected onto the constraints; see
/// `prepare_start`. Where the solver fails in a step, the solution says so in `status` and
/// `message` and holds everything up to there. RequestError for what cannot be run: a method that
/// does not fit, a start that is not admissible, parameters that are not, a step or a final time
/// that is not a positive number, a final time that is no multiple of the step, or an event that
/// changes the state, for a method that carries data of steps of one size, such as `shake`. For
/// runs of many starts see `integrate_ensemble`; for your own loop, `Stepper` and `integrate`.
Solution simulate(const Problem& problem, const Method& method, const StartChoice& start,
                  const SimulateOptions& options);
/// Runs a system without named starts.
Solution simulate(const System& system, const Method& method, const StartChoice& start,
                  const SimulateOptions& options);

/// The steps of a run: whole ones, and a shorter one where the end is no multiple of them.
struct StepCount {
  std::uint64_t whole = 0;  ///< number of whole steps
  double last = 0.0;        ///< size of the shorter one, which is the last; 0 if there is none
};

/// The steps of size h > 0 that lead to `until` > 0. A multiple is what differs from one by
/// round-off. RequestError where `until` is less than one step, or more than 1e12.
StepCount steps_until(double until, double h);
/// Those of a run that has either an end or a number of steps. RequestError for a step that is no
/// positive number, and for both or neither.
StepCount asked_steps(double h, double until, std::uint64_t steps);
/// RequestError where a shorter step is the last and the method carries data of steps of one size.
void check_last_step(const StepProgram& program, const StepCount& steps, double h, double until);

/// The parameters of a run: those given, then those of its start, then the defaults. RequestError
/// as named_parameter_values.
std::vector<double> run_parameters(const System& system, const Start& start,
                                   const NamedValues& given);
/// The point of an admissible start, with the multiplier that it asks for; see start_point.
Point first_point(const Stepper& stepper, Evaluator& evaluator, const Start& ready);

}  // namespace dalembert
