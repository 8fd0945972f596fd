#include "mechanics/definition/angle_period.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/table/table.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/system_error.hpp"

using namespace dalembert;

namespace {

struct TurningText {
  std::string potential = "0", constraint = {}, force = "0", holonomic = {}, integral = "theta";
};

/// A system with the angle theta, a coordinate x and parameters n = 2, k = 0.5.
System turning(const TurningText& text) {
  return System::define(
      {.name = "turning",
       .coordinates = {{"x"}, {"theta", true}},
       .parameters = {{.name = "n", .value = 2.0}, {.name = "k", .value = 0.5}}},
      [&](const Symbols& s) {
        Scope scope{{{"x", s.q[0]},
                     {"theta", s.q[1]},
                     {"x_dot", s.v[0]},
                     {"theta_dot", s.v[1]},
                     {"t", s.t},
                     {"n", s["n"]},
                     {"k", s["k"]}},
                    {},
                    {}};
        scope.tables.emplace("cam",
                             std::make_shared<const Table>("cam", std::vector{-4.0, 0.0, 4.0},
                                                           std::vector{1.0, 2.0, 1.5}));
        Mechanics mechanics{.kinetic = dot(s.v, s.v) / 2.0,
                            .potential = parse(text.potential, scope),
                            .force = {parse(text.force, scope), 0.0},
                            .integrals = {{"followed", parse(text.integral, scope)}}};
        if (!text.constraint.empty()) mechanics.constraints = {parse(text.constraint, scope)};
        if (!text.holonomic.empty()) mechanics.holonomic = {parse(text.holonomic, scope)};
        return mechanics;
      });
}

}  // namespace

TEST_CASE("an angle in which the equations are not periodic is refused with the part") {
  const auto refused = [](const TurningText& text, const char* part) {
    CAPTURE(part);
    CHECK_THROWS_WITH_AS(turning(text), doctest::Contains(part), SystemError);
  };
  const std::string lead = "system \"turning\": ",
                    angle = " is not periodic in the angle \"theta\"";
  refused({.potential = "theta^2/2"}, (lead + "the potential" + angle).c_str());
  refused({.potential = "k*theta"}, "this changes by 3.14159");
  refused({.potential = "cos(theta/2)"}, "take \"theta\" out of the angles");
  refused({.potential = "cos(k*theta)"}, "the potential");
  refused({.potential = "abs(theta)"}, "the potential");
  refused({.constraint = "x_dot + theta*theta_dot"}, (lead + "constraint 1" + angle).c_str());
  refused({.force = "theta"}, "force 1");
  refused({.holonomic = "x - theta"}, "constraint on positions 1");
}

TEST_CASE("what is periodic is not refused, in whatever form") {
  for (const char* potential :
       {"cos(theta)", "sin(3*theta - x)*x", "cos(n*theta)", "sin(theta/2)^2", "tan(theta)^2",
        "atan2(sin(theta), cos(theta))^2", "(theta - 2*pi*floor((theta + pi)/(2*pi)))^2",
        "piecewise(1 + cos(2*theta), -pi/2 < theta < pi/2, 0)", "x*theta - theta*x + k",
        "cos(theta + x) + exp(sin(theta))", "cos(x + (theta - t)*2)"}) {
    CAPTURE(potential);
    CHECK_NOTHROW(turning({.potential = potential}));
  }
  // For other parameters than the defaults it is asked again.
  const System twice = turning({.potential = "cos(n*theta)"});
  CHECK_NOTHROW(check_parameter_ranges(twice, std::vector{3.0, 0.5}));
  CHECK_THROWS_WITH_AS(check_parameter_ranges(twice, std::vector{2.5, 0.5}),
                       doctest::Contains("the potential is not periodic"), SystemError);
  // A table says nothing outside of its points, and an integral may count turns.
  CHECK_NOTHROW(turning({.potential = "cam(theta)", .integral = "x - theta"}));
}
