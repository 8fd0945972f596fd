#pragma once

#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/sensitivity/variation.hpp"

namespace dalembert {

/// The tangent of a start as expressions in the symbols of a system and of a direction.
struct StartTangentEquations {
  Vector displacement, velocity, parameters;  ///< symbols: [dof], [velocity_count], as varied
  Vector step;                                ///< symbol, of a varied step
  Vector tangent;                             ///< in the order of VariationLayout

  /// All symbols of a direction: displacement, velocity, parameters, step.
  Vector direction() const { return concatenate({displacement, velocity, parameters, step}); }
};
/// The equations for a start of a method. `variation.parameters` as for tangent_method.
StartTangentEquations start_tangent(const System& system, const Symbols& symbols,
                                    const Method& method, const Variation& variation);
/// The transposed map: symbols of an adjoint, and the covector on directions that it gives.
struct TransposedStart {
  Vector adjoint, covector;  ///< in the order of `tangent` and of `direction()`
};
/// The transposed map of the equations of a tangent.
TransposedStart transposed_start(const Symbols& symbols, const StartTangentEquations& equations);
/// The displacement in the body frame of a tangent of the stored numbers: new symbols and it.
struct DisplacementOfTangent {
  Vector tangent, displacement;  ///< [storage_count] and [dof]
};
/// The displacement that makes a tangent of the stored numbers at a state.
DisplacementOfTangent displacement_of_tangent(const System& system, const Symbols& symbols);

/// Tangent of the state that a run begins with by its start: the derivative of a point as
/// `start_point` makes it, at an admissible state (q, v), along a change of position (by a velocity
/// in the body frame on groups), velocity, parameters and step.
///
/// The state stays admissible: what leaves the constraints is brought back to them in the metric of
/// the mass as `ConsistentStart` does, first the position, then the velocity; so it is where
/// constraints change with parameters. Multipliers are those of the motion, and what a method
/// carries follows. One per thread.
template <class Number = double>
class StartTangent {
 public:
  /// Parameters in the order of the description; the defaults if empty.
  StartTangent(const System& system, const Method& method, const Variation& variation,
               std::span<const double> parameters = {})
      : StartTangent(system, method, variation, parameters, system.symbols()) {}

  /// Size of a direction: dof + velocity_count + varied parameters, + 1 for the step.
  std::size_t direction_size() const { return direction_size_; }
  /// The tangent, [VariationLayout::size()], along `direction` at (t, q, v); valid until the next
  /// call.
  std::span<const Number> operator()(const Number& t, std::span<const Number> q,
                                     std::span<const Number> v, std::span<const Number> direction) {
    return forward_(t, q, v, direction);
  }
  /// The transposed map: the covector on directions, [direction_size()], of an adjoint at the
  /// start, [VariationLayout::size()]; valid until the next call.
  std::span<const Number> transposed(const Number& t, std::span<const Number> q,
                                     std::span<const Number> v, std::span<const Number> adjoint) {
    return backward_(t, q, v, adjoint);
  }
  /// The displacement, [dof], that has this tangent of the stored numbers, [storage_count]: a part
  /// of a direction.
  std::span<const Number> displacement(const Number& t, std::span<const Number> q,
                                       std::span<const Number> v, std::span<const Number> tangent) {
    return displacement_(t, q, v, tangent);
  }

 private:
  StartTangent(const System& system, const Method& method, const Variation& variation,
               std::span<const double> parameters, const Symbols& symbols)
      : StartTangent(system, symbols, parameters,
                     start_tangent(system, symbols, method, variation)) {}
  StartTangent(const System& system, const Symbols& symbols, std::span<const double> parameters,
               const StartTangentEquations& equations)
      : direction_size_(equations.direction().size()),
        forward_(system, symbols, equations.tangent, parameters, equations.direction()) {
    const TransposedStart transposed = transposed_start(symbols, equations);
    backward_ = {system, symbols, transposed.covector, parameters, transposed.adjoint};
    const DisplacementOfTangent moved = displacement_of_tangent(system, symbols);
    displacement_ = {system, symbols, moved.displacement, parameters, moved.tangent};
  }

  std::size_t direction_size_;
  StateFunction<Number> forward_, backward_, displacement_;
};

/// Doubles are the library's: what a user compiles does not replace it.
extern template class StartTangent<double>;

}  // namespace dalembert
