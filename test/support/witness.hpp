#pragma once
// Witness problems, on which every term that a method may get wrong is present, with starts.

#include <cmath>
#include <string>
#include <vector>

#include "support/text_system.hpp"

namespace test_support {

struct Witness {
  dalembert::System system;
  std::vector<double> q, v;  ///< v is to be projected onto the constraints
  bool large = false;        ///< many variables: the methods' defaults are enough
  /// Whether every term that a method may get wrong is there, so that what is not promised must
  /// fail.
  bool complete = true;
};

/// problems/witness-constant-mass.toml, with a frame.
inline Witness witness_constant_mass() {
  TextSystem text;
  text.name = "witness-constant-mass";
  text.coordinates = {"x", "y", "z"};
  text.kinetic =
      "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot + 0.4*x_dot*z_dot - "
      "0.8*y_dot*z_dot)/2";
  text.potential = "(x^2 + 1.3*y^2 + 0.7*z^2)/2 + x^2*y^2/4 + z^4/8 + sin(x + y*z)/5";
  text.constraints = {"(sin(y) + 0.3*x)*x_dot + (1 + x^2/2)*y_dot + cos(x + z)*z_dot"};
  text.frame = {{"1", "-(sin(y) + 0.3*x)/(1 + x^2/2)", "0"}, {"0", "-cos(x + z)/(1 + x^2/2)", "1"}};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// problems/witness-coupled-mass.toml, with a frame.
inline Witness witness_coupled_mass() {
  TextSystem text;
  text.name = "witness-coupled-mass";
  text.coordinates = {"x", "y", "z"};
  text.kinetic =
      "((2 + y^2/2)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2 + sin(x + "
      "z)*x_dot*y_dot/2 + cos(x*y)*y_dot*z_dot/2 + sin(y)*x_dot*z_dot/3)/2";
  text.potential = "(x^2 + 0.8*y^2 + 1.4*z^2)/2 + x*y*z/5 + (x^4 + y^4 + z^4)/12 + cos(x - 2*y)/4";
  text.constraints = {"(y + 0.2*x*z)*x_dot + (1 + x^2/3 + z^2/4)*y_dot + (sin(x) - 0.5*z)*z_dot"};
  text.frame = {{"1", "-(y + 0.2*x*z)/(1 + x^2/3 + z^2/4)", "0"},
                {"0", "-(sin(x) - 0.5*z)/(1 + x^2/3 + z^2/4)", "1"}};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {0.5, 0.7, -0.6}, {0.9, -0.1, -0.7}};
}

/// problems/witness-two-constraints.toml.
inline Witness witness_two_constraints() {
  TextSystem text;
  text.name = "witness-two-constraints";
  text.coordinates = {"a", "b", "c", "d", "e"};
  text.kinetic =
      "((1.5 + b^2/4)*a_dot^2 + (1.8 + sin(c)/2)*b_dot^2 + 2*c_dot^2 + (1.4 + cos(a)/3)*d_dot^2 + "
      "(1.2 + d^2/5)*e_dot^2 + sin(e)*a_dot*b_dot/2 + 0.4*b_dot*c_dot + cos(a*e)*c_dot*d_dot/2 - "
      "0.3*a_dot*e_dot + sin(b - d)*d_dot*e_dot/3)/2";
  text.potential =
      "(a^2 + 1.2*b^2 + 0.8*c^2 + 1.5*d^2 + 0.9*e^2)/2 + a^2*d^2/6 + b*c*e/5 + cos(a - c + e)/4 + "
      "(b^4 + e^4)/16";
  text.constraints = {"(1 + d^2/3)*a_dot + sin(b + e)*c_dot + (b - 0.3*a)*d_dot + 0.4*c*e_dot",
                      "(c + 0.2*a*d)*a_dot + (1.2 + e^2/4)*b_dot + cos(a)*d_dot/2 + (d - "
                      "0.5*b)*e_dot"};
  text.reversal = std::vector<double>{1, 1, 1, 1, 1};
  return {define(text), {0.4, -0.3, 0.6, 0.5, -0.7}, {0.1, -0.2, 0.7, -0.5, 0.8}, true};
}

/// A gyroscopic Lagrangian that is not quadratic in v, and an affine constraint.
inline Witness witness_general() {
  TextSystem text;
  text.name = "witness-general";
  text.coordinates = {"x", "y", "z"};
  text.lagrangian =
      "((2 + y^2/2)*x_dot^2 + (2 + sin(z))*y_dot^2 + (1.5 + cos(x)/2)*z_dot^2 + sin(x + "
      "z)*x_dot*y_dot/2)/2 + (x_dot^2 + y_dot^2)^2/20 + 0.3*(x*y_dot - y*x_dot)*z - (x^2 + 0.8*y^2 "
      "+ 1.4*z^2)/2 - x*y*z/5 - (x^4 + y^4 + z^4)/12";
  text.constraints = {
      "(y + 0.2*x*z)*x_dot + (1 + x^2/3)*y_dot + (sin(x) - 0.5*z)*z_dot + 0.3*x - 0.2*y"};
  return {define(text), {0.5, 0.7, -0.6}, {0.9, -0.1, -0.7}};
}

/// problems/witness-coupled.toml: a nonholonomically coupled system with a mass that is not one and
/// potentials that are not quadratic.
inline Witness witness_coupled() {
  TextSystem text;
  text.name = "witness-coupled";
  text.coordinates = {"x1", "x2", "xi"};
  text.kinetic = "(1.3*x1_dot^2 + 0.8*x2_dot^2 + 0.6*x1_dot*x2_dot + 1.5*xi_dot^2)/2";
  text.potential = "(x1^2 + 2*x2^2)/2 + x1^2*x2^2/4 + sin(x1 - x2)/3 + xi^2/2 + xi^4/8";
  text.constraints = {"cos(xi)*x1_dot + (1 + sin(xi)^2)*x2_dot"};
  text.frame = {{"1 + sin(xi)^2", "-cos(xi)", "0"}, {"0", "0", "1"}};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {1, 0.5, 0.3}, {0.4, -0.3, 1.5}, false, false};
}

