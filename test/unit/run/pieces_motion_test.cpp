// Motions under forces made of pieces, whose closed forms are polynomials of time.

#include <doctest/doctest.h>

#include <string>

#include "dalembert/error.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/round_off.hpp"
#include "support/text_system.hpp"

using namespace dalembert;

namespace {

System pushed_particle(const std::string& force, const std::string& potential = "0") {
  test_support::TextSystem text{"pushed", {"x"}, "x_dot^2/2", potential};
  text.parameters = {{"push", 2.0}};
  text.force = {force};
  return test_support::define(text);
}

}  // namespace

TEST_CASE("A force between two times gives the exact motion where steps end at the switches") {
  constexpr double tolerance = test_support::round_off_of(24.0 * 3.0);  // steps, operations
  for (const char* force : {"piecewise(push, 1 <= t < 2, 0)", "piecewise(0, t < 1, push, t < 2, 0)",
                            "piecewise(0, not (t >= 1 and t < 2), push)",
                            "min(push, max(0, 1000*floor(t)))*piecewise(0, t >= 2 or t < 0, 1)"}) {
    CAPTURE(force);
    const Solution solution =
        simulate(pushed_particle(force), Gauss{}, {{0.0}, {0.0}}, {.step = 0.125, .steps = 24});
    REQUIRE(solution.ok());
    CHECK(solution.q(24)[0] == doctest::Approx(3.0).epsilon(tolerance));
    CHECK(solution.v(24)[0] == doctest::Approx(2.0).epsilon(tolerance));
    CHECK(solution.q(8)[0] == 0.0);
  }
}

TEST_CASE("A wall of a one-sided spring throws a particle back") {
  // Free until x = 1, then half a turn of an oscillator of frequency 20.
  const Solution solution = simulate(pushed_particle("0", "200*max(x - 1, 0)^2"), Gauss{},
                                     {{0.0}, {1.0}}, {.step = 1e-3, .until = 2.0});
  REQUIRE(solution.ok());
  // Two steps cross the wall, where the force has a kink of slope 400: 400 h^2/12 = 3e-5 of each.
  CHECK(solution.v(solution.size() - 1)[0] == doctest::Approx(-1.0).epsilon(3e-5));
}

TEST_CASE("Discrete gradients take pieces chosen by parameters and refuse those of the state") {
  CHECK_THROWS_WITH_AS(simulate(pushed_particle("0", "max(x - 1, 0)^2"), GonzalezFull{},
                                {{0.0}, {1.0}}, {.step = 0.1, .steps = 3}),
                       doctest::Contains("take a method without discrete gradients"), RequestError);
  const Solution solution = simulate(pushed_particle("0", "piecewise(x^4, push > 1, -x)"),
                                     GonzalezFull{}, {{1.0}, {0.0}}, {.step = 0.1, .steps = 20});
  REQUIRE(solution.ok());
  // Kept in each of 20 steps to a few units of round-off.
  CHECK(solution.energy(20) ==
        doctest::Approx(1.0).epsilon(test_support::round_off_of(20.0 * 3.0)));
}
