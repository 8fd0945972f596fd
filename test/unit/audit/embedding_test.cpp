#include "dalembert/audit/embedding.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Real = long double;
using Values = std::vector<Real>;
/// A constraint of four operations, and its elimination.
constexpr double chart_error = round_off_of<Real>(16.0);

System particle() {
  TextSystem text = particle_in_space("particle");
  text.potential = "(x^2 + y^2)/2 + z^2/3";
  text.constraints = {"z_dot - y*x_dot + 0.25*x"};
  return define(text);
}

const std::vector<double> place{0.4, 0.7, -0.3};
const Values start{0.4L, 0.7L, -0.3L, 0.8L, -0.5L};

struct Case {
  MethodSpec method;
  int order;
};

std::vector<Case> cases() {
  const auto half = std::make_shared<const MethodSpec>(MethodSpec{"dla", {{"alpha", 0.5}}});
  return {{{"dla", {{"alpha", 0.0}}}, 1},
          {{"dla", {{"alpha", 0.5}}}, 2},
          {{"runge-kutta-4", {{"projection", "velocity"}}}, 4},
          {{"compose", {{"base", half}, {"scheme", "triple-jump"}}}, 4}};
}

/// The largest perturbation for p at steps h, h/2, h/4.
std::array<double, 3> sizes(const Case& c, int p, Real h) {
  Embedding<Real> embedding(particle(), make_method(c.method), p, place);
  std::array<double, 3> result{};
  for (std::size_t k = 0; k < 3; ++k, h /= 2.0L) {
    embedding.set_step(h);
    result[k] = embedding.largest(start, 12);
  }
  return result;
}

}  // namespace

TEST_CASE("The perturbation is bounded for p = the order and doubles per halving for p + 1") {
  for (const Case& c : cases()) {
    const Real h = c.order == 4 ? 0.1L : 0.02L;
    const auto right = sizes(c, c.order, h), above = sizes(c, c.order + 1, h);
    // The next term of the expansion is a share of about h of the first.
    CHECK_MESSAGE(right[2] / right[1] == doctest::Approx(1.0).epsilon(0.1), c.method.name, " ",
                  right[0], " ", right[1], " ", right[2]);
    CHECK(right[2] > 1e-3);  // a term of the error, of size one over some factorial
    CHECK_MESSAGE(above[2] / above[1] == doctest::Approx(2.0).epsilon(0.1), c.method.name);
  }
}

TEST_CASE("The curve joins the nodes, lies in D and solves the perturbed equation") {
  for (const Case& c : cases()) {
    const Real h = 0.2L;
    Embedding<Real> embedding(particle(), make_method(c.method), c.order, place);
    embedding.set_step(h);
    const Values after = embedding.step(start);
    REQUIRE(after.size() == 5);
    CHECK(largest_difference(embedding.along(0.0L, start)->z, start) == 0.0);
    CHECK(largest_difference(embedding.along(1.0L, start)->z, after) == 0.0);
    for (const Real tau : {0.2L, 0.5L, 0.83L, 1.4L}) {
      const auto here = embedding.along(tau, start);
      REQUIRE(here);
      const auto [q, v] = embedding.state(here->z);
      CHECK(std::fabs(v[2] - q[1] * v[0] + 0.25L * q[0]) < chart_error);
      // dG/dtau = h (f + h^p g), by differences of order 8; their error is delta^8/630, 4e-25,
      // times the ninth derivative of chi, which is below 1e10, times the h^(p + 1) that chi
      // multiplies.
      constexpr Real bound = 1e-14L;
      const Real delta = 0.002L;
      constexpr std::array<Real, 4> weights{4.0L / 5.0L, -1.0L / 5.0L, 4.0L / 105.0L,
                                            -1.0L / 280.0L};
      Values difference(5, 0.0L);
      for (std::size_t k = 0; k < 4; ++k) {
        const Real shift = delta * static_cast<Real>(k + 1);
        const Values up = embedding.along(tau + shift, start)->z,
                     down = embedding.along(tau - shift, start)->z;
        for (std::size_t i = 0; i < 5; ++i) difference[i] += weights[k] * (up[i] - down[i]) / delta;
      }
      const Values f = embedding.slope(here->z);
      for (std::size_t i = 0; i < 5; ++i) {
        const Real expected = h * (f[i] + std::pow(h, static_cast<Real>(c.order)) * here->g[i]);
        CHECK(std::fabs(difference[i] - expected) < bound);
      }
    }
  }
}

TEST_CASE("The perturbation has period one at every point") {
  for (const Case& c : cases()) {
    Embedding<Real> embedding(particle(), make_method(c.method), c.order, place);
    embedding.set_step(0.1L);
    for (const Real tau : {0.3L, 0.6L}) {
      const auto here = embedding.at(tau, start), later = embedding.at(tau + 1.0L, start);
      REQUIRE(here);
      REQUIRE(later);
      // `at` ends where a pass moves y by 8 units of round-off; two flows err by as much each.
      CHECK(largest_difference(here->z, start) < round_off_of<Real>(32.0));
      // Round-off over h^(p + 1).
      CHECK(largest_difference(here->g, later->g) < 1e-17 / std::pow(0.1, c.order + 1));
    }
  }
}

TEST_CASE("Interpolation between states of D stays in D and is smooth at the ends") {
  Embedding<Real> embedding(particle(), make_method({"dla", {}}), 1, place);
  const Values other{0.1L, -0.2L, 0.9L, -0.3L, 0.4L};
  CHECK(interpolate(start, other, 0.0L) == start);
  CHECK(interpolate(start, other, 1.0L) == other);
  const auto [q, v] = embedding.state(interpolate(start, other, 0.4L));
  CHECK(std::fabs(v[2] - q[1] * v[0] + 0.25L * q[0]) < chart_error);
  // The share of `other` is exp(-2 cot(pi/100)), 2e-28.
  CHECK(largest_difference(interpolate(start, other, 0.01L), start) < round_off_of<Real>(2.0));
  // h^2/6 = 2e-13 times a third derivative of up to 500; round-off over h is 5e-14.
  for (const Real tau : {0.1L, 0.5L, 0.7L}) {
    const Real slope =
        (Embedding<Real>::cut_off(tau + 1e-6L) - Embedding<Real>::cut_off(tau - 1e-6L)) / 2e-6L;
    CHECK(std::fabs(Embedding<Real>::cut_off_slope(tau) - slope) < 1e-10L);
  }
}

TEST_CASE("Charts and methods that do not exist are refused") {
  const System system = particle();
  CHECK_THROWS_WITH_AS(Embedding<double>(system, make_method({"leapfrog", {}}), 2, place),
                       "method \"leapfrog\" carries a multiplier, so it is no map of D",
                       RequestError);
  CHECK_THROWS_AS(Embedding<double>(system, make_method({"discrete-derivative", {}}), 2, place),
                  RequestError);
  TextSystem text = particle_in_plane("isokinetic");
  text.potential = "x";
  text.constraints = {"x_dot^2 + y_dot^2 - 1"};
  CHECK_THROWS_AS(ConstraintChart(define(text), std::vector<double>{0.0, 0.0}), RequestError);
  text.constraints = {"x*x_dot"};
  CHECK_THROWS_AS(ConstraintChart(define(text), std::vector<double>{0.0, 0.0}), RequestError);
  const auto two = test_support::two_constraints();
  const ConstraintChart chart(two.system, two.q);
  CHECK(chart.dependent.size() == 2);
  CHECK(chart.free.size() == 3);
}
