// Writes a splitting as a list of pieces, prints it, and raises its order by composing its flows.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "dalembert/dalembert.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/text/describe.hpp"

namespace {

using namespace dalembert;

/// Free motion and motion under the force alone, in turn. Both are known exactly.
struct DriftKick {
  static MethodPage<DriftKick> page() {
    return {
        .name = "drift-kick",
        .facts = Facts{.order = 2,
                       .symmetric = true,
                       .reversible = true,
                       .maps_constraint_set = true,
                       .keeps_fibration = true,
                       .symplectic = LagrangianKind::constant_mass},
        .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                     .constraints = ConstraintKind::none,
                                     .reason = "its pieces know nothing of constraints"},
        .equations = &DriftKick::equations,
        .pieces = &DriftKick::pieces,
    };
  }
  static Equations drift(const System&, const State& a, Unknowns&, const Expr& time) {
    State after = a;
    after.q = a.q + time * a.v;
    return {.zero = {}, .constraint = {}, .after = after};
  }
  static Equations kick(const System& s, const State& a, Unknowns&, const Expr& time) {
    State after = a;
    after.v = a.v - time * solve_linear(s.mass(a.q), s.potential_gradient(a.q));
    return {.zero = {}, .constraint = {}, .after = after};
  }
  std::vector<SplittingPiece> pieces(const System&, const State&) const {
    return symmetric_sequence({{.name = "drift", .map = drift, .moves_time = true, .is_flow = true},
                               {.name = "kick", .map = kick, .is_flow = true}});
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    return apply_pieces(pieces(s, a), s, a, u, h);
  }
};

/// A star in the plane of a galaxy: Henon and Heiles's potential.
System make_system() {
  return System::define({.name = "star", .coordinates = {{"x"}, {"y"}}}, [](const Symbols& s) {
    const Expr &x = s.q[0], &y = s.q[1];
    return Mechanics{.kinetic = dot(s.v, s.v) / 2.0,
                     .potential = dot(s.q, s.q) / 2.0 + square(x) * y - y * square(y) / 3.0};
  });
}

/// Positions at t = 2.
std::vector<double> position_at_2(const Method& method, std::uint64_t steps) {
  const double h = 2.0 / static_cast<double>(steps);
  const Solution solution = simulate(make_system(), method, {{0.0, 0.1}, {0.4, 0.1}},
                                     {.step = h, .steps = steps, .record_every = steps});
  const std::span<const double> last = solution.q(solution.size() - 1);
  return {last.begin(), last.end()};
}

double measured_order(const Method& method, const std::vector<double>& exact) {
  double errors[2] = {};
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> q = position_at_2(method, 10U << i);
    for (std::size_t k = 0; k < 2; ++k) errors[i] = std::max(errors[i], std::abs(q[k] - exact[k]));
  }
  return std::log2(errors[0] / errors[1]);
}

}  // namespace

int main() {
  for (const std::string& line : describe_equations(DriftKick{})) std::printf("%s\n", line.c_str());
  const std::vector<double> exact = position_at_2(Gauss{.stages = 6}, 100);
  const double order = measured_order(DriftKick{}, exact);
  const double fourth =
      measured_order(Compose{.base = DriftKick{}, .scheme = Scheme::blanes_moan_4}, exact);
  const double sixth =
      measured_order(Compose{.base = DriftKick{}, .scheme = Scheme::blanes_moan_6}, exact);
  std::printf("measured orders: %.2f, %.2f and %.2f\n", order, fourth, sixth);
  const bool raised = std::abs(fourth - 4.0) < 0.2 && std::abs(sixth - 6.0) < 0.3;
  return std::abs(order - 2.0) < 0.1 && raised ? 0 : 1;
}
