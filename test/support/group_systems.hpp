#pragma once
// Systems on Lie groups written in code, with admissible starts: for tests that need no problem
// files. Each has what a method may get wrong there: unequal moments of inertia, momenta and forces
// that do not commute, constraints that turn with the body.

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace test_support {

struct GroupSystem {
  dalembert::System system;
  std::vector<double> q, v;  ///< v is to be projected onto the constraints
};

/// The unit quaternion of a rotation vector.
inline std::vector<double> quaternion(double x, double y, double z) {
  const double angle = std::sqrt(x * x + y * y + z * z), s = std::sin(angle / 2.0) / angle;
  return {std::cos(angle / 2.0), s * x, s * y, s * z};
}

inline std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// Row i of the matrix times a vector, both as expressions.
inline dalembert::Expr along(const dalembert::Matrix& rotation, std::size_t i,
                             const dalembert::Vector& body) {
  return dalembert::dot(rotation.row(i), body);
}

/// A ball of unequal moments of inertia that rolls on a turning table: constraints affine in the
/// velocities; keeps contact_1, contact_2, spin, and its moving energy.
inline GroupSystem rolling_ball() {
  using namespace dalembert;
  SystemDescription description{.name = "rolling-ball",
                                .coordinates = {{"R", false, "SO(3)"}, {"x"}, {"y"}},
                                .parameters = {{"I1", 0.3}, {"I2", 0.4}, {"I3", 0.55}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Expr x = s.element("x").variables[0], y = s.element("y").variables[0];
    const Expr x_dot = s.element("x").velocity[0], y_dot = s.element("y").velocity[0];
    const Vector moments = s.parameter_list;
    Vector momentum;
    for (std::size_t i = 0; i < 3; ++i) momentum.push_back(moments[i] * R.velocity[i]);
    Mechanics m;
    const Expr spinning = dot(momentum, R.velocity);
    m.kinetic = (square(x_dot) + square(y_dot) + spinning) / 2.0;
    m.constraints = {x_dot - along(R.matrix, 1, R.velocity) + y,
                     y_dot + along(R.matrix, 0, R.velocity) - x};
    const Expr spin = along(R.matrix, 2, momentum);
    m.integrals = {{"contact_1", x_dot + along(R.matrix, 1, momentum)},
                   {"contact_2", y_dot - along(R.matrix, 0, momentum)},
                   {"spin", spin},
                   {"moving_energy", m.kinetic - (x * y_dot - y * x_dot + spin)}};
    return m;
  });
  return {system, joined(quaternion(0.3, -0.2, 0.5), {0.6, -0.2}), {0.2, 0.1, 0.5, 0.3, 0.4}};
}

/// A wheel on an upright axle in the plane, held to the origin by a spring: linear constraints.
inline GroupSystem unicycle() {
  using namespace dalembert;
  SystemDescription description{.name = "unicycle",
                                .coordinates = {{"B", false, "SE(2)"}, {"roll", true}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& body = s.element("B");
    const Expr roll = s.element("roll").velocity[0];
    const Vector& v = body.velocity;
    Mechanics m;
    m.kinetic =
        (1.2 * square(v[1]) + 1.2 * square(v[2]) + 0.7 * square(v[0]) + 0.4 * square(roll)) / 2.0;
    m.potential = (square(body.variables[1]) + square(body.variables[2])) / 2.0;
    m.constraints = {v[1] - 0.8 * roll, v[2]};
    m.reversal = std::vector<double>{1.0, 1.0};
    return m;
  });
  return {system, {0.4, 0.9, -0.5, 0.2}, {0.8, 0.6, 0.0, 0.75}};
}

/// A heavy top with a fixed point: no constraints; keeps spatial momentum about the vertical.
inline GroupSystem heavy_top() {
  using namespace dalembert;
  SystemDescription description{.name = "heavy-top", .coordinates = {{"R", false, "SO(3)"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector momentum{0.6 * R.velocity[0], 0.9 * R.velocity[1], 1.3 * R.velocity[2]};
    Mechanics m;
    m.kinetic = dot(momentum, R.velocity) / 2.0;
    m.potential = 0.8 * R.matrix(2, 2) + 0.3 * R.matrix(2, 0);
    m.integrals = {{"vertical_momentum", along(R.matrix, 2, momentum)}};
    m.reversal = std::vector<double>{1.0};
    return m;
  });
  return {system, quaternion(0.5, -0.3, 0.4), {0.7, -0.4, 1.1}};
}

/// Suslov's body, with all products of inertia, under gravity: a linear constraint.
inline GroupSystem suslov() {
  using namespace dalembert;
  SystemDescription description{.name = "suslov", .coordinates = {{"R", false, "SO(3)"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector& w = R.velocity;
    Mechanics m;
    m.kinetic = (1.1 * square(w[0]) + 1.4 * square(w[1]) + 0.9 * square(w[2])) / 2.0 +
                0.2 * w[0] * w[1] + 0.3 * w[0] * w[2] - 0.25 * w[1] * w[2];
    m.potential = -0.7 * R.matrix(2, 2);
    m.constraints = {w[2]};
    m.reversal = std::vector<double>{1.0};
    return m;
  });
  return {system, quaternion(0.4, 0.6, -0.2), {0.9, -0.6, 0.0}};
}

/// The heavy top as a body that a pin holds: three constraints on positions alone.
inline GroupSystem pinned_top() {
  using namespace dalembert;
  SystemDescription description{.name = "pinned-top",
                                .coordinates = {{"R", false, "SO(3)"}, {"y1"}, {"y2"}, {"y3"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector& w = R.velocity;
    const Vector y = slice(s.variables, 9, 3), y_dot = slice(s.v, 3, 3);
    const Vector chi{0.1, -0.2, 0.9};
    Mechanics m;
    m.kinetic =
        (0.5 * square(w[0]) + 0.6 * square(w[1]) + 0.4 * square(w[2]) + dot(y_dot, y_dot)) / 2.0;
    m.potential = 0.8 * y[2];
    for (std::size_t i = 0; i < 3; ++i) m.holonomic.push_back(y[i] - along(R.matrix, i, chi));
    m.reversal = std::vector<double>{1.0, 1.0, 1.0, 1.0};
    return m;
  });
  return {system,
          joined(quaternion(0.4, -0.3, 0.6), {0.2, -0.3, 0.9}),
          {0.6, -0.3, 0.8, 0.1, 0.2, -0.1}};
}

/// A disk that rolls on a plane under gravity: constraints on velocities and one on positions.
inline GroupSystem tilting_disk() {
  using namespace dalembert;
  SystemDescription description{.name = "tilting-disk",
                                .coordinates = {{"R", false, "SO(3)"}, {"y1"}, {"y2"}, {"y3"}}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    const Symbols::Element& R = s.element("R");
    const Vector& w = R.velocity;
    const Vector y = slice(s.variables, 9, 3), y_dot = slice(s.v, 3, 3);
    const Expr leaning = sqrt(1.0 - square(R.matrix(2, 2)));
    const Expr a = -0.8 * R.matrix(2, 0) / leaning, b = -0.8 * R.matrix(2, 1) / leaning;
    const Vector contact_velocity{-w[2] * b, w[2] * a, w[0] * b - w[1] * a};
    Mechanics m;
    m.kinetic =
        (dot(y_dot, y_dot) + 0.25 * (square(w[0]) + square(w[1])) + 0.45 * square(w[2])) / 2.0;
    m.potential = 1.3 * y[2];
    for (std::size_t i = 0; i < 2; ++i)
      m.constraints.push_back(y_dot[i] + along(R.matrix, i, contact_velocity));
    m.holonomic = {y[2] - 0.8 * leaning};
    m.reversal = std::vector<double>{1.0, 1.0, 1.0, 1.0};
    return m;
  });
  return {
      system, joined(quaternion(1.2, 0.3, 0.2), {0.1, -0.2, 0.75}), {0.3, 0.4, 4.0, 0.2, 0.1, 0.0}};
}

inline std::vector<GroupSystem> group_systems() {
  return {rolling_ball(), unicycle(), heavy_top(), suslov(), pinned_top(), tilting_disk()};
}

}  // namespace test_support
