// Starts whose free values follow from the constraints.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "dalembert/document/toml.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

const std::string disk = R"toml(
coordinates = ["x", "y", "z", "psi", "theta", "phi"]
angles      = ["psi", "phi"]
[parameters]
r = 1.5
[definitions]
lean = "0.3"
slope = "cos(theta)"
energy = "z_dot^2"
[lagrangian]
kinetic   = """(x_dot^2 + y_dot^2 + z_dot^2 + (theta_dot^2 + psi_dot^2*cos(theta)^2)/4 \
+ (phi_dot - psi_dot*sin(theta))^2/2)/2"""
potential = "z"
[constraints]
expressions = [
  "cos(psi)*x_dot + sin(psi)*y_dot - r*(phi_dot - psi_dot*sin(theta))",
  "-sin(psi)*x_dot + cos(psi)*y_dot - r*cos(theta)*theta_dot",
]
holonomic = ["z - r*cos(theta)"]
)toml";

/// By hand a few operations on numbers up to 4; by the iteration's last step as many.
constexpr double start_tolerance = test_support::round_off_of(8.0);

Start start_of(const std::string& text) {
  return make_problem(read_problem(parse_document(disk + text, "text"), "text")).starts.front();
}

void check_refused(const std::string& text, const std::string& words) {
  try {
    static_cast<void>(start_of(text));
    FAIL("accepted");
  } catch (const RequestError& error) {
    const std::string found = error.what();
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
    CHECK(found.find("initial.a.free") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("Free coordinates and velocities follow from the constraints, all else stays") {
  const Start start = start_of(R"toml(
[initial.a]
free = ["z", "x_dot", "y_dot", "z_dot"]
q = [0, 0, 1, 0.4, "lean", 0]
v = [0, 0, 0, "lean", "0.1/slope", 2.5]
)toml");
  const double r = 1.5, psi = 0.4, theta = 0.3, theta_dot = 0.1 / std::cos(0.3);
  const double along = r * (2.5 - 0.3 * std::sin(theta)), across = r * std::cos(theta) * theta_dot;
  CHECK(start.q[2] == doctest::Approx(r * std::cos(theta)).epsilon(start_tolerance));
  CHECK(start.v[0] ==
        doctest::Approx(std::cos(psi) * along - std::sin(psi) * across).epsilon(start_tolerance));
  CHECK(start.v[1] ==
        doctest::Approx(std::sin(psi) * along + std::cos(psi) * across).epsilon(start_tolerance));
  CHECK(start.v[2] == doctest::Approx(-r * std::sin(theta) * theta_dot).epsilon(start_tolerance));
  CHECK(start.v[3] == 0.3);
  CHECK(start.v[4] == theta_dot);
  CHECK(start.v[5] == 2.5);
}

TEST_CASE("By name, free values may be left out") {
  const Start start = start_of(R"toml(
[initial.a]
free = ["z", "x_dot", "y_dot", "z_dot"]
position = { x = 0, y = 0, psi = 0, theta = 0.2, phi = 0 }
velocity = { psi = "theta", theta = 0, phi = 1 }
)toml");
  CHECK(start.q[2] == doctest::Approx(1.5 * std::cos(0.2)).epsilon(start_tolerance));
  CHECK(start.v[0] == doctest::Approx(1.5 * (1.0 - 0.2 * std::sin(0.2))).epsilon(start_tolerance));
  CHECK(std::fabs(start.v[2]) < start_tolerance);
}

TEST_CASE("Free values that make no sense are refused") {
  const std::string rest = "\nq = [0, 0, 1.5, 0, 0, 0]\nv = [0, 0, 0, 0, 0, 1]\n";
  const auto refused = [&](const std::string& names, const std::string& words) {
    check_refused("[initial.a]\nfree = " + names + rest, words);
  };
  refused("[\"x_dt\"]", "did you mean \"x_dot\"?");
  refused("[\"x_dot\", \"x_dot\"]", "names \"x_dot\" twice");
  refused("[\"x_dot\", \"y_dot\", \"z_dot\", \"phi_dot\"]",
          "4 velocities, but there are 3 constraints");
  refused("[\"z\", \"x\"]", "2 positions, but there is 1 constraint");
  refused("[\"y_dot\"]", "no values of these names satisfy the constraints");
  refused("[\"x\"]", "do not determine these values");
  refused("[\"x_dot\"]\nproject = true", "project");
}
