#pragma once
// Systems with drivers and passengers on which every term of their splitting is present.

#include "support/small_systems.hpp"
#include "support/witness.hpp"

namespace test_support {

/// problems/pendulum-cvt.toml: a potential that splits, quadratic in the passengers.
inline Witness witness_transmission() {
  const SmallSystem cvt = pendulum_cvt();
  return {cvt.system, {1.0, 0.7, 0.3}, {-0.2, 0.4, 1.5}, false, false};
}

/// problems/chaotic.toml, n = 3: quadratic in each driver and along each direction of the
/// passengers, quartic in all.
inline Witness witness_chaotic() {
  const SmallSystem chain = chaotic();
  return {chain.system, {0.7, 0.6, 0.4, 0.2, 1, 0.9, 0.8}, {0, 0.8, -0.3, 0.2, 0.3, 0.1, -0.4}};
}

/// Two drivers, one of them quartic, and `passengers` (2 to 6) passengers under the first
/// `constraints` (1 to 3) of three constraints, which stay far from being dependent. `mixed` takes
/// other constraints, combined from those, for the same motion.
inline Witness witness_drivers(std::size_t passengers, std::size_t constraints,
                               bool mixed = false) {
  TextSystem text;
  text.name = "witness-drivers-" + std::to_string(passengers) + "-" + std::to_string(constraints);
  text.coordinates = {"a", "b"};
  text.kinetic = "(1.3*a_dot^2 + 0.7*b_dot^2";
  text.potential = "a^2/2 + b^4/4 + a*b/5";
  std::vector<std::string> rows(3);
  for (std::size_t i = 1; i <= passengers; ++i) {
    const std::string x = "x" + std::to_string(i), number = std::to_string(i);
    text.coordinates.push_back(x);
    text.kinetic += " + (1 + 0.2*" + number + ")*" + x + "_dot^2";
    if (i > 1) text.kinetic += " + 0.4*x1_dot*" + x + "_dot";
    text.potential += " + (0.5 + 0.3*" + number + ")*" + x + "^2/2 + a*" + x + "^2/(9 + " + number +
                      ") + sin(" + x + " + b)/8";
    const std::string plus = i > 1 ? " + " : "";
    rows[0] += plus + (i == 1 ? "(2 + sin(a)/2)*" : "0.6*sin(a + " + number + ")*") + x + "_dot";
    rows[1] += plus + (i == 2 ? "2*" : "0.6*cos(" + number + "*b - a)*") + x + "_dot";
    rows[2] +=
        plus + (i == 3 ? "(2 - cos(b)/2)*" : "0.6*sin(2*b + " + number + "^2)*") + x + "_dot";
  }
  text.kinetic += ")/2";
  rows.resize(constraints);
  if (mixed) {
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
      rows[i] = "3*(" + rows[i] + ") + (2 + a*b)*(" + rows[i + 1] + ")";
    rows.back() = "2*(" + rows.back() + ") - (" + rows.front() + ")/4";
  }
  text.constraints = rows;
  text.reversal = std::vector<double>(passengers + 2, 1.0);
  Witness witness{define(text), {0.4, 0.5}, {0.9, -0.8}};
  for (std::size_t i = 0; i < passengers; ++i) {
    witness.q.push_back(0.5 - 0.2 * static_cast<double>(i));
    witness.v.push_back(i % 2 == 0 ? 0.6 : -0.3);
  }
  return witness;
}

}  // namespace test_support
