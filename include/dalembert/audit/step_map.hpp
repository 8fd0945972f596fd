#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/basic_stepper.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// A method on a system as a map of states, in any number type, for measurements of symmetry,
/// reversibility and conserved quantities. Angles are not wrapped.
template <class Number>
class StepMap {
 public:
  /// Parameters in the order of the description; the defaults if empty. Throws RequestError if the
  /// method does not fit the system.
  StepMap(const System& system, const Method& method, std::span<const double> parameters)
      : program_(
            StepProgram::compile(system, method, {.compensated = false, .wrap_angles = false})),
        parameters_(parameter_values(system, parameters)),
        stepper_(program_, Number(1.0), parameters_),
        consistent_(system, parameters_),
        carried_(carried_start(*program_, parameters_)),
        constraint_(compiled(system, parameters_, &StepMap::constraints)),
        energy_(compiled(system, parameters_, &StepMap::energies)),
        integrals_(compiled(system, parameters_, &StepMap::declared_integrals)) {}

  const StepProgram& program() const { return *program_; }  ///< compiled method
  /// Parameters in the order of the description.
  const std::vector<double>& parameters() const { return parameters_; }

  /// The admissible state nearest to (q, v) with the exact multiplier: constraints are satisfied to
  /// round-off of `Number`; see ConsistentStart.
  BasicPoint<Number> start(std::span<const double> q, std::span<const double> v) {
    BasicPoint<Number> point = stepper_.make_point(q, v);
    auto nearest = consistent_(point.t, point.q, point.v);
    point.q = std::move(nearest.q);
    point.v = std::move(nearest.v);
    if (!point.lambda.empty()) point.lambda = consistent_.multiplier(point.t, point.q, point.v);
    if (!nearest.found()) {
      throw RequestError("no admissible state of system \"" + program_->system().name() +
                         "\" was found near the start");
    }
    start_carried(point);
    return point;
  }
  /// Gives what the method carries beside q, v and lambda the values of a start at (q, v).
  void start_carried(BasicPoint<Number>& point) {
    carried_.evaluate(point.t, point.q, point.v, {}, point.carried);
  }

  /// Turns time for a state, beside the sign of the step: where the facts say so, a carried
  /// multiplier is reflected at that of the motion.
  void turn_time(BasicPoint<Number>& point) {
    if (!program_->method().facts().reflects_multiplier) return;
    const std::vector<Number> exact = consistent_.multiplier(point.t, point.q, point.v);
    for (std::size_t i = 0; i < program_->system().nonholonomic_count(); ++i)
      point.lambda[i] = exact[i] + (exact[i] - point.lambda[i]);
  }

  /// `steps` steps of size h (of either sign); false if a step was refused.
  [[nodiscard]] bool apply(BasicPoint<Number>& point, const Number& h, std::uint64_t steps = 1) {
    stepper_.set_step(h);
    return stepper_.advance(point, point.t, 0, steps).status == StepStatus::ok;
  }

  /// Phi(q, v, t), then phi(q, t) of constraints on positions.
  std::vector<Number> constraint(const BasicPoint<Number>& point) {
    return values(constraint_, point);
  }
  /// The energy of a state.
  Number energy(const BasicPoint<Number>& point) {
    return energy_(point.t, point.q, point.v).front();
  }
  /// The values of the system's declared integrals.
  std::vector<Number> integrals(const BasicPoint<Number>& point) {
    return values(integrals_, point);
  }
  /// The multiplier that the method reports: its own, or the continuous one at the node.
  std::vector<Number> multiplier(const BasicPoint<Number>& point) {
    return point.lambda.empty() ? consistent_.multiplier(point.t, point.q, point.v) : point.lambda;
  }
  /// The multiplier of the motion through the state of a point.
  std::vector<Number> exact_multiplier(const BasicPoint<Number>& point) {
    return consistent_.multiplier(point.t, point.q, point.v);
  }

 private:
  static std::vector<Number> values(StateFunction<Number>& function,
                                    const BasicPoint<Number>& point) {
    const std::span<const Number> found = function(point.t, point.q, point.v);
    return {found.begin(), found.end()};
  }
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
  /// Data that the method carries beside q, v and lambda, at the start.
  static StateFunction<Number> carried_start(const StepProgram& program,
                                             std::span<const double> parameters) {
    const System& system = program.system();
    const Symbols s = system.symbols();
    if (program.carried_count() == 0) return {system, s, {}, parameters};
    const State state{s.q, s.v, system.eliminated(s.q, s.v, s.t).lambda, {}, s.t};
    return {system, s, program.method().carried_start(system, state), parameters};
  }
  static StateFunction<Number> compiled(const System& system, std::span<const double> parameters,
                                        Vector (*make)(const System&, const Symbols&)) {
    const Symbols s = system.symbols();
    return {system, s, make(system, s), parameters};
  }

  std::shared_ptr<const StepProgram> program_;
  std::vector<double> parameters_;
  BasicStepper<Number> stepper_;
  ConsistentStart<Number> consistent_;
  StateFunction<Number> carried_, constraint_, energy_, integrals_;
};

/// The largest |x_i - y_i|; nan if there is one.
template <class Number>
double largest_difference(const std::vector<Number>& x, const std::vector<Number>& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Number difference = x[i] < y[i] ? y[i] - x[i] : x[i] - y[i];
    const auto size = static_cast<double>(difference);
    largest = numeric::larger(largest, size);
  }
  return largest;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
