// What symmetry and round-off demand of runs on Lie groups: motions do not depend on where space
// has its axes, lanes compute what one number computes, groups that commute are vectors.

#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

std::vector<MethodSpec> methods_on_groups() {
  return {
      {"lobatto"},       {"lobatto", {{"stages", 2.0}, {"retraction", std::string("exponential")}}},
      {"lie-lobatto"},   {"dla"},
      {"dla01"},         {"newmark"},
      {"lie-newmark"},   {"gauss"},
      {"runge-kutta-4"}, {"lie-midpoint"}};
}

/// A free body in space, unequal moments of inertia and a centre of mass beside its origin.
GroupSystem free_body() {
  SystemDescription description{.name = "free-body", .coordinates = {{"B", false, "SE(3)"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Vector w = slice(s.v, 0, 3), u = slice(s.v, 3, 3);
    const Expr sideways = u[1] + 0.3 * w[2], upward = u[2] - 0.3 * w[1];
    Mechanics m;
    m.kinetic = (0.5 * square(w[0]) + 0.8 * square(w[1]) + 1.1 * square(w[2]) + square(u[0]) +
                 square(sideways) + square(upward)) /
                2.0;
    return m;
  });
  return {system,
          joined(quaternion(0.2, 0.5, -0.3), {0.4, -0.1, 0.7}),
          {0.6, -0.5, 0.9, 0.3, 0.2, -0.4}};
}

/// A sleigh in the plane: its blade is in the body.
GroupSystem sleigh() {
  SystemDescription description{.name = "sleigh", .coordinates = {{"B", false, "SE(2)"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Vector& v = s.v;
    const Expr sideways = v[2] + 0.4 * v[0];
    Mechanics m;
    m.kinetic = (0.7 * square(v[0]) + square(v[1]) + square(sideways)) / 2.0;
    m.constraints = {v[2]};
    return m;
  });
  return {system, {0.3, 0.5, -0.2}, {1.1, 0.6, 0.0}};
}

/// k g in numbers, for a system on one group.
std::vector<double> product(const System& system, std::vector<double> k,
                            const std::vector<double>& g) {
  const auto graph = std::make_shared<Graph>();
  Vector first, second;
  for (std::size_t i = 0; i < k.size(); ++i) {
    first.push_back(make_symbol(graph, "k" + std::to_string(i)));
    second.push_back(make_symbol(graph, "g" + std::to_string(i)));
  }
  const Group group = system.configuration().factors().front().group;
  CompiledFunction multiply(concatenate({first, second}), group.product(first, second));
  k.insert(k.end(), g.begin(), g.end());
  return multiply(k);
}

BasicPoint<double> after_steps(const System& system, const MethodSpec& spec,
                               const std::vector<double>& q, const std::vector<double>& v) {
  StepMap<double> map(system, make_method(spec), {});
  BasicPoint<double> point = map.start(q, v);
  REQUIRE(map.apply(point, 0.1, 100));
  return point;
}

double length_defect(const std::vector<double>& q) {
  double square = 0.0;
  for (std::size_t i = 0; i < 4; ++i) square += q[i] * q[i];
  return std::fabs(std::sqrt(square) - 1.0);
}

}  // namespace

TEST_CASE("Motions of a body that nothing holds to space do not depend on where it begins") {
  const std::vector<std::pair<GroupSystem, std::vector<double>>> cases{
      {free_body(), joined(quaternion(-0.7, 0.4, 1.1), {2.0, -1.0, 0.5})},
      {sleigh(), {0.8, 1.5, -0.6}}};
  for (const auto& each : cases) {
    const GroupSystem& problem = each.first;
    for (const MethodSpec& spec : methods_on_groups()) {
      const auto here = after_steps(problem.system, spec, problem.q, problem.v);
      const auto there = after_steps(problem.system, spec,
                                     product(problem.system, each.second, problem.q), problem.v);
      INFO(problem.system.name(), ", ", label(spec));
      // Round-off of a hundred steps, amplified by the motion some ten times.
      CHECK(largest_difference(there.v, here.v) < 1e-12);
      CHECK(largest_difference(there.lambda, here.lambda) < 1e-11);
      CHECK(largest_difference(there.q, product(problem.system, each.second, here.q)) < 1e-11);
    }
  }
}

TEST_CASE("Motions do not depend on where the body has its axes") {
  // A heavy top in body axes that are turned by k: inertia k^T I k, centre of mass k^T chi.
  const auto top = [](const std::vector<double>& k) {
    SystemDescription description{.name = "turned-top", .coordinates = {{"R", false, "SO(3)"}}};
    return System::define(std::move(description), [&](const Symbols& s) {
      const Symbols::Element& R = s.element("R");
      const Vector turn = Group::rotations().variables({k[0], k[1], k[2], k[3]});
      Matrix axes(3, 3);
      axes.entries() = turn;
      const Vector w = axes * R.velocity;  // along the axes of before
      const Vector up = axes * R.matrix.row(2);
      Mechanics m;
      m.kinetic = (0.6 * square(w[0]) + 0.9 * square(w[1]) + 1.3 * square(w[2])) / 2.0;
      m.potential = 0.3 * up[0] + 0.8 * up[2];
      return m;
    });
  };
  const std::vector<double> k = quaternion(0.8, -0.5, 1.2), q = quaternion(0.3, 0.2, -0.6);
  const System before = top({1.0, 0.0, 0.0, 0.0}), turned = top(k);
  // R k, and its velocity k^T eta.
  const auto graph = std::make_shared<Graph>();
  Vector symbols;
  for (std::size_t i = 0; i < 7; ++i) symbols.push_back(make_symbol(graph, "a"));
  const Vector turn = slice(symbols, 0, 4), eta = slice(symbols, 4, 3);
  CompiledFunction velocity(symbols, Group::rotations().coadjoint(turn, eta));
  const std::vector<double> v{0.7, -0.4, 1.1};
  for (const MethodSpec& spec : methods_on_groups()) {
    const auto here = after_steps(before, spec, q, v),
               there = after_steps(turned, spec, product(before, q, k), velocity(joined(k, v)));
    INFO(label(spec));
    // Round-off of a hundred steps, amplified by the motion some ten times.
    CHECK(largest_difference(there.q, product(before, here.q, k)) < 1e-11);
    CHECK(largest_difference(there.v, velocity(joined(k, here.v))) < 1e-11);
  }
}

TEST_CASE("The midpoint rule keeps quadratic integrals of the body momentum of a free body") {
  SystemDescription description{.name = "rigid-body", .coordinates = {{"R", false, "SO(3)"}}};
  const System body = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector mu{0.6 * s.v[0], 0.9 * s.v[1], 1.3 * s.v[2]};
    Mechanics m;
    m.kinetic = dot(mu, s.v) / 2.0;
    m.integrals = {{"square", dot(mu, mu)}, {"K1", along(R.matrix, 0, mu)}};
    return m;
  });
  StepMap<double> map(body, make_method({"lie-midpoint"}), {});
  const BasicPoint<double> start =
      map.start(quaternion(0.1, 0.4, -0.2), std::vector{0.7, 0.5, 0.3});
  BasicPoint<double> point = start;
  REQUIRE(map.apply(point, 0.2, 10000));
  // A random walk of 10000 roundings.
  CHECK(std::fabs(map.energy(point) - map.energy(start)) < 1e-13);
  CHECK(std::fabs(map.integrals(point)[0] - map.integrals(start)[0]) < 1e-13);
  CHECK(std::fabs(map.integrals(point)[1] - map.integrals(start)[1]) > 1e-6);
}

