#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/step/basic_stepper.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// A method on a system as a map of states, in any number type: what the measurements of symmetry,
/// reversibility and conserved quantities apply. Angles are not wrapped.
template <class Number>
class StepMap {
 public:
  /// Parameters in the order of the description. Throws RequestError if the method does
  /// not fit the system.
  StepMap(const System& system, const Method& method, std::span<const double> parameters)
      : program_(
            StepProgram::compile(system, method, {.compensated = false, .wrap_angles = false})),
        stepper_(program_, Number(1.0), parameters),
        parameters_(parameters.begin(), parameters.end()),
        given_parameters_(parameters.begin(), parameters.end()),
        consistent_(system),
        carried_(carried_start(*program_)),
        constraint_(compiled(system, &StepMap::constraints)),
        energy_(compiled(system, &StepMap::energies)),
        integrals_(compiled(system, &StepMap::declared_integrals)) {}

  const StepProgram& program() const { return *program_; }

  /// The admissible state nearest to (q, v) with the exact multiplier: constraints are satisfied to
  /// round-off of `Number`; see ConsistentStart.
  BasicPoint<Number> start(std::span<const double> q, std::span<const double> v) {
    BasicPoint<Number> point = stepper_.make_point(q, v);
    auto nearest = consistent_(given_parameters_, point.t, point.q, point.v);
    point.q = std::move(nearest.q);
    point.v = std::move(nearest.v);
    if (!point.lambda.empty())
      point.lambda = consistent_.multiplier(given_parameters_, point.t, point.q, point.v);
    if (!nearest.found()) {
      throw RequestError("no admissible state of system \"" + program_->system().name() +
                         "\" was found near the start");
    }
    start_carried(point);
    return point;
  }
  /// Gives what the method carries beside q, v and lambda the values of a start at (q, v).
  void start_carried(BasicPoint<Number>& point) {
    if (!point.carried.empty()) point.carried = carried_(arguments(point));
  }

  /// `steps` steps of size h (of either sign); false if a step was refused.
  [[nodiscard]] bool apply(BasicPoint<Number>& point, const Number& h, std::uint64_t steps = 1) {
    stepper_.set_step(h);
    return stepper_.advance(point, point.t, 0, steps).status == StepStatus::ok;
  }

  /// Parameters, t, q and v in one vector: the inputs of functions of the state.
  std::vector<Number> arguments(const BasicPoint<Number>& point) const {
    std::vector<Number> values = parameters_;
    values.push_back(point.t);
    values.insert(values.end(), point.q.begin(), point.q.end());
    values.insert(values.end(), point.v.begin(), point.v.end());
    return values;
  }

  /// Phi(q, v, t), then phi(q, t) of constraints on positions.
  std::vector<Number> constraint(const BasicPoint<Number>& point) {
    return constraint_(arguments(point));
  }
  Number energy(const BasicPoint<Number>& point) { return energy_(arguments(point)).front(); }
  /// The values of the system's declared integrals.
  std::vector<Number> integrals(const BasicPoint<Number>& point) {
    return integrals_(arguments(point));
  }
  /// The multiplier that the method reports: its own, or the continuous one at the node.
  std::vector<Number> multiplier(const BasicPoint<Number>& point) {
    return point.lambda.empty()
               ? consistent_.multiplier(given_parameters_, point.t, point.q, point.v)
               : point.lambda;
  }

 private:
  static Vector constraints(const System& system, const Symbols& s) {
    return concatenate({system.constraint(s.q, s.v, s.t), system.holonomic(s.q, s.t)});
  }
  static Vector energies(const System& system, const Symbols& s) {
    return {system.energy(s.q, s.v)};
  }
  static Vector declared_integrals(const System& system, const Symbols&) {
    Vector values;
    for (const auto& [name, value] : system.mechanics().integrals) values.push_back(value);
    return values;
  }
  /// What the method carries beside q, v and lambda, at the start.
  static NumberFunction<Number> carried_start(const StepProgram& program) {
    const System& system = program.system();
    const Symbols s = system.symbols();
    const Vector inputs = concatenate({s.parameter_list, Vector{s.t}, s.q, s.v});
    if (program.carried_count() == 0) return {inputs, {}};
    const State state{s.q, s.v, system.eliminated(s.q, s.v, s.t).lambda, {}, s.t};
    return {inputs, program.method().carried_start(system, state)};
  }
  static NumberFunction<Number> compiled(const System& system,
                                         Vector (*make)(const System&, const Symbols&)) {
    const Symbols s = system.symbols();
    return {concatenate({s.parameter_list, Vector{s.t}, s.q, s.v}), make(system, s)};
  }
  std::shared_ptr<const StepProgram> program_;
  BasicStepper<Number> stepper_;
  std::vector<Number> parameters_;
  std::vector<double> given_parameters_;
  ConsistentStart<Number> consistent_;
  NumberFunction<Number> carried_, constraint_, energy_, integrals_;
};

/// The largest |x_i - y_i|; nan if there is one.
template <class Number>
double largest_difference(const std::vector<Number>& x, const std::vector<Number>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Number difference = x[i] < y[i] ? y[i] - x[i] : x[i] - y[i];
    const auto size = static_cast<double>(difference);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
