// Normal forces of contacts against closed forms, and against the multiplier of a height.
#include "dalembert/problem/space/surface_contacts.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/problem/make_system.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

ContactWatch contacts_of(const ProblemFile& problem) {
  return watch_contacts(problem, make_system(problem), {});
}
ContactWatch contacts_of_text(const std::string& text) {
  return contacts_of(read_problem(parse_document(text, "coin.toml"), "coin"));
}

/// rolling-coin with the height of its centre as a coordinate, which the contact constrains.
const std::string coin_with_height = R"toml(
coordinates = ["x", "y", "z", "psi", "theta", "phi"]
angles      = ["psi", "phi"]
gravity     = ["0", "0", "-1"]
[[body]]
name     = "coin"
mass     = 1
inertia  = [0.25, 0.25, 0.5]
position = ["x", "y", "z"]
rotation = [["z", "psi"], ["x", "theta"], ["z", "phi"]]
[[contact]]
name  = "ground"
body  = "coin"
kind  = "rolling"
shape = { disk = 1 }
)toml";

/// A state of rolling-coin that keeps its constraints, and the same with its height.
struct State {
  std::vector<double> q, v, q_with_height, v_with_height;
};

State rolling(double psi, double theta, double psi_dot, double theta_dot, double phi_dot) {
  // (x, y) is below the centre, which moves with v = w x (from the lowest point to the centre).
  const double c = std::cos(psi), s = std::sin(psi);
  // w = psi_dot e_z + theta_dot (c, s, 0) + phi_dot n, n = (s sin, -c sin, cos) of theta.
  const double nx = s * std::sin(theta), ny = -c * std::sin(theta), nz = std::cos(theta);
  const double wx = theta_dot * c + phi_dot * nx, wy = theta_dot * s + phi_dot * ny,
               wz = psi_dot + phi_dot * nz;
  // From the lowest point to the centre: up along the disk, (-s cos, c cos, sin).
  const double rx = -s * std::cos(theta), ry = c * std::cos(theta), rz = std::sin(theta);
  const double vx = wy * rz - wz * ry, vy = wz * rx - wx * rz, vz = wx * ry - wy * rx;
  return {{0.0, 0.0, psi, theta, 0.7},
          {vx, vy, psi_dot, theta_dot, phi_dot},
          {0.0, 0.0, rz, psi, theta, 0.7},
          {vx, vy, vz, psi_dot, theta_dot, phi_dot}};
}

}  // namespace

TEST_CASE("a coin that leans at rest presses with 1 - 4/5 cos^2 of its angle times its weight") {
  // It turns about the tangent through its lowest point, with the moment of inertia 5/4.
  ContactWatch contacts = contacts_of(read_problem_file(find_problem("rolling-coin")));
  REQUIRE(contacts.value_names() == std::vector<std::string>{"ground_gap", "ground_normal_force"});
  for (const double theta : {0.2, 0.8, 1.2, std::numbers::pi / 2}) {
    contacts.see(0.0, std::vector{0.0, 0.0, 0.0, theta, 0.0}, std::vector<double>(5, 0.0));
    const double c = std::cos(theta);
    // A handful of operations on numbers of size one.
    CHECK(std::fabs(contacts.values()[1] - (1.0 - 0.8 * c * c)) < 1e-14);
    CHECK(contacts.values()[0] == 0.0);
  }
}

TEST_CASE("the normal force is the multiplier of the height, where that is a coordinate") {
  ContactWatch built_in = contacts_of(read_problem_file(find_problem("rolling-coin"))),
               constrained = contacts_of_text(coin_with_height);
  for (const State& state : {rolling(0.3, 1.1, 0.4, -0.2, 2.0), rolling(-2.0, 0.5, 1.5, 0.9, -1.0),
                             rolling(1.0, 2.2, -0.3, 1.7, 0.6)}) {
    built_in.see(0.0, state.q, state.v);
    constrained.see(0.0, state.q_with_height, state.v_with_height);
    const double force = built_in.values()[1];
    CHECK(std::fabs(force - 1.0) > 0.01);  // not the weight alone
    // The elimination of two and of three constraints, on numbers up to ten.
    CHECK(std::fabs(constrained.values()[1] - force) < 1e-13);
    CHECK(std::fabs(constrained.values()[0]) < 1e-15);
  }
}

TEST_CASE("no force is known where something else may carry the body") {
  const std::string more = coin_with_height + "[force]\nx = 1\n";
  CHECK(contacts_of_text(more).value_names().size() == 2);  // a multiplier is what it is
  ProblemFile pushed = read_problem_file(find_problem("rolling-coin"));
  pushed.force.emplace_back("theta", DocumentNode{0.1, {}, "force.theta"});
  CHECK(contacts_of(pushed).value_names() == std::vector<std::string>{"ground_gap"});
  CHECK(contacts_of(read_problem_file(find_problem("bicycle"))).value_names() ==
        std::vector<std::string>{"rear_tyre_gap", "front_tyre_gap", "front_tyre_normal_force"});
  CHECK(contacts_of(read_problem_file(find_problem("chaplygin-sleigh"))).is_empty());
}
