#include "step_chart.hpp"

namespace dalembert {
namespace {

/// The displacement of a whole step; zero, and no node of it, where no chart needs it.
Vector total_displacement(const System& system, const Stages& stages,
                          const std::vector<Constant>& weights,
                          const std::vector<Vector>& velocities) {
  return system.traits().has_groups ? stages.sum(weights, velocities) : zeros(system.dof());
}

/// `on_groups`, but for the entries of lines and angles, which are those of `on_lines`.
Vector by_kind(const Configuration& configuration, const Vector& on_groups,
               const Vector& on_lines) {
  Vector result = on_groups;
  for (const Configuration::Factor& factor : configuration.factors()) {
    if (factor.group.is_flat()) result[factor.velocity] = on_lines[factor.velocity];
  }
  return result;
}

}  // namespace

StepChart::StepChart(const System& system, const State& before, const Stages& stages,
                     const std::vector<Constant>& weights, const std::vector<Vector>& velocities,
                     Retraction retraction, ChartBase base)
    : system_(system),
      stages_(stages),
      chart_(system.configuration(), before.q,
             total_displacement(system, stages, weights, velocities), retraction, base),
      base_(base) {
  if (!system.traits().has_groups) return;
  total_ = stages.sum(weights, velocities);
  momentum_at_start_ = system.momentum(before.q, before.v, before.t);
}

Vector StepChart::force(const Vector& place, const Vector& u, const Vector& f,
                        const Expr& t) const {
  if (!system_.traits().has_groups) return f;
  const Vector q = point(place), eta = velocity(place, u);
  return chart_.force(place, u, f, system_.momentum(q, eta, t));
}

Vector StepChart::change_by(const Vector& impulse, const Vector& place) const {
  if (!system_.traits().has_groups) return impulse;
  const Vector start = chart_.to_base(zeros(system_.dof()), momentum_at_start_);
  const Vector arrived = chart_.from_base(place, start + impulse);
  return by_kind(system_.configuration(), arrived - momentum_at_start_, impulse);
}

void StepChart::close(const std::vector<Constant>& weights, const std::vector<Vector>& forces,
                      const std::vector<Vector>& chart_forces) {
  if (!system_.traits().has_groups) return;
  const Vector chart_impulse = stages_.sum(weights, chart_forces);
  const Vector end = change_by(stages_.sum(weights, forces), total_) + momentum_at_start_;
  const Vector from_end = chart_.momentum(total_, end) - chart_impulse;
  if (base_ == ChartBase::start) {
    chart_momentum_ = from_end;
    return;
  }
  const Vector from_start = chart_.momentum(zeros(system_.dof()), momentum_at_start_);
  const Vector half = 0.5 * from_start;
  chart_momentum_ = 0.5 * from_end + half;
}

Vector StepChart::momentum_change(const Vector& place, const Vector& u, const Expr& t) const {
  const Vector q = point(place), eta = velocity(place, u);
  const Vector change = stages_.momentum_change(q, eta, t);
  if (!system_.traits().has_groups) return change;
  const Vector momentum = chart_.momentum(place, system_.momentum(q, eta, t));
  return by_kind(system_.configuration(), momentum - chart_momentum_, change);
}

}  // namespace dalembert
