#pragma once
// The chart of a step as methods of several stages use it.

#include "dalembert/mechanics/group/chart.hpp"
#include "dalembert/method/equations.hpp"
#include "stages.hpp"

namespace dalembert {

/// Places, velocities, forces and momenta of a step in its chart, where the equations of methods on
/// R^n hold on groups, too: with stage velocities U_i and displacements Xi_i of the chart. Without
/// groups everything is its argument, or the equation on R^n, node by node.
/// Source: [MartinDeDiegoSato2018], Sect. 6, for a base point at the start.
class StepChart {
 public:
  /// `weights` are those with which the velocities U move the step.
  StepChart(const System& system, const State& before, const Stages& stages,
            const std::vector<Constant>& weights, const std::vector<Vector>& velocities,
            Retraction retraction, ChartBase base);

  /// G and eta at a place.
  Vector point(const Vector& place) const { return chart_.point(place); }
  Vector velocity(const Vector& place, const Vector& u) const { return chart_.velocity(place, u); }
  /// F: the force f at a place where the momentum is m(G, eta), as it acts in the chart.
  Vector force(const Vector& place, const Vector& u, const Vector& f, const Expr& t) const;
  /// f, carried to the base point of the chart.
  Vector at_base(const Vector& place, const Vector& f) const { return chart_.to_base(place, f); }

  /// The momentum at a place less that at the start of the step, where `impulse` was given to it at
  /// the base point in between.
  Vector change_by(const Vector& impulse, const Vector& place) const;
  /// To be called when the forces of all stages are known, at the base point and in the chart, with
  /// the weights with which they act on the step.
  void close(const std::vector<Constant>& weights, const std::vector<Vector>& forces,
             const std::vector<Vector>& chart_forces);
  /// The momentum in the chart, at a place with U, less that at the start of the step, which the
  /// two ends of the step define symmetrically where the base point is in the middle.
  Vector momentum_change(const Vector& place, const Vector& u, const Expr& t) const;

 private:
  const System& system_;
  const Stages& stages_;
  Chart chart_;
  ChartBase base_;
  Vector total_;              // the displacement of the step; empty without groups
  Vector momentum_at_start_;  // p0; empty without groups
  Vector chart_momentum_;     // P
};

}  // namespace dalembert
