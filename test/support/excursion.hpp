#pragma once
// What no measurement may call right: steps and systems with one value that is nan, at one moment.

#include <utility>
#include <vector>

#include "dalembert/expression/pieces.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/method.hpp"

namespace test_support {

/// 1 within `width` of `moment`, 0 beyond twice that.
inline dalembert::Expr near_moment(const dalembert::Expr& t, double moment, double width) {
  using namespace dalembert;
  const Expr later = t - moment;
  const Expr distance = max(later, -later) / width;
  return min(Expr(1.0), max(Expr(0.0), 2.0 - distance));
}

/// The steps of an honest method, but that the state at `moment` is shown ten units of q[0] away:
/// its steps and its state at all other times are right.
inline dalembert::Method with_excursion(const dalembert::Method& honest, double moment) {
  using namespace dalembert;
  MethodDefinition definition = honest.definition();
  definition.name = "excursion";
  definition.equations = [honest, moment](const System& system, const State& before, Unknowns& u,
                                          const Expr& h) {
    constexpr double distance = 10.0, width = 1e-3;  // of time: far less than a step
    State there = before;
    there.q[0] = before.q[0] + distance * near_moment(before.t, moment, width);
    Equations equations = honest.equations(system, there, u, h);
    const Expr later = before.t + h;
    equations.after.q[0] = equations.after.q[0] - distance * near_moment(later, moment, width);
    return equations;
  };
  return Method(definition);
}

/// Four particles on a line, energy and first constraint and its multiplier of which have no value
/// where x < -2; the second constraint does not know of it.
inline dalembert::System system_with_an_edge() {
  using namespace dalembert;
  return System::define({"edge", {{"x"}, {"y"}, {"z"}, {"w"}}}, [](const Symbols& s) {
    Mechanics m;
    const Expr root = sqrt(2.0 + s.q[0]);
    for (const Expr& v : s.v) m.kinetic += square(v) / 2.0;
    m.potential = root + (square(s.q[1]) + square(s.q[2]) + square(s.q[3])) / 2.0;
    m.constraints = {s.v[1] - root * s.v[0], s.v[3] - s.q[2] * s.v[2]};
    m.integrals = {{"root", root}};
    return m;
  });
}

/// Four particles, the first multiplier of which has no value at `moment`. Methods whose steps ask
/// for forces between their nodes alone do not notice.
inline dalembert::System system_with_a_hole(double moment) {
  using namespace dalembert;
  return System::define({"hole", {{"x"}, {"y"}, {"z"}, {"w"}}}, [moment](const Symbols& s) {
    Mechanics m;
    const Expr hole = log(1.0 - 2.0 * near_moment(s.t, moment, 1e-4));
    for (std::size_t i = 0; i < 4; ++i) {
      m.kinetic += square(s.v[i]) / 2.0;
      m.potential += square(s.q[i]) / 2.0;
    }
    m.constraints = {s.v[1] - (s.q[2] + hole) * s.v[0], s.v[3] - s.q[0] * s.v[2]};
    return m;
  });
}

inline const std::vector<double> start_position{0.3, -0.4, 0.7, 0.2};
inline const std::vector<double> start_velocity{0.5, 0.35, -0.6, -0.18};

}  // namespace test_support
