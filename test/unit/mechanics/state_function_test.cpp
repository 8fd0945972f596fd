#include "dalembert/mechanics/state_function.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/float128.hpp>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

using WideNumber = boost::multiprecision::float128;

/// A particle in the plane with parameters m = 2 and k = 3.
System planar_particle() {
  return System::define(
      {.name = "particle",
       .coordinates = {{"x"}, {"y"}},
       .parameters = {{.name = "m", .value = 2.0, .min = 0.0, .min_exclusive = true},
                      {.name = "k", .value = 3.0}}},
      [](const Symbols& s) {
        Mechanics m;
        m.kinetic = s["m"] * dot(s.v, s.v) / 2.0;
        m.potential = s["k"] * square(s.q[0]) / 2.0;
        return m;
      });
}

/// t + m x + k y_dot, and sin(x).
template <class Number>
StateFunction<Number> sum_and_sine(const System& system, std::span<const double> parameters = {}) {
  const Symbols s = system.symbols();
  return {system, s, {s.t + s["m"] * s.q[0] + s["k"] * s.v[1], sin(s.q[0])}, parameters};
}

}  // namespace

TEST_CASE("parameters, time, positions and velocities reach their places") {
  const System system = planar_particle();
  StateFunction<double> f = sum_and_sine<double>(system);
  CHECK(f.output_count() == 2);
  const std::vector<double> q{5.0, 7.0}, v{11.0, 13.0};
  CHECK(f(0.5, q, v)[0] == 0.5 + 2.0 * 5.0 + 3.0 * 13.0);
  f.set_parameters(std::vector<double>{1.0, -1.0});
  CHECK(f(0.5, q, v)[0] == 0.5 + 5.0 - 13.0);
  CHECK(sum_and_sine<double>(system, std::vector<double>{1.0, -1.0})(0.5, q, v)[0] ==
        0.5 + 5.0 - 13.0);
}

TEST_CASE("further symbols come after the state") {
  const System system = planar_particle();
  const Symbols s = system.symbols();
  const Vector force{make_symbol(s.t.graph(), "f"), make_symbol(s.t.graph(), "g")};
  StateFunction<double> f(system, s, {s.v[1] * force[0] + force[1]}, {}, force);
  const std::vector<double> q{5.0, 7.0}, v{11.0, 13.0}, values{2.0, 0.5};
  CHECK(f(0.0, q, v, values)[0] == 13.0 * 2.0 + 0.5);
}

TEST_CASE("copies are independent") {
  StateFunction<double> one = sum_and_sine<double>(planar_particle()), other = one;
  const std::vector<double> q{1.0, 0.0}, v{0.0, 0.0};
  const std::span<const double> values = one(0.0, q, v);
  other.set_parameters(std::vector<double>{100.0, 0.0});
  static_cast<void>(other(0.0, q, v));
  CHECK(values[0] == 2.0);
}

TEST_CASE("a wide number type has its own digits") {
  StateFunction<WideNumber> f = sum_and_sine<WideNumber>(planar_particle());
  const std::vector<WideNumber> q{WideNumber(1) / 3, WideNumber(0)},
      v{WideNumber(0), WideNumber(0)};
  // One operation and one function, each to a unit in the last place.
  const WideNumber error = f(WideNumber(0), q, v)[1] - sin(WideNumber(1) / 3);
  CHECK(static_cast<double>(abs(error)) <
        4.0 * static_cast<double>(std::numeric_limits<WideNumber>::epsilon()));
}

TEST_CASE("wrong sizes are refused with both numbers") {
  const System system = planar_particle();
  StateFunction<double> f = sum_and_sine<double>(system);
  const std::vector<double> two(2, 0.0), three(3, 0.0);
  std::vector<double> one(1);
  CHECK_THROWS_WITH_AS(f(0.0, three, two), doctest::Contains("2 entries of q, not 3"),
                       RequestError);
  CHECK_THROWS_WITH_AS(f(0.0, two, {}), doctest::Contains("2 entries of v, not 0"), RequestError);
  CHECK_THROWS_WITH_AS(f(0.0, two, two, two), doctest::Contains("0 further arguments, not 2"),
                       RequestError);
  CHECK_THROWS_WITH_AS(f.evaluate(0.0, two, two, {}, one), doctest::Contains("2 results, not 1"),
                       RequestError);
  CHECK_THROWS_WITH_AS(f.set_parameters(three), doctest::Contains("2 parameters, not 3"),
                       RequestError);
  CHECK_THROWS_WITH_AS(sum_and_sine<double>(system, three),
                       doctest::Contains("\"particle\" has 2 parameters, not 3"), RequestError);
}

TEST_CASE("parameters by name: the defaults with some replaced") {
  const System system = planar_particle();
  CHECK(named_parameter_values(system, {{"k", 5.0}}) == std::vector<double>{2.0, 5.0});
  CHECK_THROWS_WITH_AS(named_parameter_values(system, {{"mm", 5.0}}),
                       doctest::Contains("did you mean \"m\""), RequestError);
  CHECK_THROWS_WITH_AS(named_parameter_values(system, {{"m", 0.0}}),
                       doctest::Contains("must be > 0"), RequestError);
}
