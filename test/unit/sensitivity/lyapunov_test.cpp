// Lyapunov exponents: where they are known, and how they come in pairs.

#include "dalembert/sensitivity/lyapunov.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

TEST_CASE("Exponents of a saddle along a constraint are the roots of its equation") {
  // Along y_dot = x_dot: x'' = k/2 x, and y follows, with exponent zero.
  TextSystem text;
  text.name = "saddle";
  text.coordinates = {"x", "y"};
  text.kinetic = "(x_dot^2 + y_dot^2)/2";
  text.potential = "-k*x^2/2";
  text.constraints = {"y_dot - x_dot"};
  text.parameters = {{"k", 0.5}};
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.0}}}};
  const Method gauss = make_method({"gauss", {{"stages", 3.0}}});
  const LyapunovSpectrum found =
      lyapunov_exponents(problem, gauss, {}, {.step = 0.05, .until = 400.0, .settle = 0.3});
  REQUIRE(found.ok());
  CHECK(found.dimension == 3);
  REQUIRE(found.exponents.size() == 3);
  const double rate = std::sqrt(0.25);
  // The method's own rate differs by about (rate h)^6/100800, and tangents have turned into their
  // places to round-off after a while.
  CHECK(found.exponents[0].value == doctest::Approx(rate).epsilon(1e-10));
  CHECK(std::fabs(found.exponents[1].value) < 1e-10);
  CHECK(found.exponents[2].value == doctest::Approx(-rate).epsilon(1e-10));
  CHECK(std::fabs(found.sum.value) < 1e-12);
}

TEST_CASE("What a method carries adds no exponents") {
  // x'' = x/4 along y_dot = x_dot; the leap-frog multiplies by z with z + 1/z = 2 + h^2/4 and
  // carries a multiplier, whose own exponent, zero, would take the place of the last one.
  TextSystem text;
  text.name = "saddle";
  text.coordinates = {"x", "y"};
  text.kinetic = "(x_dot^2 + y_dot^2)/2";
  text.potential = "-x^2/4";
  text.constraints = {"y_dot - x_dot"};
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.0}}}};
  const LyapunovSpectrum found = lyapunov_exponents(problem, make_method({"leapfrog", {}}), {},
                                                    {.step = 0.2, .until = 2000.0, .settle = 0.3});
  REQUIRE(found.ok());
  REQUIRE(found.exponents.size() == 3);
  const double rate = std::acosh(1.0 + 0.5 * 0.04 * 0.25) / 0.2;
  CHECK(found.exponents[0].value == doctest::Approx(rate).epsilon(1e-10));
  CHECK(std::fabs(found.exponents[1].value) < 1e-10);
  CHECK(found.exponents[2].value == doctest::Approx(-rate).epsilon(1e-10));
}

TEST_CASE("Exponents of a symplectic map come in pairs, and a chaotic orbit has a positive one") {
  TextSystem text = particle_in_plane("henon-heiles");
  text.potential = "(x^2 + y^2)/2 + x^2*y - y^3/3";
  // Energy 1/6, almost all chaotic.
  const Problem problem{
      define(text),
      {Start{.q = {0.0, -0.1}, .v = {std::sqrt(1.0 / 3.0 - 0.01 - 2e-3 / 3.0), 0.0}}}};
  const Method leapfrog = make_method({"leapfrog", {}});
  const LyapunovSpectrum found =
      lyapunov_exponents(problem, leapfrog, {}, {.step = 0.02, .until = 4000.0});
  REQUIRE(found.ok());
  REQUIRE(found.exponents.size() == 4);
  const auto& e = found.exponents;
  CHECK(e[0].low > 0.05);
  CHECK(e[0].high < 0.25);
  // Volume: round-off. Pairs: what the ends of the blocks leave, some units over the time.
  CHECK(std::fabs(found.sum.value) < 1e-12);
  CHECK(std::fabs(e[0].value + e[3].value) < 5e-3);
  CHECK(std::fabs(e[1].value + e[2].value) < 5e-3);
  CHECK(std::fabs(e[1].value) < 5e-3);
  CHECK(found.t.size() <= 2000);
  CHECK(found.running.size() == 4 * found.t.size());
  // The largest alone is the same to the statistics.
  const LyapunovSpectrum one =
      lyapunov_exponents(problem, leapfrog, {}, {.step = 0.02, .until = 4000.0, .exponents = 1});
  REQUIRE(one.exponents.size() == 1);
  CHECK(one.exponents[0].value == doctest::Approx(e[0].value).epsilon(0.05));
}

TEST_CASE("Exponents that cannot be measured are refused") {
  TextSystem text = particle_in_plane("free");
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {1.0, 0.0}}}};
  const Method leapfrog = make_method({"leapfrog", {}});
  const auto refused = [&](const LyapunovOptions& options) {
    CHECK_THROWS_AS(lyapunov_exponents(problem, leapfrog, {}, options), RequestError);
  };
  refused({.step = 0.1, .until = 10.0, .exponents = 5});
  refused({.step = 0.1, .until = 10.0, .settle = 1.0});
  refused({.step = 0.1, .until = 10.0, .blocks = 2});
  refused({.step = 0.1, .until = 1.0});
  refused({.step = 0.0, .until = 1.0});
}