TEST_CASE("Lanes compute on groups what one number computes, bit for bit") {
  const GroupSystem problem = rolling_ball();
  for (const MethodSpec& spec : methods_on_groups()) {
    const auto program = StepProgram::compile(problem.system, make_method(spec));
    StepMap<double> map(problem.system, make_method(spec), {});
    const BasicPoint<double> start = map.start(problem.q, problem.v);
    Stepper stepper(program, 0.1);
    Point alone = start;
    REQUIRE(stepper.advance(alone, 0.0, 0, 50).status == StepStatus::ok);
    for (const InstructionSet set : available_instruction_sets()) {
      BatchStepper batch(program, 5, 0.1, {.instruction_set = set});
      for (std::size_t member = 0; member < 5; ++member) batch.set_point(member, start);
      for (const StepReport& report : batch.advance(0.0, 0, 50))
        REQUIRE(report.status == StepStatus::ok);
      INFO(label(spec), ", ", to_string(set));
      for (const std::size_t member : {std::size_t{0}, std::size_t{4}}) {
        CHECK(batch.point(member).q == alone.q);
        CHECK(batch.point(member).v == alone.v);
        CHECK(batch.point(member).lambda == alone.lambda);
      }
    }
  }
}

TEST_CASE("Motions that commute are those of vectors") {
  // Along a line the momentum is parallel to the displacement of every stage: nothing turns.
  const auto potential = [](const Expr& x) {
    return square(x) / 2.0 + square(x) * square(x) / 3.0;
  };
  const System in_plane = System::define(
      {.name = "particle-se2", .coordinates = {{"B", false, "SE(2)"}}}, [&](const Symbols& s) {
        Mechanics m;
        m.kinetic = dot(s.v, s.v) / 2.0;
        m.potential = potential(s.variables[1]);
        return m;
      });
  const System on_line =
      System::define({.name = "particle", .coordinates = {{"x"}}}, [&](const Symbols& s) {
        Mechanics m;
        m.kinetic = square(s.v[0]) / 2.0;
        m.potential = potential(s.q[0]);
        return m;
      });
  const double angle = 0.7;
  for (const MethodSpec& spec : methods_on_groups()) {
    const auto one = after_steps(in_plane, spec, {angle, 0.4, -0.3},
                                 {0.0, 0.5 * std::cos(angle), -0.5 * std::sin(angle)});
    const auto other = after_steps(on_line, spec, {0.4}, {0.5});
    INFO(label(spec));
    // Round-off of a hundred steps.
    CHECK(largest_difference<double>(one.q, {angle, other.q[0], -0.3}) < 1e-13);
    const double v = other.v[0];
    CHECK(largest_difference<double>(one.v, {0.0, v * std::cos(angle), -v * std::sin(angle)}) <
          1e-13);
  }
}

TEST_CASE("Quaternions keep their length over a million steps") {
  const GroupSystem top = heavy_top();
  StepMap<double> map(top.system, make_method({"lie-newmark"}), {});
  BasicPoint<double> point = map.start(top.q, top.v);
  REQUIRE(map.apply(point, 0.05, 1000000));
  CHECK(length_defect(point.q) < 1e-15);  // round-off of one normalisation
}
