#include "dalembert/mechanics/reduction/chaplygin_reduction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/expression/pieces.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Nothing is zero that need not be: two constraints whose coefficients depend on three
/// coordinates, a mass that changes and couples all velocities, a potential, a force.
TextSystem two_symmetries(bool is_forced) {
  TextSystem text{.name = "two-symmetries",
                  .coordinates = {"s1", "a", "b", "s2", "c"},
                  .kinetic =
                      "(2 + b^2)*s1_dot^2/2 + a_dot^2 + b_dot^2/2 + (3 + a)*s2_dot^2/2 + "
                      "c_dot^2 + s1_dot*a_dot/3 + a*s2_dot*c_dot/5 + s1_dot*s2_dot/7",
                  .potential = "a^2*b + c^4/4 + b*c",
                  .constraints = {"s1_dot + b*s2_dot/4 - sin(c)*a_dot - a*b_dot",
                                  "s2_dot - b*c*a_dot + a*c_dot"}};
  if (is_forced) text.force = {"-s1_dot/3", "-a_dot*b", "0", "c/7", "-c_dot/5"};
  return text;
}

/// The particle with springs; N reduces it.
TextSystem particle() {
  return {.name = "particle",
          .coordinates = {"x1", "x2", "xi"},
          .kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2",
          .potential = "(k*x1^2 + x2^2 + xi^2)/2",
          .constraints = {"x1_dot + xi*x2_dot"},
          .parameters = {{"k", 0.0}}};
}

Expr multiplier_of_particle(const Symbols& s) { return 1.0 / sqrt(1.0 + square(s.q[2])); }

std::vector<double> accelerations(const System& system, const std::vector<double>& q,
                                  const std::vector<double>& v) {
  const Symbols s = system.symbols();
  StateFunction<double> found(system, s, system.eliminated(s.q, s.v, s.t).acceleration);
  const auto values = found(0.0, q, v);
  return {values.begin(), values.end()};
}

