// dla01 and the explicit Newmark method are conjugate, exactly; dla is not conjugate to them, and
// has the averages of their energies all the same. Theorems 4 and 5 of doc/open-problems.md.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/audit/modified_field.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/method/library.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using ThisPoint = BasicPoint<Extended>;

MethodSpec dla_of(double alpha) { return {"dla", {{"alpha", alpha}}}; }

/// The state after a step with the first method and one with the second, each of its own size.
struct Part {
  MethodSpec method;
  double step;
};
std::vector<Extended> after(const Witness& witness, const std::vector<Part>& parts) {
  StepMap<Extended> first(witness.system, make_method(parts.front().method), {});
  const ThisPoint start = first.start(witness.q, witness.v);
  std::vector<Extended> state = coordinates_of(start, false);
  for (const Part& part : parts) {
    StepMap<Extended> map(witness.system, make_method(part.method), {});
    ThisPoint point = point_at(state, map.start(witness.q, witness.v));
    map.start_carried(point);
    REQUIRE(map.apply(point, Extended(part.step)));
    state = coordinates_of(point, false);
  }
  return state;
}

/// A third degree of freedom makes the constraint depend on what its reaction moves.
std::vector<Witness> linear_systems() {
  const SmallSystem cvt = pendulum_cvt();
  return {witness_constant_mass(), {cvt.system, {1.0, 0.7, 0.3}, {-0.2, 0.4, 1.5}}};
}

}  // namespace

TEST_CASE("Newmark's step and dla01 are the same two halves in turn, hence conjugate") {
  constexpr double h = 0.125;
  for (const Witness& witness : linear_systems()) {
    CAPTURE(witness.system.name());
    const Part d0{dla_of(0.0), h / 2}, d1{dla_of(1.0), h / 2}, newmark{{"newmark"}, h},
        dla01{{"dla01"}, h};
    const auto distance = [&](const std::vector<Part>& one, const std::vector<Part>& other) {
      return largest_difference(after(witness, one), after(witness, other));
    };
    const double round_off = AuditThresholds<Extended>::exact_below;
    CHECK(distance({newmark}, {d1, d0}) < round_off);
    CHECK(distance({dla01}, {d0, d1}) < round_off);
    CHECK(distance({d0, newmark}, {dla01, d0}) < round_off);
    // From the same start they differ, by their errors of order three.
    CHECK(distance({newmark}, {dla01}) > 1e-6);
  }
}

TEST_CASE("dla is not conjugate to dla01: its free oscillator has another frequency") {
  const System oscillator = System::define({"oscillator", {{"x"}}}, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = square(s.v[0]) / 2.0;
    m.potential = square(s.q[0]) / 2.0;
    return m;
  });
  const auto frequency_error = [&](const MethodSpec& method, double h) {
    StepMap<Extended> map(oscillator, make_method(method), {});
    const std::vector<double> zero{0.0};
    const ThisPoint start = map.start(zero, zero);
    const NumberMatrix<Extended> step = step_jacobian(map, start, Extended(h));
    const double half_trace = static_cast<double>((step[0][0] + step[1][1]) / Extended(2.0));
    return (std::acos(half_trace) / h - 1.0) / (h * h);
  };
  constexpr double h = 0x1p-6;  // the next terms are h^2 = 2e-4 of them, round-off 1e-16/h^4 = 1e-9
  CHECK(frequency_error({"dla"}, h) == doctest::Approx(-1.0 / 12.0).epsilon(1e-3));
  CHECK(frequency_error({"dla01"}, h) == doctest::Approx(1.0 / 24.0).epsilon(1e-3));
  CHECK(frequency_error({"newmark"}, h) == doctest::Approx(1.0 / 24.0).epsilon(1e-3));
}

TEST_CASE("The modified fields of dla and dla01 differ by a total derivative in the energy") {
  for (const Witness& witness : linear_systems()) {
    const System& system = witness.system;
    CAPTURE(system.name());
    // dE and the rate of V''(v, v)/8 along the motion, at one state.
    const Symbols s = system.symbols();
    const Vector state = concatenate({s.q, s.v});
    const Vector slope = concatenate({s.v, system.eliminated(s.q, s.v).acceleration});
    const Matrix second = jacobian(system.potential_gradient(s.q), s.q);
    const Expr bending = dot(s.v, second * s.v);
    const Expr rate = dot(gradient(bending, state), slope) / 8.0;
    StateFunction<Extended> functions(
        system, s, concatenate({gradient(system.energy(s.q, s.v), state), {rate}}));
    StepLogarithm<Extended> dla(system, make_method({"dla"})),
        dla01(system, make_method({"dla01"}));
    const ThisPoint point = dla.start(witness.q, witness.v);
    const auto one = dla(point, Extended(0x1p-8), {.terms = 1}),
               other = dla01(dla01.start(witness.q, witness.v), Extended(0x1p-8), {.terms = 1});
    REQUIRE(one.powers.front() == 2);
    const auto values = functions(Extended(0.0), point.q, point.v);
    Extended change(0.0);
    double size = 0.0;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const Extended difference = one.coefficients[0][i] - other.coefficients[0][i];
      change = change + values[i] * difference;
      size = numeric::larger(size, std::fabs(static_cast<double>(difference)));
    }
    // Of the two coefficients; the fields themselves differ.
    const double error = 10.0 * (one.coefficient_errors[0] + other.coefficient_errors[0]);
    CHECK(error < 1e-9);
    CHECK(std::fabs(static_cast<double>(change + values[state.size()])) < error);
    CHECK(size > 1e-3);
    CHECK(std::fabs(static_cast<double>(change)) > 1e-3);
  }
}
