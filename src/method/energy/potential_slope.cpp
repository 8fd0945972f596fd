#include "potential_slope.hpp"

#include "dalembert/mechanics/difference/exact_change.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// The least positive number keeps 0/0 away where nothing moves; elsewhere it changes nothing.
constexpr double least_length = 1e-300;

/// The mean over middle tau(s x), |s| <= 1/2, of the slopes along the rays.
Vector mean_on_groups(const System& s, const Segment& along, const Expr& t) {
  const Configuration& space = s.configuration();
  const Expr part = make_symbol(along.displacement.front().graph(), "s");
  const Vector path = part * along.displacement;
  const Vector slope = s.potential_gradient(space.move(along.map, along.middle, path), t);
  const Vector rate = space.ray_tangent_transpose(along.map, path, slope);
  return segment_mean(rate, {part}, {Expr(-0.5)}, {Expr(0.5)});
}

/// The slope in the middle, corrected along the displacement.
Vector gonzalez_on_groups(const System& s, const Segment& along, const Expr& t) {
  const Vector& x = along.displacement;
  const Vector z = new_symbols(x.front().graph(), "z", x.size());
  const Vector potential{s.potential(s.configuration().move(along.map, along.middle, z), t)};
  const Vector gained = exact_change(potential, z, -(0.5 * x), x);
  const Vector slope = s.potential_gradient(along.middle, t);
  const Expr missing = gained[0] - dot(slope, x), length = dot(x, x);
  return slope + (missing / (length + least_length)) * x;
}

}  // namespace

Segment segment(const System& system, Retraction map, const Vector& from,
                const Vector& displacement) {
  const Configuration& space = system.configuration();
  const Vector half = 0.5 * displacement;
  const Vector middle = space.move(map, from, half);
  if (!system.traits().has_groups) return {map, from, middle, from + displacement, displacement};
  return {map, from, middle, space.move(map, middle, half), displacement};
}

Vector potential_slope(const System& s, GradientKind kind, const Segment& along, const Expr& t) {
  if (s.traits().has_groups) {
    return kind == GradientKind::gonzalez ? gonzalez_on_groups(s, along, t)
                                          : mean_on_groups(s, along, t);
  }
  const Vector base = s.symbols(t).q;
  return discrete_gradient(kind, s.potential(base, t), base, along.from, along.to);
}

}  // namespace dalembert
