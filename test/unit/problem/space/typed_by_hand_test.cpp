// Systems written with bodies and contacts are those typed by hand.
#include <string>

#include "dalembert/problem/load_problem.hpp"
#include "unit/problem/space/same_motion.hpp"

using namespace dalembert;
using namespace space_test;

namespace {

/// The coordinates and parameters of tilting-disk.
const std::string tilting_disk = R"toml(
coordinates = ["x", "y", "z", "psi", "theta", "phi"]
angles      = ["psi", "phi"]
gravity     = [0, 0, "-g"]
[parameters]
m          = { default = 1.0, min = 0.0, min_exclusive = true }
r          = { default = 1.0, min = 0.0, min_exclusive = true }
g          = { default = 1.0, min = 0.0 }
I_axis     = { default = 0.5, min = 0.0, min_exclusive = true }
I_diameter = { default = 0.25, min = 0.0, min_exclusive = true }
[[body]]
name     = "disk"
mass     = "m"
position = ["x", "y", "z"]
)toml";

const std::string ball_parameters = R"toml(
coordinates = ["R in SO(3)", "x", "y"]
[parameters]
m     = 1
r     = 1
I1    = 0.4
I2    = 0.4
I3    = 0.4
Omega = 1
[[body]]
name     = "ball"
mass     = "m"
inertia  = ["I1", "I2", "I3"]
position = ["x", "y", "r"]
rotation = "R"
[[contact]]
name = "table"
body = "ball"
kind = "rolling"
shape = { sphere = "r" }
)toml";

const std::string rattleback = R"toml(
coordinates = ["R in SO(3)", "x", "y", "z"]
gravity     = [0, 0, "g"]
[parameters]
a = 0.20
b = 0.03
c = 0.02
h = 0.01
M = 1.0
A = 2e-4
B = 16e-4
C = 17e-4
D = -0.2e-4
g = 9.81
[[contact]]
name  = "plane"
body  = "celt"
kind  = "rolling"
point = [0, 0, "-h"]
shape = { ellipsoid = ["a", "b", "c"] }
plane = { point = [0, 0, 0], normal = [0, 0, -2] }
[[body]]
name     = "celt"
mass     = "M"
inertia  = [["A", "D", 0], ["D", "B", 0], [0, 0, "C"]]
position = ["x", "y", "z"]
rotation = "R"
)toml";

const std::string drive_by_hand = R"toml(
coordinates = ["x", "y", "theta", "phi_l", "phi_r"]
angles      = ["theta", "phi_l", "phi_r"]
[parameters]
m     = { default = 2.0, min = 0.0, min_exclusive = true }
J     = { default = 0.5, min = 0.0, min_exclusive = true }
J_w   = { default = 0.1, min = 0.0, min_exclusive = true }
d     = 0.2
b     = { default = 0.5, min = 0.0, min_exclusive = true }
r     = { default = 0.3, min = 0.0, min_exclusive = true }
tau_l = 0.3
tau_r = 0.2
k     = { default = 0.1, min = 0.0 }
[lagrangian]
kinetic = """(m*((x_dot - d*sin(theta)*theta_dot)^2 + (y_dot + d*cos(theta)*theta_dot)^2) + J*theta_dot^2 \
+ J_w*(phi_l_dot^2 + phi_r_dot^2))/2"""
[constraints]
expressions = [
  "cos(theta)*x_dot + sin(theta)*y_dot - b*theta_dot - r*phi_l_dot",
  "-sin(theta)*x_dot + cos(theta)*y_dot",
  "cos(theta)*x_dot + sin(theta)*y_dot + b*theta_dot - r*phi_r_dot",
]
[force]
phi_l = "tau_l - k*phi_l_dot"
phi_r = "tau_r - k*phi_r_dot"
)toml";

const std::string coin_by_hand = R"toml(
coordinates = ["x", "y", "psi", "theta", "phi"]
angles      = ["psi", "phi"]
[parameters]
m = { default = 1.0, min = 0.0, min_exclusive = true }
r = { default = 1.0, min = 0.0, min_exclusive = true }
g = { default = 1.0, min = 0.0 }
[lagrangian]
kinetic   = """m*(x_dot^2 + y_dot^2 + (r*cos(theta)*theta_dot)^2)/2 \
+ m*r^2*(theta_dot^2 + (psi_dot*sin(theta))^2)/8 + m*r^2*(phi_dot + psi_dot*cos(theta))^2/4"""
potential = "m*g*r*sin(theta)"
[constraints]
expressions = [
  "cos(psi)*x_dot + sin(psi)*y_dot + r*(phi_dot + psi_dot*cos(theta))",
  "-sin(psi)*x_dot + cos(psi)*y_dot + r*sin(theta)*theta_dot",
]
)toml";

}  // namespace

TEST_CASE("A coin whose height is built into the coordinates is the one typed by hand") {
  const Problem coin = load_problem("rolling-coin");
  CHECK(coin.system.constraint_count() == 2);
  CHECK(coin.system.holonomic_count() == 0);
  const Problem typed = problem_of(coin_by_hand);
  for (const Start& start : coin.starts) check_same(coin, typed, start);
}

TEST_CASE("The height of a disk becomes a constraint where the coordinates leave it free") {
  const Problem typed = load_problem("tilting-disk");
  const std::string contact = R"toml(
[[contact]]
name  = "ground"
body  = "disk"
kind  = "KIND"
shape = { disk = "r", axis = "AXIS" }
)toml";
  const auto with = [&](const std::string& rest, const std::string& kind, const std::string& axis) {
    std::string text = tilting_disk + rest + contact;
    text.replace(text.find("KIND"), 4, kind);
    return text.replace(text.find("AXIS"), 4, axis);
  };
  const std::string about_y = R"toml(
inertia  = ["I_diameter", "I_axis", "I_diameter"]
rotation = [["z", "psi"], ["x", "-theta"], ["y", "phi"]]
)toml";
  const std::string about_z = R"toml(
inertia  = ["I_diameter", "I_diameter", "I_axis"]
rotation = [["z", "psi"], ["x", "-theta - pi/2"], ["z", "phi"]]
)toml";
  for (const std::string& text : {with(about_y, "rolling", "y"), with(about_y, "wheel", "y"),
                                  with(about_z, "rolling", "z")}) {
    const Problem disk = problem_of(text);
    CHECK(disk.system.nonholonomic_count() == 2);
    CHECK(disk.system.holonomic_count() == 1);
    check_same(disk, typed, typed.start("wobbling"));
  }
}

TEST_CASE("A ball rolls on a table that turns") {
  const Problem typed = load_problem("ball-on-turntable");
  const std::string velocity = "velocity = \"cross([0, 0, Omega], table.point)\"\n";
  const Problem ball = problem_of(ball_parameters + velocity);
  CHECK(ball.system.traits().constraints == ConstraintKind::affine);
  for (const Start& start : typed.starts) check_same(ball, typed, start);
}

TEST_CASE("An ellipsoid rolls on a plane seen from above or below") {
  const Problem typed = load_problem("rattleback-so3");
  const Problem celt = problem_of(rattleback);
  check_same(celt, typed, typed.start("reversing"), 0.1);
}

TEST_CASE("A body in the plane with two wheels is the robot typed by hand") {
  const Problem robot = load_problem("differential-drive");
  CHECK(robot.system.constraint_count() == 3);
  const Problem typed = problem_of(drive_by_hand);
  for (const Start& start : robot.starts) check_same(robot, typed, start);
}
