#pragma once
// Systems written in code, with a start each: for tests and benchmarks that need no problem files.

#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace test_support {

struct SmallSystem {
  dalembert::System system;
  std::vector<double> q, v;
};

/// Two oscillators joined by a transmission whose gear a pendulum sets: problems/pendulum-cvt.toml.
inline SmallSystem pendulum_cvt() {
  using namespace dalembert;
  SystemDescription description{"pendulum-cvt", {{"x1"}, {"x2"}, {"xi", true}}, {{"epsilon", 0.0}}};
  return {System::define(std::move(description),
                         [](const Symbols& s) {
                           const Expr &x1 = s.q[0], &x2 = s.q[1], &xi = s.q[2];
                           Mechanics m;
                           m.kinetic = (square(s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
                           m.potential = (square(x1) + square(x2)) / 2.0 + 1.0 - cos(xi) -
                                         s["epsilon"] * sin(2.0 * xi) / 2.0;
                           m.constraints = {s.v[0] + sin(xi) * s.v[1]};
                           m.reversal = std::vector<double>{1, 1, 1};
                           m.frame = {{-sin(xi), 1.0, 0.0}, {0.0, 0.0, 1.0}};
                           return m;
                         }),
          {1.0, 1.0, 0.0},
          {0.0, 0.0, 1.8973666}};
}

/// 2n + 1 coupled oscillators: problems/chaotic.toml, start "ensemble" for n = 3.
inline SmallSystem chaotic() {
  using namespace dalembert;
  constexpr std::size_t n = 3;
  SystemDescription description{"chaotic", {{"x"}}};
  for (const char* array : {"w_", "z_"}) {
    for (std::size_t i = 1; i <= n; ++i)
      description.coordinates.push_back({array + std::to_string(i)});
  }
  return {System::define(std::move(description),
                         [](const Symbols& s) {
                           const Expr* w = s.q.data() + 1;
                           const Expr* z = w + n;
                           Mechanics m;
                           Expr constraint = s.v[0];
                           for (std::size_t i = 0; i < s.q.size(); ++i) {
                             m.kinetic += square(s.v[i]) / 2.0;
                             m.potential += square(s.q[i]) / 2.0;
                           }
                           for (std::size_t i = 0; i < n; ++i) {
                             m.potential += square(w[i]) * square(z[i]) / 2.0;
                             constraint += w[i] * s.v[1 + n + i];
                           }
                           m.potential += square(z[0]) * square(z[1]) / 2.0;
                           m.constraints = {constraint};
                           m.reversal = std::vector<double>(2 * n + 1, 1.0);
                           const Matrix unit = Matrix::identity(2 * n + 1);
                           for (std::size_t i = 0; i < n; ++i) m.frame.push_back(unit.row(1 + i));
                           for (std::size_t i = 0; i < n; ++i)
                             m.frame.push_back(w[i] * unit.row(0) - unit.row(1 + n + i));
                           return m;
                         }),
          {0.5403023058681398, 0.6, 0.4, 0.2, 1.0, 1.0, 1.0},
          {0.0, 0.8414709848078965, 0.0, 0.0, 0.0, 0.0, 0.0}};
}

/// Two constraints that share coordinates, so that the multipliers need a linear system of two.
inline SmallSystem two_constraints() {
  using namespace dalembert;
  SystemDescription description{"two-constraints", {{"x"}, {"y"}, {"z"}, {"a", true}, {"b", true}}};
  return {System::define(std::move(description),
                         [](const Symbols& s) {
                           const Expr &x = s.q[0], &z = s.q[2], &a = s.q[3], &b = s.q[4];
                           Mechanics m;
                           for (std::size_t i = 0; i < 5; ++i) {
                             m.kinetic += square(s.v[i]) / 2.0;
                             m.potential += (i < 3 ? square(s.q[i]) / 2.0 : -cos(s.q[i]));
                           }
                           m.potential += x * z * cos(a - b) / 4.0;
                           m.constraints = {cos(a) * s.v[0] + sin(a) * s.v[1] + z * s.v[3] / 5.0,
                                            cos(b) * s.v[1] - sin(b) * s.v[2] + x * s.v[4] / 4.0};
                           m.reversal = std::vector<double>(5, 1.0);
                           return m;
                         }),
          {0.4, -0.3, 0.6, 0.5, -0.7},
          {0.0, 0.0, 0.0, 0.0, 0.0}};
}

}  // namespace test_support
