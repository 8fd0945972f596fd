// Discrete gradients on D* where configurations are elements of groups, by a finite-difference map.
// Also under the sanitizers of tool/check proof, but for what is slow.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/convergence.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;

/// problems/suslov-so3.toml with its start `generic`.
GroupSystem suslov_in_a_field() {
  SystemDescription description{.name = "suslov-in-a-field",
                                .coordinates = {{"R", false, "SO(3)"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector& w = R.velocity;
    Mechanics m;
    m.kinetic =
        (square(w[0]) + 2.0 * square(w[1]) + 1.5 * square(w[2])) / 2.0 +
        (Expr(Constant{2.0} / Constant{5.0}) * w[0] + Expr(Constant{3.0} / Constant{5.0}) * w[1]) *
            w[2];
    m.potential = 0.5 * R.matrix(2, 2);
    m.constraints = {w[2]};
    m.reversal = std::vector<double>{1.0};
    return m;
  });
  return {system, quaternion(0.5, -0.3, 0.2), {1.0, 0.25, 0.0}};
}

/// A body with a wheel inside whose kinetic energy changes with place and attitude, which is
/// dragged along a fibre: all kinds of groups at once, a mass matrix that depends on all of them, a
/// constraint that turns.
GroupSystem uneven_body() {
  SystemDescription description{
      .name = "uneven-body",
      .coordinates = {{"B", false, "SE(3)"}, {"P", false, "H(3)"}, {"roll", true}, {"x"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element &B = s.element("B"), &P = s.element("P");
    const Vector &w = B.velocity, &u = P.velocity;
    const Expr &roll = s.element("roll").velocity[0], &x_dot = s.element("x").velocity[0];
    const Expr &angle = s.element("roll").variables[0], &x = s.element("x").variables[0];
    const Expr height = B.variables[11];
    Mechanics m;
    m.kinetic = ((1.5 + B.matrix(2, 0) / 3.0) * square(w[0]) + 1.1 * square(w[1]) +
                 (0.9 + cos(x) / 5.0) * square(w[2]) + 1.2 * square(w[3]) +
                 (1.4 + sin(angle) / 4.0) * square(w[4]) + square(w[5]) + square(u[0]) +
                 (1.3 + sin(P.variables[2]) / 7.0) * square(u[1]) + 0.8 * square(u[2]) +
                 0.6 * square(roll) + 0.7 * square(x_dot)) /
                    2.0 +
                0.2 * w[0] * w[4] + 0.1 * u[0] * x_dot;
    m.potential = (square(height) + square(B.variables[9]) + square(B.variables[10]) +
                   square(P.variables[0]) + square(P.variables[2])) /
                      2.0 +
                  0.3 * B.matrix(2, 1) * x + cos(angle) / 3.0 +
                  square(P.variables[0] * P.variables[1]) / 4.0 + square(x) / 2.0;
    m.constraints = {w[3] - 0.4 * roll - 0.2 * B.matrix(2, 2) * u[1],
                     u[2] - 0.3 * x * w[1] + 0.1 * x_dot};
    m.reversal = std::vector<double>{1.0, 1.0, 1.0, 1.0};
    return m;
  });
  return {system,
          joined(quaternion(0.4, 0.6, -0.2), {0.3, -0.2, 0.1, 0.5, -0.4, 0.2, 0.7, 0.3}),
          {0.3, -0.4, 0.5, 0.2, 0.1, -0.3, 0.4, 0.2, 0.1, 0.6, -0.5}};
}

ReducedGradient reduced(GradientKind gradient, Retraction map) {
  return {.gradient = gradient, .map = map};
}

/// The rotation, row after row, and the momenta I11 omega_1 and I22 omega_2 of the constrained
/// motion.
template <class Number>
std::vector<Number> rotation_and_momenta(const BasicPoint<Number>& at) {
  const Number w = at.q[0], x = at.q[1], y = at.q[2], z = at.q[3], two(2.0);
  return {w * w + x * x - y * y - z * z,
          two * (x * y - w * z),
          two * (x * z + w * y),
          two * (x * y + w * z),
          w * w - x * x + y * y - z * z,
          two * (y * z - w * x),
          two * (x * z - w * y),
          two * (y * z + w * x),
          w * w - x * x - y * y + z * z,
          at.v[0],
          two * at.v[1]};
}

struct ReferenceRow {
  GradientKind gradient;
  Retraction map;
  double error;                 ///< at t = 1 with h = 1/128
  std::array<double, 4> after;  ///< ten steps of 0.1: R_11, R_33, rho_1, rho_2
};

/// From an independent program with 40 digits.
const std::vector<ReferenceRow> suslov_reference{
    {GradientKind::mean_value,
     Retraction::exponential,
     1.776e-6,
     {0.8930273352595, 0.0844990209516, 1.1338597834256, 1.0864424290180}},
    {GradientKind::gonzalez,
     Retraction::exponential,
     1.776e-6,
     {0.8930273352595, 0.0844990209516, 1.1338597834256, 1.0864424290180}},
    {GradientKind::mean_value,
     Retraction::cayley,
     2.681e-6,
     {0.8930762916880, 0.0848162078382, 1.1337379359791, 1.0864047955438}},
    {GradientKind::gonzalez,
     Retraction::cayley,
     2.602e-6,
     {0.8930801622915, 0.0848030094598, 1.1337711763739, 1.0863475644292}}};

}  // namespace

TEST_CASE("Steps on SO(3) are those of an independent program, and of order 2") {
  const GroupSystem problem = suslov_in_a_field();
  for (const ReferenceRow& row : suslov_reference) {
    StepMap<double> map(problem.system, reduced(row.gradient, row.map), {});
    const BasicPoint<double> start = map.start(problem.q, problem.v);
    INFO(label(map.program().method().spec()));
    const auto arrive = [&](double h, std::uint64_t steps) {
      BasicPoint<double> point = start;
      REQUIRE(map.apply(point, h, steps));
      return rotation_and_momenta(point);
    };
    const std::vector<double> after = arrive(0.1, 10);
    const std::array<double, 4> found{after[0], after[8], after[9], after[10]};
    // The last printed digit.
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::fabs(found[i] - row.after[i]) < 1e-13);

    BasicPoint<double> exact = start;
    ExactFlow<double> flow(problem.system);
    REQUIRE(flow.advance(exact.t, std::span(exact.q), std::span(exact.v), 1.0));
    const std::vector<double> wanted = rotation_and_momenta(exact);
    const double coarse = largest_difference(arrive(1.0 / 128.0, 128), wanted),
                 fine = largest_difference(arrive(1.0 / 256.0, 256), wanted);
    CHECK(std::fabs(coarse - row.error) < 1e-9);  // as many digits as it has
    // The next term of the error is h^2 times as small.
    CHECK(std::fabs(std::log2(coarse / fine) - 2.0) < 1e-3);
  }
}

