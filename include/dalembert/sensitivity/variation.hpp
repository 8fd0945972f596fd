#pragma once

#include <cstddef>
#include <vector>

#include "dalembert/method/method.hpp"

namespace dalembert {

/// Arguments by which the steps of a method are differentiated, beside the state that they begin
/// with.
struct Variation {
  std::vector<std::size_t> parameters = {};  ///< by their places in the system's description
  bool step = false;  ///< the size h of all steps, and the times at which they begin
};

/// Places of the parts of a tangent or an adjoint in the data that a method carries
/// (`State::carried`): first the data of the method itself, then one number for each of its
/// arguments. Positions as they are stored, velocities, multipliers (all, whether the method has
/// them in its state or not), what is carried, the parameters of the variation, and with its step
/// the time and the step.
struct VariationLayout {
  std::size_t own = 0;  ///< size of the method's own data
  std::size_t q = 0, v = 0, lambda = 0, carried = 0, parameters = 0;  ///< begin of each
  std::size_t time = 0, step = 0;  ///< places; behind the end without a varied step
  std::size_t end = 0;             ///< size of all carried data

  VariationLayout() = default;
  VariationLayout(const System& system, const Method& method, const Variation& variation);
  /// Size of a tangent.
  std::size_t size() const { return end - own; }
};

/// The method with a tangent beside its state: a step takes (x, dx) to (F(x), F'(x) dx), where F'
/// is the derivative of the very map of the step, from its equations at their solution. With
/// unknowns U, equations Z(x, U) = 0 and the new state A(x, U) it is
///   A_x dx + A_U dU,   Z_x dx + Z_U dU = 0,
/// for explicit, linear and implicit steps on any configuration space, in every number type. What
/// is found by Newton's iteration or by sweeps is found for the state alone, which has the bits of
/// the method itself; the tangent costs one linear system more, or for stages in lanes their
/// sweeps. It is linear in dx, and lies in `State::carried` as `VariationLayout` says; dp and dh
/// stay what they are. `variation.parameters` are admissible places (std::out_of_range otherwise).
///
/// Angles may be wrapped. Of a method that divides its steps it is the derivative for substeps that
/// stay where they are; its steps cannot be varied in size.
Method tangent_method(const Method& method, const Variation& variation);

/// The method with an adjoint beside its state: from the state x *before* a step and a covector a'
/// of its end a step finds a = F'(x)^T a', in the places of a tangent, and adds up what belongs to
/// parameters and step. The state that it leaves is the end of the step: whoever goes backwards
/// puts the state before the previous step in its place. With the unknowns mu,
///   a = A_x^T a' - Z_x^T mu,   Z_U^T mu = A_U^T a',
/// so that a . dx stays the same along every tangent dx, to round-off. Everything else as with
/// `tangent_method`.
Method adjoint_method(const Method& method, const Variation& variation);

}  // namespace dalembert
