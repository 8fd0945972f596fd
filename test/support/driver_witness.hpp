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

/// problems/chaotic.toml, n pairs (there at least two): quadratic in each driver and along each
/// direction of the passengers, quartic in all.
inline Witness witness_chain(std::size_t n) {
  TextSystem text;
  text.name = "chain-" + std::to_string(n);
  text.coordinates = {"x"};
  for (const char* array : {"w", "z"}) {
    for (std::size_t i = 1; i <= n; ++i) text.coordinates.push_back(array + std::to_string(i));
  }
  std::string speeds = "x_dot^2", squares = n > 1 ? "x^2 + z1^2*z2^2" : "x^2", held = "x_dot";
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string w = "w" + std::to_string(i), z = "z" + std::to_string(i);
    speeds += " + " + w + "_dot^2 + " + z + "_dot^2";
    squares += " + " + w + "^2 + " + z + "^2 + " + w + "^2*" + z + "^2";
    held += " + " + w + "*" + z + "_dot";
  }
  text.kinetic = "(" + speeds + ")/2";
  text.potential = "(" + squares + ")/2";
  text.constraints = {held};
  text.reversal = std::vector<double>(2 * n + 1, 1.0);
  Witness witness{define(text), {}, {}};
  for (std::size_t i = 0; i < 2 * n + 1; ++i) {
    const auto number = static_cast<double>(i);
    witness.q.push_back(0.9 * std::sin(1.0 + 1.3 * number));
    witness.v.push_back(0.7 * std::cos(0.4 + 2.1 * number));
  }
  return witness;
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
