#include "dalembert/measure/exact_flow.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/round_off.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::TextSystem;

namespace {

/// A knife edge on an inclined plane, whose motion is known.
System knife_edge() {
  TextSystem text;
  text.name = "knife-edge";
  text.coordinates = {"x1", "x2", "xi"};
  text.angles = {"xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "-x1";
  text.constraints = {"-sin(xi)*x1_dot + cos(xi)*x2_dot"};
  return define(text);
}

template <class Number>
double knife_edge_error(const Number& duration) {
  using std::atan, std::cos, std::sin, std::max;
  ExactFlow<Number> flow(knife_edge());
  const Number right = Number(2.0) * atan(Number(1.0));
  Number t(0.0);
  std::vector<Number> q{Number(0.0), Number(0.0), right}, v{Number(0.0), Number(0.0), Number(1.0)};
  REQUIRE(flow.advance(t, q, v, duration));
  CHECK(t == duration);
  // s' = cos(xi) along (cos xi, sin xi), xi = pi/2 + t: s = cos t - 1.
  const Number s = cos(t) - Number(1.0);
  const std::vector<Number> difference{
      q[0] - (Number(1.0) - cos(t) - sin(t) * sin(t) / Number(2.0)),
      q[1] - (t / Number(2.0) + sin(t) * cos(t) / Number(2.0) - sin(t)), q[2] - right - t,
      v[0] + s * sin(t), v[1] - s * cos(t)};
  double error = 0.0;
  for (const Number& d : difference)
    error = numeric::larger(error, std::fabs(static_cast<double>(d)));
  return error;
}

}  // namespace

TEST_CASE("The flow of the knife edge is the closed form, to round-off of any number type") {
  // The direction xi grows to 30 and is rounded some 300 times; over a path of 30 this turns into
  // 30 * 30 * sqrt(300) units of round-off, 3e-12.
  CHECK(knife_edge_error<double>(30.0) < 3e-12);
  CHECK(knife_edge_error<double>(-30.0) < 3e-12);
  CHECK(knife_edge_error<long double>(30.0L) < 1e-16);
  // Here 12 columns of the extrapolation amplify round-off (2e-34).
  CHECK(knife_edge_error<dalembert::study::Extended>(dalembert::study::Extended(5)) < 1e-29);
}

TEST_CASE("The flow of a time-dependent force") {
  TextSystem text;
  text.name = "driven";
  text.coordinates = {"x"};
  text.kinetic = "x_dot^2/2";
  text.potential = "0*x";
  text.force = {"cos(t)"};
  ExactFlow<double> flow(define(text));
  double t = 1.0;
  std::vector<double> q{0.0}, v{0.0};
  REQUIRE(flow.advance(t, q, v, 2.0));
  // Some ten steps, each with a few units of round-off.
  CHECK(v[0] ==
        doctest::Approx(std::sin(3.0) - std::sin(1.0)).epsilon(test_support::round_off_of(50.0)));
}

TEST_CASE("A flow that meets a singularity says so, and wrong parameters are refused") {
  TextSystem text;
  text.name = "collapse";
  text.coordinates = {"x"};
  text.kinetic = "x_dot^2/2";
  text.potential = "-1/x";
  ExactFlow<double> flow(define(text));
  double t = 0.0;
  std::vector<double> q{1.0}, v{0.0};
  // It falls into the origin at t = pi/(2 sqrt(2)).
  CHECK_FALSE(flow.advance(t, q, v, 2.0));
  CHECK(t == doctest::Approx(std::numbers::pi / std::sqrt(8.0)).epsilon(1e-3));
  CHECK_THROWS_AS(ExactFlow<double>(define(text), std::vector<double>{1.0}), RequestError);
}