TEST_CASE("Energy, constraint and symmetries hold to round-off in wide numbers") {
  // Round-off of 113 bits is 2e-34; the bound is that of a thousand steps.
  constexpr double exact = 1e-28;
  const GroupSystem problem = suslov_in_a_field();
  const System::Reversal signs = *problem.system.reversal();
  for (const ReferenceRow& row : suslov_reference) {
    StepMap<Wide> map(problem.system, reduced(row.gradient, row.map), {});
    INFO(label(map.program().method().spec()));
    const Wide h = Wide(1.0) / Wide(10.0);
    BasicPoint<Wide> point = map.start(problem.q, problem.v);
    // Two steps bring the quaternion, a double at the start, to length one.
    REQUIRE(map.apply(point, h, 2));
    const BasicPoint<Wide> start = point;
    CHECK(symmetry_defect(map, start, h) < exact);
    CHECK(reversibility_defect(map, start, h, signs) < exact);
    REQUIRE(map.apply(point, h, 1000));
    CHECK(static_cast<double>(abs(map.energy(point) - map.energy(start))) < exact);
    CHECK(point.v[2] == Wide(0.0));  // the constraint, by the frame alone
    Wide square(0.0);
    for (const Wide& entry : point.q) square += entry * entry;
    CHECK(static_cast<double>(abs(square - Wide(1.0))) < exact);
  }
}

TEST_CASE("For the exponential on SO(3) the mean value is Gonzalez' gradient, for Cayley's not") {
  // The motion turns about axes across the one along which the potential is measured, and the two
  // differ along the axis of the step alone, where the energy decides.
  const GroupSystem problem = suslov_in_a_field();
  const auto apart = [&](Retraction kind) {
    const Wide h = Wide(1.0) / Wide(10.0);
    std::vector<BasicPoint<Wide>> ends;
    for (const GradientKind gradient : {GradientKind::mean_value, GradientKind::gonzalez}) {
      StepMap<Wide> map(problem.system, reduced(gradient, kind), {});
      ends.push_back(map.start(problem.q, problem.v));
      REQUIRE(map.apply(ends.back(), h, 10));
    }
    return numeric::larger(largest_difference(ends[0].q, ends[1].q),
                           largest_difference(ends[0].v, ends[1].v));
  };
  CHECK(apart(Retraction::exponential) < 1e-31);  // round-off of ten steps
  CHECK(apart(Retraction::cayley) > 1e-5);
}

