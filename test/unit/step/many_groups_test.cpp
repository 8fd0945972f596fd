// Newton's groups of any number: one of each member of a system of independent pendulums.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

namespace {

constexpr std::size_t pendulum_count = 150;

/// `count` pendulums that know nothing of each other, lengths and starts all different.
System pendulums(std::size_t first, std::size_t count) {
  SystemDescription description{.name = "pendulums", .coordinates = {}};
  for (std::size_t i = 0; i < count; ++i)
    description.coordinates.push_back({"angle" + std::to_string(first + i)});
  return System::define(std::move(description), [&](const Symbols& s) {
    Mechanics mechanics{.kinetic = Expr(0.0), .potential = Expr(0.0)};
    for (std::size_t i = 0; i < count; ++i) {
      mechanics.kinetic = mechanics.kinetic + 0.5 * square(s.v[i]);
      mechanics.potential =
          mechanics.potential - (1.0 + 0.01 * static_cast<double>(first + i)) * cos(s.q[i]);
    }
    return mechanics;
  });
}

std::vector<double> angles_at_start(std::size_t first, std::size_t count) {
  std::vector<double> angles(count);
  for (std::size_t i = 0; i < count; ++i) angles[i] = 0.5 + 0.01 * static_cast<double>(first + i);
  return angles;
}

}  // namespace

TEST_CASE("A step with more groups of unknowns than a word has bits treats each as if alone") {
  const System all = pendulums(0, pendulum_count);
  const auto program = StepProgram::compile(all, Gauss{.stages = 1});
  const auto newton = std::ranges::count(program->blocks(), StepProgram::Block::Kind::newton,
                                         &StepProgram::Block::kind);
  REQUIRE(newton == static_cast<std::ptrdiff_t>(pendulum_count));

  const std::vector<double> at_rest(pendulum_count, 0.0);
  Stepper stepper(program, 0.1);
  Evaluator evaluator(all);
  Point together = start_point(stepper, evaluator, angles_at_start(0, pendulum_count), at_rest);
  for (int step = 0; step < 20; ++step) REQUIRE(stepper.step(together).status == StepStatus::ok);

  for (const std::size_t i :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, pendulum_count - 1}) {
    const System one = pendulums(i, 1);
    Stepper alone(StepProgram::compile(one, Gauss{.stages = 1}), 0.1);
    Evaluator evaluator_of_one(one);
    Point point =
        start_point(alone, evaluator_of_one, angles_at_start(i, 1), std::vector<double>{0.0});
    for (int step = 0; step < 20; ++step) REQUIRE(alone.step(point).status == StepStatus::ok);
    CAPTURE(i);
    CHECK(together.q[i] == point.q[0]);
    CHECK(together.v[i] == point.v[0]);
  }
}
