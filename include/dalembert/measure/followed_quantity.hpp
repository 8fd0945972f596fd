#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {

/// A vector field on the configurations, in the system's symbols: one entry per coordinate,
/// functions of q. A rotation about the third axis: `[](const Symbols& s) { return Vector{-s.q[1],
/// s.q[0], 0.0}; }`.
using VectorField = std::function<Vector(const Symbols&)>;

/// A function of the state (t, q, v) with what theory and motion say about its rate of change.
/// Accuracy: round-off of the expressions. One per thread.
class FollowedQuantity {
 public:
  /// Value and rates at a state.
  struct Values {
    double value = 0.0;        ///< of the quantity
    double rate = 0.0;         ///< by the theorem the quantity comes from; see the factories
    double motion_rate = 0.0;  ///< by the chain rule along the acceleration of the eliminated
                               ///< equations; equals `rate` where the theorem holds
    double defect = 0.0;       ///< of the theorem's condition; see the factories
  };

  Values operator()(double t, std::span<const double> q, std::span<const double> v);

  /// Any expression in the system's symbols. `rate` is the motion's, `defect` zero.
  static FollowedQuantity of(const System& system,
                             const std::function<Expr(const Symbols&)>& expression,
                             std::span<const double> parameters = {});

  /// The momentum J = p.xi(q) along a field xi that lies in the constraint distribution. Its rate
  /// is given by the momentum equation, without multipliers:
  ///   dJ/dt = dL/dq.xi + p.(dxi/dq v) + force.xi,
  /// zero where xi is also a symmetry of L: a horizontal symmetry. `defect` is the largest
  /// |(dPhi/dv xi)_i|, by which the field leaves the distribution.
  /// Source: [BlochKrishnaprasadMarsdenMurray1996], the momentum equation.
  static FollowedQuantity momentum(const System& system, const VectorField& xi,
                                   std::span<const double> parameters = {});

  /// The moving energy E - p.Y(q) for constraints A v + b = 0 and a field with A Y + b = 0: the
  /// energy seen from where the constraints do not move. Its rate is
  ///   -(dL/dq.Y + p.(dY/dq v)) - dL/dt + force.(v - Y),
  /// zero where Y is a symmetry of L. `defect` is the largest |(A Y + b)_i|.
  /// Source: [FassoSansonetto2016], [FassoGarciaNaranjoSansonetto2018].
  static FollowedQuantity moving_energy(const System& system, const VectorField& y,
                                        std::span<const double> parameters = {});

 private:
  FollowedQuantity(const System& system, const Symbols& s, std::span<const double> parameters,
                   const Expr& value, const Expr& rate, const Vector& defects);

  StateFunction<double> function_;
};

/// Residual of the equations of motion on a motion.
///
/// A method or a program can keep the constraints to round-off and yet have a wrong force: it is
/// enough to project the velocity after each step. What it cannot hide is the acceleration. Given
/// (t, q, v), an acceleration and a multiplier, from a method's report or from differences of
/// samples (sampled_rate), this evaluates d/dt dL/dv - dL/dq - force - (dPhi/dv)^T lambda and
/// dPhi/dt. Accuracy: round-off; both vanish on solutions. One per thread.
class MotionResidual {
 public:
  explicit MotionResidual(const System& system, std::span<const double> parameters = {});

  /// Sizes of the residuals at a state.
  struct Values {
    double force = 0.0;            ///< largest entry of the residual of the equations of motion
    double constraint = 0.0;       ///< largest |Phi_i|
    double constraint_rate = 0.0;  ///< largest |dPhi_i/dt|
  };
  Values operator()(double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> acceleration, std::span<const double> lambda);

 private:
  std::size_t dof_ = 0, constraint_count_ = 0;
  StateFunction<double> function_;
  std::vector<double> reaction_;  ///< acceleration and multipliers
};

/// The rate of the constraints under the forces that a method reports.
///
/// With the acceleration that the equations of motion give for a multiplier, at a state (t, q, v),
/// this is the largest |dPhi_i/dt|: zero for the exact multiplier, and proportional to the error of
/// another one. Beside |Phi| it tells whether reported forces are those that keep the constraints.
/// Accuracy: round-off of the terms. One per thread.
class ConstraintRate {
 public:
  /// RequestError for a system without constraints.
  explicit ConstraintRate(const System& system, std::span<const double> parameters = {});
  double operator()(double t, std::span<const double> q, std::span<const double> v,
                    std::span<const double> lambda);

 private:
  StateFunction<double> function_;
};

/// The derivative of samples at equal spacing, by central differences of even order up to 8, at all
/// samples that have order/2 neighbours on both sides: entry k belongs to sample k + order/2.
/// RequestError for another order, and for fewer than order + 1 samples.
/// Accuracy: exact for polynomials up to the order; round-off of y over the spacing.
std::vector<double> sampled_rate(std::span<const double> y, double spacing, int order = 8);

}  // namespace dalembert