TEST_CASE("On products of all groups, with a mass that changes, nothing of this is lost" *
          doctest::test_suite("slow")) {
  const GroupSystem problem = uneven_body();
  for (const GradientKind gradient : {GradientKind::gonzalez, GradientKind::mean_value}) {
    for (const Retraction kind : {Retraction::exponential, Retraction::cayley}) {
      for (const FrameKind frame : {FrameKind::adapted, FrameKind::qr}) {
        StepMap<double> map(problem.system,
                            ReducedGradient{.gradient = gradient, .frame = frame, .map = kind}, {});
        INFO(label(map.program().method().spec()));
        BasicPoint<double> point = map.start(problem.q, problem.v);
        REQUIRE(map.apply(point, 0.1));
        const BasicPoint<double> start = point;
        CHECK(std::fabs(HalvedStep(map, start, 0.5, 20).order() - 2.0) < 0.05);
        // Round-off of some thousand operations; entries and energies are of size one.
        CHECK(symmetry_defect(map, start, 0.1) < 1e-12);
        CHECK(reversibility_defect(map, start, 0.1, *problem.system.reversal()) < 1e-12);
        CHECK(constraint_defect(map, start, 0.1, 50) < 1e-13);
        REQUIRE(map.apply(point, 0.1, 300));
        CHECK(std::fabs(map.energy(point) - map.energy(start)) < 1e-13);
      }
    }
  }
}

TEST_CASE("A start at rest divides by nothing, whether the body falls or stays") {
  for (const GroupSystem& problem : {uneven_body(), heavy_top(), suslov_in_a_field()}) {
    for (const GradientKind gradient : {GradientKind::gonzalez, GradientKind::mean_value}) {
      StepMap<double> map(problem.system,
                          ReducedGradient{.gradient = gradient, .frame = FrameKind::adapted}, {});
      INFO(label(map.program().method().spec()), " on ", problem.system.name());
      const std::vector<double> rest(problem.v.size(), 0.0);
      const BasicPoint<double> start = map.start(problem.q, rest);
      BasicPoint<double> point = start;
      REQUIRE(map.apply(point, 0.1, 100));
      CHECK(largest_difference(point.v, start.v) > 0.01);  // it falls
      CHECK(std::fabs(map.energy(point) - map.energy(start)) < 1e-13);
    }
  }
  // Suslov's body with the field along its third axis has nowhere to go.
  const System system = suslov_in_a_field().system;
  StepMap<double> map(system, ReducedGradient{}, {});
  BasicPoint<double> point = map.start(std::vector{1.0, 0.0, 0.0, 0.0}, std::vector{0.0, 0.0, 0.0});
  REQUIRE(map.apply(point, 0.1, 10));
  CHECK(point.q == std::vector{1.0, 0.0, 0.0, 0.0});
}

TEST_CASE("Changes of the velocity, for compensated sums, are those of the step") {
  const GroupSystem problem = uneven_body();
  const ReducedGradient method{.frame = FrameKind::adapted};
  Stepper plain(StepProgram::compile(problem.system, method, {.compensated = false}), 0.1),
      summed(StepProgram::compile(problem.system, method, {.compensated = true}), 0.1);
  StepMap<double> map(problem.system, method, {});
  Point one = map.start(problem.q, problem.v), other = one;
  REQUIRE(plain.advance(one, 0.0, 0, 50).steps == 50);
  REQUIRE(summed.advance(other, 0.0, 0, 50).steps == 50);
  // Round-off of fifty steps with numbers of size one.
  CHECK(largest_difference(one.q, other.q) < 1e-13);
  CHECK(largest_difference(one.v, other.v) < 1e-13);
}

TEST_CASE("What needs coordinates is refused on groups, and is left to the method chart") {
  const System system = suslov_in_a_field().system;
  const auto reason_of = [&](const ReducedGradient& method) {
    return Method(method).misfit(system).value_or("");
  };
  CHECK(reason_of({}).empty());
  CHECK(reason_of({.gradient = GradientKind::coordinate_increment})
            .find("increments of one coordinate after the other need them") != std::string::npos);
  CHECK(reason_of({.gradient = GradientKind::symmetric_increment})
            .find("gradient = \"gonzalez\" or \"mean-value\" does not") != std::string::npos);
  CHECK(reason_of({.derivative = ReducedGradient::Derivative::finite_difference})
            .find("finite differences of the frame need them") != std::string::npos);
  const Method in_chart =
      InChart{.base = ReducedGradient{.gradient = GradientKind::symmetric_increment}};
  CHECK_FALSE(in_chart.misfit(system));
}
