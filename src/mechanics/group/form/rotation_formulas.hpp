#pragma once
// Rotations by a rotation vector, on expressions and on dual numbers: what holds for rotations
// holds for motions with (rotation vector) + epsilon (translation), epsilon^2 = 0. With t = x.x and
// C, S, D = sinc_root of order -1, 0, 1 at t/4: sin|x|/|x| = S C, (1 - cos|x|)/t = S^2/2, (|x| -
// sin|x|)/|x|^3 = (S^2 - D C)/4. Cayley's map has d = 1 + t/4.

#include "dalembert/mechanics/group/group.hpp"
#include "mechanics/group/form/dual_expression.hpp"
#include "mechanics/group/form/triple.hpp"

namespace dalembert {

/// What an expression of x cross u and x cross (x cross u) needs.
template <class Scalar>
struct RotationParts {
  Scalar quarter;                // t / 4
  Triple<Scalar> across, twice;  // x cross u, x cross (x cross u)

  RotationParts(const Triple<Scalar>& x, const Triple<Scalar>& u)
      : quarter(0.25 * dot(x, x)), across(cross(x, u)), twice(cross(x, across)) {}
};

/// u + first y + second z, or with the sign of y changed.
template <class Scalar>
Triple<Scalar> combine(const Triple<Scalar>& u, int sign, const Scalar& first, const Scalar& second,
                       const RotationParts<Scalar>& parts) {
  const Triple<Scalar> turned =
      sign > 0 ? add_multiple(u, first, parts.across) : subtract_multiple(u, first, parts.across);
  return add_multiple(turned, second, parts.twice);
}

/// The rotation tau(sign x) of u.
template <class Scalar>
Triple<Scalar> rotated(Retraction kind, const Triple<Scalar>& x, const Triple<Scalar>& u,
                       int sign) {
  const RotationParts<Scalar> parts{x, u};
  if (kind == Retraction::cayley) {
    const Scalar first = reciprocal(1.0 + parts.quarter);
    return combine(u, sign, first, Scalar(0.5 * first), parts);
  }
  const Scalar sine = sinc_root(parts.quarter, 0), cosine = sinc_root(parts.quarter, -1);
  const Scalar second = 0.5 * (sine * sine);
  return combine(u, sign, Scalar(sine * cosine), second, parts);
}

/// T(sign x) u. T(-x) is the transpose of T(x).
template <class Scalar>
Triple<Scalar> rotation_tangent(Retraction kind, const Triple<Scalar>& x, const Triple<Scalar>& u,
                                int sign) {
  if (kind == Retraction::cayley) {
    const Scalar quarter = 0.25 * dot(x, x);
    const Scalar factor = reciprocal(1.0 + quarter);
    const Triple<Scalar> across = cross(x, u);
    const Triple<Scalar> turned =
        sign > 0 ? subtract_multiple(u, Scalar(0.5), across) : add_multiple(u, Scalar(0.5), across);
    return {factor * turned[0], factor * turned[1], factor * turned[2]};
  }
  const RotationParts<Scalar> parts{x, u};
  const Scalar sine = sinc_root(parts.quarter, 0), cosine = sinc_root(parts.quarter, -1),
               next = sinc_root(parts.quarter, 1);
  const Scalar square_of_sine = sine * sine;
  const Scalar product = next * cosine;
  const Scalar second = 0.25 * (square_of_sine - product);
  return combine(u, -sign, Scalar(0.5 * square_of_sine), second, parts);
}

/// S(x) u: T(x) without what vanishes on the ray through x, which is a number. It is its own
/// transpose.
template <class Scalar>
Triple<Scalar> rotation_ray_tangent(Retraction kind, const Triple<Scalar>& x,
                                    const Triple<Scalar>& u) {
  if (kind == Retraction::exponential) return u;
  const Scalar quarter = 0.25 * dot(x, x);
  const Scalar factor = reciprocal(1.0 + quarter);
  return {factor * u[0], factor * u[1], factor * u[2]};
}

/// T(x)^-1 eta.
template <class Scalar>
Triple<Scalar> rotation_tangent_inverse(Retraction kind, const Triple<Scalar>& x,
                                        const Triple<Scalar>& eta) {
  if (kind == Retraction::cayley) {
    const Triple<Scalar> turned = add_multiple(eta, Scalar(0.5), cross(x, eta));
    return add_multiple(turned, Scalar(0.25 * dot(x, eta)), x);
  }
  const RotationParts<Scalar> parts{x, eta};
  const Scalar next = sinc_root(parts.quarter, 1);
  const Scalar inverse = reciprocal(sinc_root(parts.quarter, 0));
  return combine(eta, 1, Scalar(0.5), Scalar(0.25 * (next * inverse)), parts);
}

}  // namespace dalembert
