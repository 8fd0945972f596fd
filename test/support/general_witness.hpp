#pragma once
// Witness problems for general systems: nonlinear constraints, explicit time, forces, constraints
// on positions. All functions are analytic, so that high orders show.

#include "support/witness.hpp"

namespace test_support {

/// A coupled mass and a constraint that is quadratic in the velocities with coefficients of q.
inline Witness witness_nonlinear() {
  TextSystem text;
  text.name = "witness-nonlinear";
  text.coordinates = {"x", "y", "z"};
  text.kinetic =
      "((2 + y^2/2)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2 + sin(x + "
      "z)*x_dot*y_dot/2)/2";
  text.potential = "(x^2 + 0.8*y^2 + 1.4*z^2)/2 + x*y*z/5 + (x^4 + y^4 + z^4)/12";
  text.constraints = {
      "(1 + x^2/4)*x_dot^2 + 1.3*y_dot^2 + (1 + sin(y)/3)*z_dot^2 + 0.3*x*y_dot - 0.2*z - 1.7"};
  text.reversal = std::nullopt;
  return {define(text), {0.5, 0.7, -0.6}, {0.9, -0.3, -0.7}};
}

/// Everything depends on time: mass, gyroscopic term, potential, force and an affine constraint.
inline Witness witness_forced_time() {
  TextSystem text;
  text.name = "witness-forced-time";
  text.coordinates = {"x", "y", "z"};
  text.lagrangian =
      "((2 + y^2/2 + sin(t)/3)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2 + sin(x + "
      "z)*x_dot*y_dot/2)/2 + 0.3*(x*y_dot - y*x_dot)*z*cos(t) - (x^2 + 0.8*y^2 + 1.4*z^2)/2 - "
      "x*y*z*(1 + t^2)/5 - (x^4 + y^4 + z^4)/12";
  text.constraints = {
      "(y + 0.2*x*z)*x_dot + (1 + x^2/3 + sin(t)/4)*y_dot + (sin(x) - 0.5*z)*z_dot + 0.3*x - "
      "0.2*cos(2*t)"};
  text.force = {"-0.1*x_dot + 0.2*sin(t)", "0.1*x*z_dot*cos(t)", "-0.05*z_dot^3 + 0.1*x*y_dot"};
  return {define(text), {0.5, 0.7, -0.6}, {0.9, -0.1, -0.7}};
}

/// The same with constant mass, without a gyroscopic term.
inline Witness witness_forced_time_constant_mass() {
  TextSystem text;
  text.name = "witness-forced-time-constant-mass";
  text.coordinates = {"x", "y", "z"};
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot - 0.8*y_dot*z_dot)/2";
  text.potential = "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2*cos(t)/4 + z^4/8 + sin(x + y*z + t)/5";
  text.constraints = {
      "(sin(y) + 0.3*x)*x_dot + (1 + x^2/2 + sin(t)/4)*y_dot + cos(x + z)*z_dot + 0.3*x - "
      "0.2*cos(2*t)"};
  text.force = {"-0.1*x_dot + 0.2*sin(t)", "0.1*x*z_dot*cos(t)", "-0.05*z_dot^3 + 0.1*x*y_dot"};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// Constant mass, potential and constraint depend on time, and no force acts: the only systems on
/// which some methods write their steps in a shorter form.
inline Witness witness_timed_constant_mass() {
  TextSystem text;
  text.name = "witness-timed-constant-mass";
  text.coordinates = {"x", "y", "z"};
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot - 0.8*y_dot*z_dot)/2";
  text.potential = "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2*cos(t)/4 + z^4/8 + sin(x + y*z + t)/5";
  text.constraints = {
      "(sin(y + t) + 0.3*x)*x_dot + (1 + x^2/2 + sin(t)/4)*y_dot + cos(x + z - 2*t)*z_dot + 0.3*x "
      "- 0.2*cos(2*t)"};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// A constraint on positions beside one on velocities, with a coupled mass.
inline Witness witness_holonomic() {
  TextSystem text;
  text.name = "witness-holonomic";
  text.coordinates = {"a", "b", "c", "d"};
  text.kinetic =
      "((1.5 + b^2/4)*a_dot^2 + (1.8 + sin(c)/2)*b_dot^2 + 2*c_dot^2 + (1.4 + cos(a)/3)*d_dot^2 + "
      "sin(d)*a_dot*b_dot/2 + 0.4*b_dot*c_dot)/2";
  text.potential = "(a^2 + 1.2*b^2 + 0.8*c^2 + 1.5*d^2)/2 + a^2*d^2/6 + b*c*d/5 + cos(a - c)/4";
  text.constraints = {"(1 + d^2/3)*a_dot + sin(b)*c_dot + (b - 0.3*a)*d_dot"};
  text.holonomic = {"a^2 + b^2 + (1 + sin(a)/5)*c^2 + d^2 - 1.2 + b*c/3"};
  text.reversal = std::vector<double>{1, 1, 1, 1};
  return {define(text), {0.4, -0.3, 0.6, 0.7}, {0.5, -0.2, 0.7, -0.5}};
}

/// A constraint on positions that moves, and nothing else.
inline Witness witness_moving_surface() {
  TextSystem text;
  text.name = "witness-moving-surface";
  text.coordinates = {"x", "y", "z"};
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot - 0.8*y_dot*z_dot)/2";
  text.potential = "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2/4 + z^4/8";
  text.holonomic = {"x^2 + y^2 + (1 + sin(x)/5)*z^2 - 1.2 - sin(t)/4"};
  return {define(text), {0.6, -0.4, 0.8}, {0.8, -0.2, 0.9}};
}

/// A constraint on positions with a quartic potential and constant mass, at rest in time.
inline Witness witness_surface() {
  TextSystem text;
  text.name = "witness-surface";
  text.coordinates = {"x", "y", "z"};
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot - 0.8*y_dot*z_dot)/2";
  text.potential = "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2/4 + z^4/8";
  text.holonomic = {"x^2 + y^2 + (1 + sin(x)/5)*z^2 - 1.2"};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {0.6, -0.4, 0.8}, {0.8, -0.2, 0.9}};
}

}  // namespace test_support
