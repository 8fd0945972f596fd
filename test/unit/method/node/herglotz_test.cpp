// The discrete Herglotz principle: numbers of an independent implementation, what decays, what is
// refused.
#include "dalembert/method/node/herglotz.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

struct FrictionCase {
  TextSystem text;
  std::vector<double> q, v;          ///< start
  std::vector<double> q_end, v_end;  ///< after five steps of 0.1, in 34 digits rounded to 15
  double action;
};

std::vector<FrictionCase> friction_cases() {
  const double w = 2.82842712;
  std::vector<FrictionCase> cases;
  cases.push_back({{.name = "cvt",
                    .coordinates = {"x1", "x2", "xi"},
                    .kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2",
                    .potential = "(x1^2 + x2^2)/2 + 1 - cos(xi) - sin(2*xi)/4",
                    .constraints = {"x1_dot + sin(xi)*x2_dot"},
                    .force = {"-x1_dot/5", "-x2_dot/5", "-xi_dot/5"},
                    .angles = {"xi"}},
                   {1.0, 1.0, 0.0},
                   {0.0, 0.0, w},
                   {1.035826830134, 0.945482053427759, 1.3233536276709},
                   {0.116001894789583, -0.119646082450067, 2.30657102836345},
                   1.15215569910969});
  cases.push_back(
      {{.name = "sleigh",
        .coordinates = {"x", "y", "theta"},
        .kinetic =
            "(1.2*(x_dot^2 + y_dot^2) + 1.44*theta_dot*(y_dot*cos(theta) - x_dot*sin(theta)) + "
            "1.132*theta_dot^2)/2",
        .potential = "0",
        .constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"},
        .force = {"-(1.2*x_dot - 0.72*theta_dot*sin(theta))/5",
                  "-(1.2*y_dot + 0.72*theta_dot*cos(theta))/5",
                  "-(1.132*theta_dot + 0.72*(y_dot*cos(theta) - x_dot*sin(theta)))/5"},
        .angles = {"theta"}},
       {0.0, 0.0, 0.5},
       {0.8 * std::cos(0.5), 0.8 * std::sin(0.5), 1.5},
       {0.331741174802275, 0.375400515801879, 1.11712706045173},
       {0.509160707252435, 1.04424247324353, 0.982103925265543},
       0.713200180945958});
  return cases;
}

template <class Number>
BasicPoint<Number> after_five_steps(const System& system, const FrictionCase& c) {
  StepMap<Number> map(system, Herglotz{}, {});
  BasicPoint<Number> point = map.start(c.q, c.v);
  REQUIRE(map.apply(point, Number(1.0) / Number(10.0), 5));
  return point;
}

}  // namespace

TEST_CASE("Friction in the Lagrangian gives the numbers of an independent implementation") {
  for (const FrictionCase& c : friction_cases()) {
    INFO(c.text.name);
    const BasicPoint<double> point = after_five_steps<double>(define(c.text), c);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(point.q[i] == doctest::Approx(c.q_end[i]).epsilon(1e-13));
      CHECK(point.v[i] == doctest::Approx(c.v_end[i]).epsilon(1e-13));
    }
    CHECK(point.carried[0] == doctest::Approx(c.action).epsilon(1e-13));
  }
}

TEST_CASE("A momentum that only friction takes decays by the factor of the steps, to round-off") {
  using Wide = study::Extended;
  TextSystem text{.name = "knife-edge",
                  .coordinates = {"x", "y", "xi"},
                  .kinetic = "(x_dot^2 + y_dot^2 + xi_dot^2)/2",
                  .potential = "-x",
                  .constraints = {"-sin(xi)*x_dot + cos(xi)*y_dot"},
                  .force = {"-x_dot/4", "-y_dot/4", "-xi_dot/4"},
                  .angles = {"xi"}};
  StepMap<Wide> map(define(text), Herglotz{}, {});
  BasicPoint<Wide> point =
      map.start(std::vector<double>{0.0, 0.0, 0.5}, std::vector<double>{0.0, 0.0, 1.0});
  // gamma h/2 = 1/64.
  Wide expected(1.0);
  for (int k = 0; k < 50; ++k) {
    REQUIRE(map.apply(point, Wide(0.125)));
    expected = expected * Wide(63.0) / Wide(65.0);
  }
  CHECK(largest_difference<Wide>({point.v[2]}, {expected}) < 1e-30);
  // Back again, with the action.
  for (int k = 0; k < 50; ++k) REQUIRE(map.apply(point, Wide(-0.125)));
  CHECK(largest_difference<Wide>({point.q[0], point.v[2], point.carried[0]},
                                 {Wide(0.0), Wide(1.0), Wide(0.0)}) < 1e-28);
}

TEST_CASE("Other forces are refused") {
  TextSystem text = particle_in_plane("pushed");
  text.constraints = {"y_dot - x*x_dot"};
  const Method method = Herglotz{};
  CHECK_FALSE(method.misfit(define(text)));
  text.force = {"-x_dot/5", "-y_dot/5"};
  CHECK_FALSE(method.misfit(define(text)));
  for (const std::vector<std::string>& force : {std::vector<std::string>{"-x_dot/5", "-y_dot/4"},
                                                {"-x_dot/5", "-y_dot/5 + 1"},
                                                {"-x*x_dot", "-x*y_dot"},
                                                {"-x_dot^3", "-y_dot"}}) {
    text.force = force;
    REQUIRE(method.misfit(define(text)));
    CHECK(method.misfit(define(text))->find("not friction at one rate") != std::string::npos);
  }
  // For all values of parameters, whatever their defaults.
  text.parameters = {{"k", 0.0}};
  text.force = {"-k*x_dot", "0"};
  CHECK(method.misfit(define(text)));
  text.force = {"-k*x_dot", "-k*y_dot"};
  CHECK_FALSE(method.misfit(define(text)));
}
