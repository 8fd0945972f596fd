#pragma once
// Whether two problems are the same mechanics in the same coordinates.

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/make_system.hpp"

namespace space_test {

using Numbers = std::vector<double>;

inline dalembert::Problem problem_of(const std::string& text) {
  using namespace dalembert::study;
  return make_problem(read_problem(parse_document(text, "text"), "text"));
}

inline void check_near(const Numbers& x, const Numbers& y, double tolerance) {
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(i);
    CHECK(std::fabs(x[i] - y[i]) <= tolerance * (1.0 + std::fabs(y[i])));
  }
}

/// A state near that of a start.
inline dalembert::Start displaced(const dalembert::Problem& problem, const dalembert::Start& start,
                                  std::mt19937_64& generator) {
  const auto number = [&] { return 0.4 * std::ldexp(double(generator() >> 11), -53) - 0.2; };
  dalembert::Start result = start;
  const bool groups = problem.system.traits().has_groups;
  if (!groups) {
    for (double& x : result.q) x += number();
  }
  for (double& x : result.v) x += number();
  return result;
}

/// Energies at any state, and at admissible ones constraints and accelerations, agree to round-off,
/// and so do the motions.
inline void check_same(const dalembert::Problem& one, const dalembert::Problem& other,
                       const dalembert::Start& start, double duration = 1.0) {
  using namespace dalembert;
  const Numbers parameters = named_parameter_values(other.system, start.parameters);
  Evaluator x(one.system, parameters), y(other.system, parameters);
  const Start ready = prepare_start(other.system, start);
  std::mt19937_64 generator(7);
  for (int sample = 0; sample < 5; ++sample) {
    const Start near = sample == 0 ? ready : displaced(other, ready, generator);
    // Each formula has some dozen roundings.
    check_near({x.energy(0.2, near.q, near.v)}, {y.energy(0.2, near.q, near.v)}, 1e-14);
    const auto [q, v] = y.consistent_state(0.2, near.q, near.v);
    CHECK(x.constraint_error(0.2, q, v) < 1e-14);
    check_near(x.consistent_state(0.2, near.q, near.v).second, v, 1e-12);
    check_near(x.acceleration(0.2, q, v), y.acceleration(0.2, q, v), 1e-12);
  }
  ExactFlow<double> flow_x(one.system, parameters), flow_y(other.system, parameters);
  double t = 0.0, s = 0.0;
  Numbers q = ready.q, v = ready.v, p = ready.q, w = ready.v;
  REQUIRE(flow_x.advance(t, q, v, duration));
  REQUIRE(flow_y.advance(s, p, w, duration));
  check_near(q, p, 1e-10);
  check_near(v, w, 1e-10);
}

}  // namespace space_test
