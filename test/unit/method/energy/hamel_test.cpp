// The discrete Hamel equations: numbers of an independent implementation, and where they are
// another method.
#include "dalembert/method/energy/hamel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;

BasicPoint<Wide> after(const System& system, const Method& method, const std::vector<double>& q,
                       const std::vector<double>& v) {
  StepMap<Wide> map(system, method, {});
  BasicPoint<Wide> point = map.start(q, v);
  REQUIRE(map.apply(point, Wide(1.0) / Wide(10.0), 5));
  return point;
}

System framed_sleigh() {
  return define({.name = "sleigh",
                 .coordinates = {"x", "y", "theta"},
                 .kinetic = "(1.2*(x_dot^2 + y_dot^2) + 1.44*theta_dot*(y_dot*cos(theta) - "
                            "x_dot*sin(theta)) + 1.132*theta_dot^2)/2",
                 .potential = "0",
                 .constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"},
                 .frame = {{"0", "0", "1/sqrt(1.132)"},
                           {"cos(theta)/sqrt(1.2)", "sin(theta)/sqrt(1.2)", "0"}},
                 .angles = {"theta"}});
}

}  // namespace

TEST_CASE("A frame that is not orthonormal gives a method of its own") {
  // pendulum-cvt with epsilon = 1/2 in the frame (-sin xi, 1, 0), (0, 0, 1).
  TextSystem text{.name = "cvt",
                  .coordinates = {"x1", "x2", "xi"},
                  .kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2",
                  .potential = "(x1^2 + x2^2)/2 + 1 - cos(xi) - sin(2*xi)/4",
                  .constraints = {"x1_dot + sin(xi)*x2_dot"},
                  .frame = {{"-sin(xi)", "1", "0"}, {"0", "0", "1"}},
                  .angles = {"xi"}};
  const std::vector<double> q{1.0, 1.0, 0.0}, v{0.0, 0.0, 2.82842712};
  const System system = define(text);
  const BasicPoint<Wide> point = after(system, Hamel{.frame = FrameKind::given}, q, v);
  const std::vector<double> q_end{1.03582391538273, 0.947305124879371, 1.38960971274981},
      v_end{0.120147428758162, -0.122146905047417, 2.55644917943705};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(static_cast<double>(point.q[i]) == doctest::Approx(q_end[i]).epsilon(1e-14));
    CHECK(static_cast<double>(point.v[i]) == doctest::Approx(v_end[i]).epsilon(1e-14));
  }
  const BasicPoint<Wide> reduced = after(system, ReducedGradient{.frame = FrameKind::given}, q, v);
  CHECK(largest_difference(point.q, reduced.q) > 1e-6);  // a local error
}

TEST_CASE(
    "In an orthonormal frame and without a potential it is reduced-gradient, and exact in the "
    "energy") {
  const System system = framed_sleigh();
  const std::vector<double> q{0.0, 0.0, 0.5}, v{0.8 * std::cos(0.5), 0.8 * std::sin(0.5), 1.5};
  const BasicPoint<Wide> point = after(system, Hamel{.frame = FrameKind::given}, q, v);
  const Method others[] = {
      ReducedGradient{.frame = FrameKind::given},
      Gauss{.stages = 1, .coordinates = EliminatedCoordinates::quasi_velocity}};
  for (const Method& other : others) {
    INFO(other.name());
    const BasicPoint<Wide> same = after(system, other, q, v);
    CHECK(largest_difference(point.q, same.q) < 1e-28);
    CHECK(largest_difference(point.v, same.v) < 1e-28);
  }
  StepMap<Wide> map(system, Hamel{}, {});
  const BasicPoint<Wide> start = map.start(q, v);
  CHECK(largest_difference<Wide>({map.energy(point)}, {map.energy(start)}) < 1e-28);
}
