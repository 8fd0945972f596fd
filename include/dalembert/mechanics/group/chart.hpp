#pragma once

#include "dalembert/mechanics/group/configuration.hpp"

namespace dalembert {

/// Base point of a step's chart: its start, or its middle, which keeps symmetric methods
/// symmetric.
enum class ChartBase { start, middle };

/// The coordinates of one step around a base point gc = g0 tau(theta total), theta = 0 at the start
/// and 1/2 in the middle. A place in the step is its displacement x since the start, from 0 to
/// `total`; in the chart it is z = x - theta total. Velocities u, forces F and momenta P of the
/// chart correspond to those of the body frame at that place:
///   g = gc tau(z),  eta = T(z) u,  P = T(z)^T m,  F = T(z)^T f + DT(z, u)^T m,
/// so that d/dt P = F where m and f are those of a Lagrangian l(g, eta). Momenta at any two places
/// are compared at the base point, where they are Ad*_{tau(-z)} m.
///
/// For lines and angles every function returns its argument itself, and `point` is q0 + x:
/// equations in a chart are the equations on R^n, node by node. Wrong sizes throw RequestError.
/// Source: [MartinDeDiegoSato2018], Sect. 6, for theta = 0.
class Chart {
 public:
  /// `start` [storage_count] and `total` [dof] are expressions of one graph.
  Chart(Configuration configuration, Vector start, Vector total,
        Retraction retraction = Retraction::cayley, ChartBase base = ChartBase::middle);

  /// The stored point at x; the start itself for the constant x = 0. Not normalised.
  Vector point(const Vector& x) const;
  /// eta = T(z) u, the velocity in the body frame at x, [dof].
  Vector velocity(const Vector& x, const Vector& u) const;
  /// x' = T(z)^-1 eta, the inverse of `velocity`, [dof].
  Vector rate(const Vector& x, const Vector& eta) const;
  /// P = T(z)^T m.
  Vector momentum(const Vector& x, const Vector& m) const;
  /// F = T(z)^T f + DT(z, u)^T m: the derivative of l(point(x), velocity(x, u)) in x, where f = d_g
  /// l and m = dl/deta.
  Vector force(const Vector& x, const Vector& u, const Vector& f, const Vector& m) const;
  /// Ad*_{tau(-z)} f: a momentum at x, carried to the base point.
  Vector to_base(const Vector& x, const Vector& f) const;
  /// Ad*_{tau(z)} m: a momentum at the base point, carried to x; the inverse of `to_base`.
  Vector from_base(const Vector& x, const Vector& m) const;

 private:
  /// z of one factor, from its part of x.
  Vector from_middle(const Configuration::Factor& factor, const Vector& x) const;

  Configuration configuration_;
  Vector start_, total_;
  Vector base_;  // the stored base point; empty for lines and angles alone
  Retraction retraction_;
  ChartBase place_;
};

}  // namespace dalembert