std::string refusal(const TextSystem& text, const ReductionRequest& request) {
  try {
    chaplygin_reduction(define(text), request);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the reduced equations have the accelerations of the whole system") {
  for (const bool is_forced : {false, true}) {
    const System whole = define(two_symmetries(is_forced));
    const ChaplyginReduction reduction = chaplygin_reduction(whole, {.symmetry = {"s1", "s2"}});
    CHECK(reduction.left == std::vector<std::size_t>{1, 2, 4});
    CHECK(reduction.system.constraint_count() == 0);
    for (const double shift : {0.0, 0.7}) {
      const double a = 0.3 + shift, b = -0.4, c = 0.9 - shift, da = 0.8, db = -0.6, dc = 0.5;
      const double ds2 = b * c * da - a * dc, ds1 = -b * ds2 / 4 + std::sin(c) * da + a * db;
      const std::vector<double> q{0.2, a, b, -1.0, c}, v{ds1, da, db, ds2, dc};
      const std::vector<double> expected = accelerations(whole, q, v),
                                found = accelerations(reduction.system, {a, b, c}, {da, db, dc});
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(found[i] == doctest::Approx(expected[reduction.left[i]]).epsilon(1e-12));
      const auto [start, rate] = reduction.start(q, v);
      CHECK(start == std::vector<double>{a, b, c});
      CHECK(rate == std::vector<double>{da, db, dc});
    }
  }
}

TEST_CASE("in the time of the multiplier the motion is that of the Lagrangian alone") {
  const System whole = define(particle());
  ReductionRequest request{.symmetry = {"x1"}, .multiplier = multiplier_of_particle};
  request.reconstruct = true;
  const ChaplyginReduction reduction = chaplygin_reduction(whole, request);
  CHECK(!reduction.system.traits().forced);
  CHECK(reduction.system.dof() == 4);
  const std::vector<double> q{1.0, 0.5, 0.8}, v{-0.32, 0.4, 0.6};
  const auto [start, rate] = reduction.start(q, v);
  const Gauss accurate{.stages = 6};
  const Solution in_tau =
      simulate(reduction.system, accurate, {start, rate}, {.step = 0.05, .until = 5.0});
  REQUIRE(in_tau.ok());
  const std::vector<double> end = in_tau.point.q;
  // After the time that has passed the whole system is there.
  const Solution in_time =
      simulate(whole, accurate, {q, v}, {.step = end[3] / 100.0, .steps = 100});
  REQUIRE(in_time.ok());
  const std::vector<double> there = in_time.point.q;
  CHECK(end[0] == doctest::Approx(there[1]).epsilon(1e-12));
  CHECK(end[1] == doctest::Approx(there[2]).epsilon(1e-12));
  CHECK(end[2] == doctest::Approx(there[0]).epsilon(1e-12));
}

TEST_CASE("what follows by constraints changes no bit of what it follows") {
  const System whole = define(particle());
  ReductionRequest request{.symmetry = {"x1"}, .multiplier = multiplier_of_particle};
  const ChaplyginReduction alone = chaplygin_reduction(whole, request);
  request.reconstruct = true;
  const ChaplyginReduction followed = chaplygin_reduction(whole, request);
  const std::vector<double> q{1.0, 0.5, 0.8}, v{-0.32, 0.4, 0.6};
  const auto run = [&](const ChaplyginReduction& reduction) {
    const auto [start, rate] = reduction.start(q, v);
    return simulate(reduction.system, Spark{.stages = 2}, {start, rate},
                    {.step = 0.1, .until = 20.0})
        .point;
  };
  const auto first = run(alone), second = run(followed);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(first.q[i] == doctest::Approx(second.q[i]).epsilon(1e-12));
  for (const double reaction : second.lambda) CHECK(std::fabs(reaction) < 1e-12);
}

TEST_CASE("a symmetry that some values of parameters have is reduced with these") {
  const System whole = define(particle());
  CHECK(chaplygin_reduction(whole, {.symmetry = {"x1"}}).system.description().parameters.empty());
  CHECK_THROWS_WITH_AS(chaplygin_reduction(whole, {.symmetry = {"x1"}}, std::vector{1.0}),
                       doctest::Contains("\"x1\" is in its Lagrangian"), RequestError);
}

TEST_CASE("what is no reduction is refused by name") {
  const auto contains = [](const std::string& text, const char* words) {
    INFO(text);
    CHECK(text.find(words) != std::string::npos);
  };
  contains(refusal(particle(), {.symmetry = {"x3"}}), "\"x3\" is no coordinate of it");
  contains(refusal(particle(), {.symmetry = {"x1", "x1"}}), "named twice");
  contains(refusal(particle(), {.symmetry = {"x1", "x2"}}), "there are 2");
  contains(refusal(particle(), {.symmetry = {"x2"}}), "\"x2\" is in its Lagrangian");
  contains(refusal(particle(), {.symmetry = {"xi"}}), "do not give the velocities");
  contains(refusal(particle(), {.symmetry = {"x1"},
                                .multiplier = [](const Symbols& s) { return 1.0 + s.q[2]; }}),
           "does not reduce it");
  contains(refusal(particle(),
                   {.symmetry = {"x1"}, .multiplier = [](const Symbols&) { return Expr(-1.0); }}),
           "has to be positive");
  contains(refusal(particle(),
                   {.symmetry = {"x1"},
                    .multiplier = [](const Symbols& s) { return sqrt(-1.0 - square(s.q[2])); }}),
           "has no value");
  // Right near zero, and nowhere else.
  contains(refusal(particle(), {.symmetry = {"x1"},
                                .multiplier =
                                    [](const Symbols& s) {
                                      const Expr far = 1e-14 * square(square(square(s.q[2])));
                                      return multiplier_of_particle(s) * (1.0 + far);
                                    }}),
           "does not reduce it");
  contains(refusal(particle(), {.symmetry = {"x1"},
                                .multiplier =
                                    [](const Symbols& s) {
                                      const Expr far = max(abs(s.q[2]), Expr(500.0)) - 499.0;
                                      return multiplier_of_particle(s) * far;
                                    }}),
           "has pieces");
  contains(refusal(two_symmetries(true), {.symmetry = {"s1", "s2"},
                                          .multiplier = [](const Symbols&) { return Expr(1.0); }}),
           "external forces");
  TextSystem affine = particle();
  affine.constraints = {"x1_dot + xi*x2_dot - 1"};
  contains(refusal(affine, {.symmetry = {"x1"}}), "linear in the velocities");
  TextSystem timed = particle();
  timed.potential += " + sin(t)*xi";
  contains(refusal(timed, {.symmetry = {"x1"}}), "depends on time");
}
