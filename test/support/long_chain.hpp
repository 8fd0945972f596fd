#pragma once
// Chains of any length: problems/wheeled-chain.toml, with its start.

#include <cmath>
#include <string>

#include "small_systems.hpp"

namespace test_support {

/// n hinged rods of length 1 on wheels, on a circle, turning about its middle at speed 1.
inline SmallSystem wheeled_chain(std::size_t n) {
  using namespace dalembert;
  SystemDescription description{"wheeled-chain", {}};
  for (const char* array : {"x_", "y_"}) {
    for (std::size_t i = 0; i <= n; ++i)
      description.coordinates.push_back({array + std::to_string(i)});
  }
  description.parameters = {{.name = "m", .value = 1.0, .min = 0.0, .min_exclusive = true}};
  SmallSystem chain{
      System::define(std::move(description),
                     [n](const Symbols& s) {
                       const Expr *x = s.q.data(), *y = x + n + 1;
                       const Expr *u = s.v.data(), *v = u + n + 1;
                       Mechanics m;
                       Vector wheels;
                       for (std::size_t i = 0; i < n; ++i) {
                         const Expr dx = x[i + 1] - x[i], dy = y[i + 1] - y[i];
                         for (const Expr* w : {u, v}) {
                           const Expr both = w[i] * w[i + 1] + square(w[i]);
                           m.kinetic += s["m"] / 6.0 * (both + square(w[i + 1]));
                         }
                         m.constraints.push_back(dx * (u[i + 1] - u[i]) + dy * (v[i + 1] - v[i]));
                         wheels.push_back(dx * (v[i + 1] + v[i]) - dy * (u[i + 1] + u[i]));
                       }
                       m.constraints = concatenate({m.constraints, wheels});
                       for (const Expr* z : {x, y}) {
                         for (std::size_t i = 1; i < n; ++i)
                           m.potential += 0.05 * square(z[i + 1] - 2.0 * z[i] + z[i - 1]);
                       }
                       return m;
                     }),
      {},
      {}};
  const double angle = 0.1, radius = 0.5 / std::sin(0.5 * angle);
  for (const double quarter : {0.0, std::acos(0.0)}) {
    for (std::size_t i = 0; i <= n; ++i) {
      chain.q.push_back(radius * std::cos(angle * double(i) - quarter));
      chain.v.push_back(-std::sin(angle * double(i) - quarter));
    }
  }
  return chain;
}

}  // namespace test_support
