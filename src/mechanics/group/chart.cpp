#include "dalembert/mechanics/group/chart.hpp"

#include <algorithm>
#include <utility>

#include "mechanics/group/by_factor.hpp"

namespace dalembert {
namespace {

bool is_zero_displacement(const Vector& x) {
  return std::all_of(x.begin(), x.end(), [](const Expr& entry) { return entry.is_constant(0.0); });
}

Vector half_of(const Vector& x) { return 0.5 * x; }

}  // namespace

Chart::Chart(Configuration configuration, Vector start, Vector total, Retraction retraction,
             ChartBase base)
    : configuration_(std::move(configuration)),
      start_(std::move(start)),
      total_(std::move(total)),
      retraction_(retraction),
      place_(base) {
  require_size("the start of the chart", start_.size(), configuration_.storage_count());
  require_size("the total displacement", total_.size(), configuration_.dof());
  if (configuration_.is_flat()) return;
  std::vector<Vector> a = in_one_graph({start_, total_});
  start_ = std::move(a[0]);
  total_ = std::move(a[1]);
  base_ = by_factor(configuration_, [&](const Configuration::Factor& factor) {
    Vector origin = stored_part(factor, start_);
    if (place_ == ChartBase::start || factor.group.is_flat()) return origin;
    const Vector half = half_of(velocity_part(factor, total_));
    return factor.group.product(origin, factor.group.retract(retraction_, half));
  });
}

Vector Chart::from_middle(const Configuration::Factor& factor, const Vector& x) const {
  if (place_ == ChartBase::start) return x;
  return x - half_of(velocity_part(factor, total_));
}

Vector Chart::point(const Vector& x) const {
  require_size("the displacement in the chart", x.size(), configuration_.dof());
  if (configuration_.is_flat()) return start_ + x;
  const std::vector<Vector> a = in_one_graph({start_, total_, base_, x});
  return by_factor(configuration_, [&](const Configuration::Factor& factor) {
    const Vector part = velocity_part(factor, a[3]);
    const Vector origin = stored_part(factor, a[0]);
    if (is_zero_displacement(part)) return origin;
    if (factor.group.is_flat()) return origin + part;
    const Vector step = factor.group.retract(retraction_, from_middle(factor, part));
    return factor.group.product(stored_part(factor, a[2]), step);
  });
}

namespace {

/// What the factors that are not flat make of a velocity or momentum u at x; flat ones leave it.
template <class Operate>
Vector carried(const Configuration& configuration, const Vector& total, const Vector& x,
               const char* what, const Vector& u, Operate operate) {
  require_size("the displacement in the chart", x.size(), configuration.dof());
  require_size(what, u.size(), configuration.dof());
  if (configuration.is_flat()) return u;
  const std::vector<Vector> a = in_one_graph({total, x, u});
  return by_factor(configuration, [&](const Configuration::Factor& factor) {
    const Vector part = velocity_part(factor, a[2]);
    return factor.group.is_flat() ? part : operate(factor, velocity_part(factor, a[1]), part);
  });
}

}  // namespace

Vector Chart::velocity(const Vector& x, const Vector& u) const {
  return carried(configuration_, total_, x, "the velocity in the chart", u,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   return factor.group.tangent(retraction_, from_middle(factor, at), part);
                 });
}

Vector Chart::rate(const Vector& x, const Vector& eta) const {
  return carried(configuration_, total_, x, "the velocity", eta,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   return factor.group.tangent_inverse(retraction_, from_middle(factor, at), part);
                 });
}

Vector Chart::momentum(const Vector& x, const Vector& m) const {
  return carried(configuration_, total_, x, "the momentum", m,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   return factor.group.tangent_transpose(retraction_, from_middle(factor, at),
                                                         part);
                 });
}

Vector Chart::force(const Vector& x, const Vector& u, const Vector& f, const Vector& m) const {
  require_size("the velocity in the chart", u.size(), configuration_.dof());
  require_size("the momentum", m.size(), configuration_.dof());
  return carried(configuration_, total_, x, "the force", f,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   const Vector z = from_middle(factor, at);
                   const Vector change = factor.group.tangent_gradient(
                       retraction_, z, velocity_part(factor, u), velocity_part(factor, m));
                   const Vector direct = factor.group.tangent_transpose(retraction_, z, part);
                   return direct + change;
                 });
}

Vector Chart::to_base(const Vector& x, const Vector& f) const {
  return carried(configuration_, total_, x, "the momentum", f,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   return factor.group.coadjoint_against(retraction_, from_middle(factor, at),
                                                         part);
                 });
}

Vector Chart::from_base(const Vector& x, const Vector& m) const {
  return carried(configuration_, total_, x, "the momentum", m,
                 [&](const Configuration::Factor& factor, const Vector& at, const Vector& part) {
                   return factor.group.coadjoint_along(retraction_, from_middle(factor, at), part);
                 });
}

}  // namespace dalembert
