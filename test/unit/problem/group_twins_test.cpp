// Two roads: problems on groups and the same problems in coordinates have the same motions.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// Two exact motions of some hundred extrapolations, with a few units of round-off each, of numbers
/// of up to 10, and enlarged as much by the motion.
constexpr double tolerance = test_support::round_off_of(300.0, 100.0);
using Values = std::vector<double>;
using Rotation = std::array<double, 9>;  // rows of three

/// A state after some time, its entries by the names of their columns.
class Motion {
 public:
  Motion(const Problem& problem, const Start& given, double duration)
      : start_(prepare_start(problem.system, given)),
        parameters_(named_parameter_values(problem.system, given.parameters)) {
    const Configuration& configuration = problem.system.configuration();
    ExactFlow<double> flow(problem.system, parameters_);
    double t = 0.0;
    Values q = start_.q, v = start_.v;
    REQUIRE(flow.advance(t, q, v, duration));
    const std::vector<Coordinate> stored = configuration.storage();
    for (std::size_t i = 0; i < q.size(); ++i) values_[stored[i].name] = q[i];
    const std::vector<std::string> velocities = configuration.velocity_columns();
    for (std::size_t i = 0; i < v.size(); ++i) values_[velocities[i]] = v[i];
  }
  double operator[](const std::string& name) const { return values_.at(name); }

 private:
  Start start_;
  Values parameters_;
  std::map<std::string, double> values_;
};

Motion motion(const std::string& problem, const std::string& start, double duration,
              const NamedValues& parameters = {}) {
  const Problem loaded = load_problem(problem, {.parameters = parameters});
  return {loaded, loaded.start(start), duration};
}

void check_equal(const Motion& x, const Motion& y,
                 const std::vector<std::pair<std::string, std::string>>& names) {
  for (const std::pair<std::string, std::string>& pair : names) {
    CAPTURE(pair.first);
    CHECK(std::fabs(x[pair.first] - y[pair.second]) < tolerance);
  }
}

Rotation product(const Rotation& x, const Rotation& y) {
  Rotation result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) result[3 * i + j] += x[3 * i + k] * y[3 * k + j];
    }
  }
  return result;
}

/// The turn by an angle about the axis 0, 1 or 2.
Rotation about(std::size_t axis, double angle) {
  const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
  Rotation result{};
  result[4 * axis] = 1.0;
  result[4 * next] = result[4 * last] = std::cos(angle);
  result[3 * next + last] = -std::sin(angle);
  result[3 * last + next] = std::sin(angle);
  return result;
}

/// The rotation R of a motion, from its quaternion.
Rotation rotation(const Motion& motion) {
  const double a = motion["R_q0"], b = motion["R_q1"], c = motion["R_q2"], d = motion["R_q3"];
  return {
      a * a + b * b - c * c - d * d, 2 * (b * c - a * d),           2 * (b * d + a * c),
      2 * (b * c + a * d),           a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
      2 * (b * d - a * c),           2 * (c * d + a * b),           a * a - b * b - c * c + d * d};
}

void check_rotation(const Rotation& found, const Rotation& wanted) {
  for (std::size_t i = 0; i < 9; ++i) {
    CAPTURE(i);
    CHECK(std::fabs(found[i] - wanted[i]) < tolerance);
  }
}

/// B_dot[2..3] of a motion along the axes of the plane.
std::pair<double, double> plane_velocity(const Motion& motion) {
  const double c = std::cos(motion["B_angle"]), s = std::sin(motion["B_angle"]);
  return {c * motion["B_dot_2"] - s * motion["B_dot_3"],
          s * motion["B_dot_2"] + c * motion["B_dot_3"]};
}

}  // namespace

TEST_CASE("The sleigh on SE(2) is the sleigh in coordinates") {
  for (const auto& [start, twin] :
       {std::pair{"turning", "turning"}, {"backwards", "figure-3-left"}}) {
    const Motion group = motion("chaplygin-sleigh-se2", start, 3.0);
    const Motion chart = motion("chaplygin-sleigh", twin, 3.0);
    check_equal(group, chart,
                {{"B_x", "x1"}, {"B_y", "x2"}, {"B_angle", "theta"}, {"B_dot_1", "theta_dot"}});
    const auto [vx, vy] = plane_velocity(group);
    CHECK(std::fabs(vx - chart["x1_dot"]) < tolerance);
    CHECK(std::fabs(vy - chart["x2_dot"]) < tolerance);
  }
}

