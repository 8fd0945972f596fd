// The tangent of a start against differences, in extended precision, of the admissible state that
// ConsistentStart finds near changed positions, velocities and parameters.

#include "dalembert/sensitivity/start_tangent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/method/library.hpp"
#include "study/extended.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using namespace test_support;

namespace {

using WideNumbers = std::vector<Extended>;

/// Few bits, so that parameters moved by powers of two are exact in double.
std::vector<double> few_bits(const std::vector<double>& x) {
  std::vector<double> result;
  for (const double value : x) result.push_back(std::ldexp(std::round(std::ldexp(value, 20)), -20));
  return result;
}

/// The largest difference between a tangent and the differences of starts along all directions.
double start_defect(const Witness& witness, const Method& method) {
  const System& system = witness.system;
  const std::vector<double> parameters = few_bits(system.default_parameters());
  Variation variation;
  for (std::size_t i = 0; i < parameters.size(); ++i) variation.parameters.push_back(i);
  StepMap<Extended> map(system, method, parameters);
  const BasicPoint<Extended> start = map.start(witness.q, witness.v);
  StartTangent<Extended> tangent(system, method, variation, parameters);
  const VariationLayout layout(system, method, variation);
  const std::size_t dof = system.dof(), velocities = system.velocity_count(),
                    size = tangent.direction_size();
  // Parameters are given in double, so each has its own map.
  const auto moved = [&](const WideNumbers& x) {
    std::vector<double> values = parameters;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += static_cast<double>(x[dof + velocities + i]);
    ConsistentStart<Extended> nearest(system, values);
    Displacement<Extended> move(system.configuration());
    WideNumbers v = start.v;
    for (std::size_t i = 0; i < velocities; ++i) v[i] += x[dof + i];
    const auto found = nearest(Extended(0), move(start.q, std::span(x).first(dof)), v);
    REQUIRE(found.found());
    WideNumbers state = found.q;
    state.insert(state.end(), found.v.begin(), found.v.end());
    const WideNumbers lambda = nearest.multiplier(Extended(0), found.q, found.v);
    state.insert(state.end(), lambda.begin(), lambda.end());
    if (layout.own == 0) return state;
    StepMap<Extended> there(system, method, values);
    BasicPoint<Extended> point = start;
    point.q = found.q;
    point.v = found.v;
    there.start_carried(point);
    state.insert(state.end(), point.carried.begin(), point.carried.end());
    return state;
  };
  const auto by_differences = difference_jacobian<Extended>(moved, WideNumbers(size, Extended(0)));
  double defect = 0.0;
  std::vector<WideNumbers> columns;
  for (std::size_t j = 0; j < size; ++j) {
    WideNumbers direction(size, Extended(0));
    direction[j] = Extended(1);
    const auto found = tangent(Extended(0), start.q, start.v, direction);
    columns.emplace_back(found.begin(), found.end());
    for (std::size_t i = 0; i < by_differences.size(); ++i) {
      const auto difference = static_cast<double>(found[i] - by_differences[i][j]);
      defect = numeric::larger(defect, std::fabs(difference));
    }
  }
  // The transposed map has the same entries.
  for (std::size_t i = 0; i < layout.size(); ++i) {
    WideNumbers unit(layout.size(), Extended(0));
    unit[i] = Extended(1);
    const auto row = tangent.transposed(Extended(0), start.q, start.v, unit);
    for (std::size_t j = 0; j < size; ++j) {
      const auto difference = static_cast<double>(row[j] - columns[j][i]);
      CHECK(std::fabs(difference) <= 1e-28);
    }
  }
  return defect;
}

}  // namespace

TEST_CASE("The tangent of a start is the derivative of the admissible state near it") {
  // Differences of order 8 in 113 bits of functions that are analytic within some tenths.
  constexpr double of_differences = 1e-20;
  const Method leapfrog = make_method({"leapfrog", {}}), gauss = make_method({"gauss", {}});
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass(),
                                 witness_nonlinear(), witness_holonomic(), witness_surface()}) {
    CAPTURE(witness.system.name());
    CHECK(start_defect(witness, gauss) <= of_differences);
    if (!leapfrog.misfit(witness.system)) CHECK(start_defect(witness, leapfrog) <= of_differences);
  }
  for (const GroupSystem& problem : group_systems()) {
    CAPTURE(problem.system.name());
    CHECK(start_defect({problem.system, problem.q, problem.v}, gauss) <= of_differences);
  }
}
