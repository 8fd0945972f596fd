#pragma once

#include <string>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// The mean of an expression along the segment from `from` to `to`: int_0^1 f((1-s) from + s to)
/// ds. Term by term: polynomials by Gauss quadrature of enough points (exact), sin, cos, exp, sinh
/// and cosh of an affine argument in closed form through sinc and sinhc, everything else by
/// 12-point Gauss quadrature (round-off for steps that resolve the function). Symmetric under
/// exchange of the ends; smooth where they meet.
Vector segment_mean(const Vector& functions, const Vector& variables, const Vector& from,
                    const Vector& to);

/// Kind of discrete gradient. All satisfy g . (to - from) = H(to) - H(from) and g(x, x) = dH(x),
/// without differences of nearby values, so that the identity holds to round-off for every
/// distance.
enum class GradientKind {
  gonzalez,              ///< midpoint gradient with a correction along the segment
  mean_value,            ///< mean of the gradient along the segment
  coordinate_increment,  ///< one coordinate after the other (Itoh-Abe)
  symmetric_increment,   ///< mean of the coordinate increments in the two orders
  bilinear,  ///< of kinetic energies in velocities and of a potential; see ReducedGradient
};

/// The kind of that name in studies: gonzalez, mean-value, coordinate-increment,
/// symmetric-increment.
GradientKind gradient_kind(const std::string& name);

/// A discrete gradient of `function` in `variables` between two points.
/// Source: [Gonzalez1996]; [Celledoni2019], Sect. 2.2; [ItohAbe1988].
Vector discrete_gradient(GradientKind kind, const Expr& function, const Vector& variables,
                         const Vector& from, const Vector& to);

/// Gonzalez' formula with another gradient of the function at the middle of the two points: the
/// correction keeps g . (to - from) = H(to) - H(from) all the same.
Vector gonzalez_gradient(const Expr& function, const Vector& variables, const Vector& from,
                         const Vector& to, const Vector& middle_slope);

}  // namespace dalembert