TEST_CASE("The sleigh by its centre of mass is the sleigh by its blade") {
  // The centre starts where the blade does in the other file: only what moves is compared.
  const NamedValues weights{{"m", 1.2}, {"J", 0.7}, {"a", 0.6}};
  const Motion centre = motion("chaplygin-sleigh-centre", "turning", 3.0, weights);
  const Motion blade = motion("chaplygin-sleigh", "turning", 3.0, weights);
  check_equal(centre, blade, {{"theta", "theta"}, {"theta_dot", "theta_dot"}});
  const auto reach = [](double angle) {
    return std::pair{0.6 * std::cos(angle), 0.6 * std::sin(angle)};
  };
  const auto [ahead, aside] = reach(centre["theta"]);
  const auto [first, second] = reach(0.5);
  CHECK(std::fabs(centre["x"] - ahead - (blade["x1"] - first)) < tolerance);
  CHECK(std::fabs(centre["y"] - aside - (blade["x2"] - second)) < tolerance);
  CHECK(std::fabs(centre["x_dot"] + aside * centre["theta_dot"] - blade["x1_dot"]) < tolerance);
  CHECK(std::fabs(centre["y_dot"] - ahead * centre["theta_dot"] - blade["x2_dot"]) < tolerance);
}

TEST_CASE("The snakeboard on SE(2) is the snakeboard in coordinates") {
  const Motion group = motion("snakeboard-se2", "turning", 2.0);
  const Motion chart = motion("snakeboard", "turning", 2.0);
  check_equal(group, chart,
              {{"B_x", "x"},
               {"B_y", "y"},
               {"B_angle", "theta"},
               {"psi", "psi"},
               {"phi_1", "phi_1"},
               {"phi_2", "phi_2"},
               {"B_dot_1", "theta_dot"},
               {"psi_dot", "psi_dot"},
               {"phi_1_dot", "phi_1_dot"},
               {"phi_2_dot", "phi_2_dot"}});
  const auto [vx, vy] = plane_velocity(group);
  CHECK(std::fabs(vx - chart["x_dot"]) < tolerance);
  CHECK(std::fabs(vy - chart["y_dot"]) < tolerance);
}

TEST_CASE("The unicycle with a spring is the rolling disk with a spring") {
  const NamedValues values{{"m", 1.3}, {"J", 0.7}, {"I", 0.4}, {"R", 0.8}, {"k", 0.9}};
  const Motion group = motion("unicycle-spring", "generic", 3.0, values);
  Problem disk = load_problem(
      "rolling-disk",
      {.parameters = {{"m", 1.3}, {"J_theta", 0.7}, {"J_phi", 0.4}, {"r", 0.8}, {"k", 0.9}}});
  const double speed = 0.9 * 0.8;
  const Motion chart{
      disk,
      {.q = {1.0, -0.4, 0.3, 0.1}, .v = {speed * std::cos(0.3), speed * std::sin(0.3), 0.7, 0.9}},
      3.0};
  check_equal(group, chart,
              {{"B_x", "x"},
               {"B_y", "y"},
               {"B_angle", "theta"},
               {"phi", "phi"},
               {"B_dot_1", "theta_dot"},
               {"phi_dot", "phi_dot"}});
}

TEST_CASE("Suslov's body has the momenta of the reduced problem") {
  const Motion group = motion("suslov-so3", "no-field", 3.0);
  const Motion reduced = motion("suslov", "generic", 3.0);
  CHECK(std::fabs(1.0 * group["R_dot_1"] - reduced["rho_1"]) < tolerance);
  CHECK(std::fabs(2.0 * group["R_dot_2"] - reduced["rho_2"]) < tolerance);
  CHECK(std::fabs(group["R_dot_3"]) < tolerance);
}

TEST_CASE("The free rigid body has the momenta of Euler's equations") {
  const Motion group = motion("rigid-body-so3", "near-middle-axis", 10.0);
  const Motion reduced = motion("rigid-body", "near-middle-axis", 10.0);
  CHECK(std::fabs(1.0 * group["R_dot_1"] - reduced["pi_1"]) < tolerance);
  CHECK(std::fabs(2.0 * group["R_dot_2"] - reduced["pi_2"]) < tolerance);
  CHECK(std::fabs(2.5 * group["R_dot_3"] - reduced["pi_3"]) < tolerance);
}

TEST_CASE("The disk on SO(3) is the disk by angles") {
  const Motion group = motion("tilting-disk-so3", "wobbling", 3.0);
  const Motion chart = motion("tilting-disk", "wobbling", 3.0);
  check_equal(group, chart,
              {{"x", "x"},
               {"y", "y"},
               {"z", "z"},
               {"x_dot", "x_dot"},
               {"y_dot", "y_dot"},
               {"z_dot", "z_dot"}});
  const double quarter = std::acos(0.0);
  check_rotation(rotation(group),
                 product(product(about(2, chart["psi"]), about(0, -chart["theta"] - quarter)),
                         about(2, chart["phi"])));
}