/// No constraint; constant mass.
inline Witness witness_free_constant_mass() {
  TextSystem text;
  text.name = "witness-free-constant-mass";
  text.coordinates = {"x", "y"};
  text.kinetic = "(1.4*x_dot^2 + 0.9*y_dot^2 + 0.5*x_dot*y_dot)/2";
  text.potential = "(x^2 + y^2)/2 + x^2*y - y^3/3 + sin(x - y)/5";
  text.reversal = std::vector<double>{1, 1};
  return {define(text), {0.3, 0.1}, {0.34, 0.2}, false, false};
}

/// problems/witness-free.toml: no constraint; a mass matrix that depends on the configuration.
inline Witness witness_free() {
  TextSystem text;
  text.name = "witness-free";
  text.coordinates = {"x", "y"};
  text.kinetic = "((2 + y^2/2)*x_dot^2 + (2 + sin(x))*y_dot^2 + cos(x - y)*x_dot*y_dot)/2";
  text.potential = "(x^2 + 1.3*y^2)/2 + x^2*y/4 + sin(x + y)/5";
  text.reversal = std::vector<double>{1, 1};
  return {define(text), {0.3, 0.4}, {0.34, 0.5}, false, false};
}

/// No constraint; a gyroscopic Lagrangian that is not quadratic in v.
inline Witness witness_free_general() {
  TextSystem text;
  text.name = "witness-free-general";
  text.coordinates = {"x", "y"};
  text.lagrangian =
      "((2 + y^2/2)*x_dot^2 + (2 + sin(x))*y_dot^2 + cos(x - y)*x_dot*y_dot)/2 + (x_dot^2 + "
      "y_dot^2)^2/20 + 0.3*(x*y_dot - y*x_dot)*cos(x) - (x^2 + 1.3*y^2)/2 - x^2*y/4";
  return {define(text), {0.3, 0.4}, {0.34, 0.5}, false, false};
}

}  // namespace test_support
