#pragma once
// Controlled systems whose least costs are known, and what is asked of them.

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/control/optimal_control.hpp"
#include "support/text_system.hpp"

namespace test_support {

inline dalembert::SensitiveQuantity half_squares(const std::vector<std::string>& controls) {
  return {"effort", [controls](const dalembert::Symbols& s, const dalembert::Vector&) {
            dalembert::Expr sum = 0.0;
            for (const std::string& name : controls) sum += 0.5 * s[name] * s[name];
            return sum;
          }};
}

inline dalembert::SensitiveQuantity element(const std::string& name, double target = 0.0) {
  return {name, [name, target](const dalembert::Symbols& s, const dalembert::Vector&) {
            return s.element(name).variables[0] - target;
          }};
}

inline dalembert::SensitiveQuantity rate(std::size_t i) {
  return {"rate", [i](const dalembert::Symbols& s, const dalembert::Vector&) { return s.v[i]; }};
}

/// A wheel that is pushed along its heading and turned, of unit mass and moment of inertia.
inline dalembert::Problem pushed_wheel() {
  TextSystem text{"pushed-wheel", {"x", "y", "theta"}, "(x_dot^2 + y_dot^2 + theta_dot^2)/2", "0"};
  text.constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"};
  text.parameters = {{"push", 0.0}, {"torque", 0.0}};
  text.force = {"push*cos(theta)", "push*sin(theta)", "torque"};
  return {define(text), {dalembert::Start{.q = {0.0, 0.0, 0.0}, .v = {0.0, 0.0, 0.0}}}};
}

/// Parking sideways in a time of 4, with that many steps.
inline dalembert::ControlOptions parking(std::uint64_t steps, std::size_t trials = 4) {
  dalembert::ControlOptions options{.step = 4.0 / static_cast<double>(steps), .steps = steps};
  options.by = {"push", "torque"};
  options.cost = half_squares(options.by);
  options.end = dalembert::StartChoice({0.0, 1.0, 0.0}, {0.0, 0.0, 0.0});
  options.trials = trials;
  return options;
}

}  // namespace test_support