TEST_CASE("The rattleback on SO(3) is the rattleback by angles") {
  for (const char* start : {"reversing", "steady"}) {
    const Motion group = motion("rattleback-so3", start, 0.5);
    const Motion chart = motion("rattleback", start, 0.5);
    check_equal(group, chart,
                {{"x", "x"},
                 {"y", "y"},
                 {"z", "z"},
                 {"x_dot", "x_dot"},
                 {"y_dot", "y_dot"},
                 {"z_dot", "z_dot"}});
    check_rotation(rotation(group),
                   product(product(about(2, chart["gamma"]), about(0, chart["alpha"])),
                           about(1, chart["beta"])));
  }
}

TEST_CASE("The pinned top is the top with the moments of inertia at the pin") {
  const double l = 0.7, m = 1.4;
  const Motion pinned = motion("heavy-top-pinned", "generic", 3.0,
                               {{"m", m}, {"l", l}, {"I1", 0.5}, {"I2", 0.6}, {"I3", 0.3}});
  Problem top = load_problem(
      "heavy-top",
      {.parameters = {
           {"m", m}, {"l", l}, {"I1", 0.5 + m * l * l}, {"I2", 0.6 + m * l * l}, {"I3", 0.3}}});
  const double half = std::acos(-1.0) / 8;
  const Motion fixed{
      top, {.q = {std::cos(half), std::sin(half), 0, 0}, .v = {0.4, -0.6, 2.0}}, 3.0};
  check_rotation(rotation(pinned), rotation(fixed));
  for (const char* name : {"R_dot_1", "R_dot_2", "R_dot_3"})
    CHECK(std::fabs(pinned[name] - fixed[name]) < tolerance);
  CHECK(std::fabs(pinned["y_3"] - l * rotation(fixed)[8]) < tolerance);
}

TEST_CASE("A homogeneous ball on a turntable runs on a circle at its rate") {
  // x' = -a (y - c2) and y' = a (x - c1) with a = I Omega/(I + m r^2); here 2/7 Omega.
  const double omega = 1.3, a = 2.0 / 7.0 * omega, duration = 4.0;
  const Motion ball = motion("ball-on-turntable", "circle", duration, {{"Omega", omega}});
  const double x0 = 1.0, y0 = 0.0, vx0 = 0.0, vy0 = 0.5;
  const double c1 = x0 - vy0 / a, c2 = y0 + vx0 / a, turn = a * duration;
  const double dx = x0 - c1, dy = y0 - c2;
  CHECK(std::fabs(ball["x"] - (c1 + std::cos(turn) * dx - std::sin(turn) * dy)) < tolerance);
  CHECK(std::fabs(ball["y"] - (c2 + std::sin(turn) * dx + std::cos(turn) * dy)) < tolerance);
  const Rotation r = rotation(ball);
  const double spin = r[6] * ball["R_dot_1"] + r[7] * ball["R_dot_2"] + r[8] * ball["R_dot_3"];
  CHECK(std::fabs(spin - 0.3) < tolerance);
}

TEST_CASE("A free particle on the Heisenberg group follows its one-parameter subgroup") {
  const double t = 3.0;
  const Motion particle = motion("heisenberg-h3", "generic", t);
  const double x = 1.0, y = 0.5, z = -0.2, u = 0.3 * t, w = -0.8 * t;
  CHECK(std::fabs(particle["P_x"] - (x + u)) < tolerance);
  CHECK(std::fabs(particle["P_y"] - (y + w)) < tolerance);
  CHECK(std::fabs(particle["P_z"] - (z + (x * w - y * u) / 2)) < tolerance);
}

TEST_CASE("Lagrange's top keeps its momentum about its own axis") {
  const Motion top = motion("heavy-top", "fast", 3.0);
  CHECK(std::fabs(top["R_dot_3"] - 8.0) < tolerance);
}

TEST_CASE("The car turns as its wheels point") {
  const Motion car = motion("car-se2", "weaving", 3.0);
  CHECK(std::fabs(car["B_dot_3"]) < tolerance);
  CHECK(std::fabs(car["B_dot_1"] * std::cos(car["delta"]) -
                  car["B_dot_2"] * std::sin(car["delta"])) < tolerance);
  // The steering swings as a spring does, whatever the car does: k/Js = 2.
  const double rate = std::sqrt(2.0);
  CHECK(std::fabs(car["delta"] - (0.3 * std::cos(3 * rate) + 0.4 / rate * std::sin(3 * rate))) <
        tolerance);
}
