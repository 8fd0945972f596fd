// Tangents and adjoints of steps are the derivatives of the very maps: against differences in
// extended precision, for every method on witnesses of every kind, by state, parameters and step.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/method/variants.hpp"
#include "dalembert/sensitivity/variation.hpp"
#include "support/driver_witness.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/law.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Numbers = std::vector<Extended>;

/// Steps of a method as a map of all that its tangents are taken by: q, v, lambda, what is carried,
/// parameters, time and step.
class WholeMap {
 public:
  WholeMap(const System& system, const Method& method, std::vector<double> parameters)
      : program_(StepProgram::compile(system, method, {.wrap_angles = false})),
        stepper_(program_, Extended(1), parameters) {}

  const StepProgram& program() const { return *program_; }

  /// The image of x after `steps` steps; empty if a step was refused.
  Numbers operator()(const Numbers& x, std::size_t multipliers, std::size_t parameters,
                     std::uint64_t steps) {
    BasicPoint<Extended> point =
        make_point<Extended>(*program_, std::vector<double>(program_->storage_count(), 0.0),
                             std::vector<double>(program_->velocity_count(), 0.0));
    std::size_t next = 0;
    for (Extended& q : point.q) q = x[next++];
    for (Extended& v : point.v) v = x[next++];
    const std::size_t lambda = next;
    for (Extended& value : point.lambda) value = x[next++];
    next = lambda + multipliers;
    for (Extended& value : point.carried) value = x[next++];
    std::vector<double> values;
    for (std::size_t i = 0; i < parameters; ++i) values.push_back(static_cast<double>(x[next++]));
    stepper_.set_parameters(values);
    point.t = x[next];
    stepper_.set_step(x[next + 1]);
    if (stepper_.advance(point, point.t, 0, steps).status != StepStatus::ok) return {};
    Numbers end = point.q;
    end.insert(end.end(), point.v.begin(), point.v.end());
    Numbers all = point.lambda;
    all.resize(multipliers, Extended(0));
    end.insert(end.end(), all.begin(), all.end());
    end.insert(end.end(), point.carried.begin(), point.carried.end());
    return end;
  }

 private:
  std::shared_ptr<const StepProgram> program_;
  BasicStepper<Extended> stepper_;
};

struct Defects {
  double tangent = 0.0;    ///< of two steps, against differences, relative to 1 + size
  double adjoint = 0.0;    ///< of one step, against the tangents
  double in_double = 0.0;  ///< of two steps in double, against those in extended precision
  bool is_measured = false, has_bits_of_method = false;
};

/// What a tangent or adjoint run leaves: few sets of numbers, and the state of the last.
struct Run {
  Numbers beside, state;
};

/// Directions, each a mixture of all arguments, so that every entry of a derivative takes part.
constexpr std::size_t few = 2;

/// Multiples of 1/16, which parameters in double can be moved along exactly.
Numbers directions_of(std::size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  Numbers result;
  for (std::size_t i = 0; i < few * size; ++i)
    result.push_back(Extended(static_cast<double>(random() % 33) - 16.0) / 16);
  return result;
}

/// Of set k of x and set j of y.
Extended product(const Numbers& x, std::size_t k, const Numbers& y, std::size_t j,
                 std::size_t size) {
  Extended sum(0);
  for (std::size_t i = 0; i < size; ++i) sum += x[k * size + i] * y[j * size + i];
  return sum;
}

double relative(const Extended& x, const Extended& y) {
  const Extended size = y < Extended(0) ? Extended(-y) : y, difference = x - y;
  return std::fabs(static_cast<double>(difference / (Extended(1) + size)));
}

std::vector<double> in_double(const Numbers& x) {
  std::vector<double> result;
  for (const Extended& entry : x) result.push_back(static_cast<double>(entry));
  return result;
}

/// Numbers with few bits, so that differences of them are exact in double.
std::vector<double> short_numbers(const std::vector<double>& x) {
  std::vector<double> result;
  for (const double value : x) result.push_back(std::ldexp(std::round(std::ldexp(value, 20)), -20));
  return result;
}

Defects defects_of(const Witness& witness, const Method& method) {
  const System& system = witness.system;
  const std::vector<double> parameters = short_numbers(system.default_parameters());
  Variation variation{{}, true};
  for (std::size_t i = 0; i < parameters.size(); ++i) variation.parameters.push_back(i);
  StepMap<Extended> plain(system, method, parameters);
  const BasicPoint<Extended> start = plain.start(witness.q, witness.v);
  const VariationLayout layout(system, method, variation);
  const std::size_t multipliers = system.constraint_count(), size = layout.size();

  Numbers x = start.q;
  x.insert(x.end(), start.v.begin(), start.v.end());
  Numbers lambda = start.lambda;
  lambda.resize(multipliers, Extended(0));
  x.insert(x.end(), lambda.begin(), lambda.end());
  x.insert(x.end(), start.carried.begin(), start.carried.end());
  const std::size_t state = x.size();
  x.insert(x.end(), parameters.begin(), parameters.end());
  x.push_back(Extended(1) / 8);  // a time that matters
  const Extended h = Extended(1) / 32;
  x.push_back(h);
  REQUIRE(x.size() == size);

  const Numbers directions = directions_of(size, 1), covectors = directions_of(size, 2);
  WholeMap whole(system, method, parameters);
  const auto along = [&](const Numbers& u) {
    Numbers at = x;
    for (std::size_t j = 0; j < few; ++j)
      for (std::size_t i = 0; i < size; ++i) at[i] += u[j] * directions[j * size + i];
    return whole(at, multipliers, parameters.size(), 2);
  };
  const Numbers none(few, Extended(0)), end = along(none);
  const NumberMatrix<Extended> by_differences = difference_jacobian<Extended>(along, none);
  if (by_differences.empty()) return {};

  const auto compiled = [&](const Method& varied) {
    return StepProgram::compile(system, varied, {.wrap_angles = false});
  };
  const auto run = [&](const std::shared_ptr<const StepProgram>& program, const Numbers& beside,
                       std::uint64_t count) {
    BasicStepper<Extended> stepper(program, h, parameters);
    Run result;
    for (std::size_t j = 0; j < few; ++j) {
      BasicPoint<Extended> point = make_point<Extended>(*program, witness.q, witness.v);
      point.q = start.q;
      point.v = start.v;
      point.lambda = start.lambda;
      for (std::size_t i = 0; i < layout.own; ++i) point.carried[i] = start.carried[i];
      for (std::size_t i = 0; i < size; ++i) point.carried[layout.own + i] = beside[j * size + i];
      point.t = x[size - 2];
      REQUIRE(stepper.advance(point, point.t, 0, count).status == StepStatus::ok);
      const auto own = point.carried.begin() + static_cast<std::ptrdiff_t>(layout.own);
      result.beside.insert(result.beside.end(), own, point.carried.end());
      result.state = point.q;
      result.state.insert(result.state.end(), point.v.begin(), point.v.end());
    }
    return result;
  };
  const auto tangent = compiled(tangent_method(method, variation));
  const Run two = run(tangent, directions, 2), one = run(tangent, directions, 1),
            back = run(compiled(adjoint_method(method, variation)), covectors, 1);
  Defects defects{.is_measured = true};
  Stepper stepper(tangent, static_cast<double>(h), parameters);
  Point point = stepper.make_point(in_double(start.q), in_double(start.v));
  point.lambda = in_double(start.lambda);
  point.t = static_cast<double>(x[size - 2]);
  const Numbers last(directions.end() - static_cast<std::ptrdiff_t>(size), directions.end());
  point.carried = in_double(start.carried);
  for (const Extended& entry : last) point.carried.push_back(static_cast<double>(entry));
  REQUIRE(stepper.advance(point, point.t, 0, 2).status == StepStatus::ok);
  for (std::size_t i = 0; i < size; ++i)
    defects.in_double = numeric::larger(
        defects.in_double,
        relative(Extended(point.carried[layout.own + i]), two.beside[(few - 1) * size + i]));
  defects.has_bits_of_method = std::equal(two.state.begin(), two.state.end(), end.begin());
  for (std::size_t j = 0; j < few; ++j) {
    for (std::size_t i = 0; i < state; ++i)
      defects.tangent = numeric::larger(defects.tangent,
                                        relative(two.beside[j * size + i], by_differences[i][j]));
    for (std::size_t k = 0; k < few; ++k)
      defects.adjoint =
          numeric::larger(defects.adjoint, relative(product(back.beside, k, directions, j, size),
                                                    product(covectors, k, one.beside, j, size)));
  }
  return defects;
}

/// Of differences of order 8 in 113 bits of maps that are analytic within a radius of some tenths,
/// and whose derivatives are of order one; see difference_jacobian.
constexpr double of_differences = 1e-20;
/// Round-off of solves with moderate condition.
constexpr double of_adjoints = 1e-27;

/// Round-off of double of solves with moderate condition, of steps that begin with rounded numbers.
constexpr double of_double = 1e-11;

void check_methods(const Witness& witness, Variants variants) {
  std::size_t measured = 0;
  for (const MethodSpec& spec : method_variants(variants)) {
    // Its two constraints make the frames of six pieces a matter of ten seconds.
    const bool is_long = spec.name == "frame-splitting" && witness.system.constraint_count() > 1;
    if (is_long || !fits(spec, witness)) continue;
    CAPTURE(witness.system.name());
    CAPTURE(label(spec));
    const Defects defects = defects_of(witness, make_method(spec));
    CHECK(defects.is_measured);
    CHECK(defects.has_bits_of_method);
    CHECK(defects.tangent <= of_differences);
    CHECK(defects.adjoint <= of_adjoints);
    CHECK(defects.in_double <= of_double);
    ++measured;
  }
  CHECK(measured > 5);
}

}  // namespace

TEST_CASE("Tangents and adjoints of every method with every option") {
  check_methods(witness_constant_mass(), Variants::each_option);
}

TEST_CASE("Tangents and adjoints on coupled masses, forces, time and constraints of every kind") {
  for (const Witness& witness :
       {witness_coupled_mass(), witness_two_constraints(), witness_nonlinear(),
        witness_forced_time(), witness_timed_constant_mass(), witness_holonomic(),
        witness_moving_surface(), witness_transmission()})
    check_methods(witness, Variants::defaults);
}

TEST_CASE("Tangents and adjoints on Lie groups") {
  for (const GroupSystem& problem : group_systems())
    check_methods({problem.system, problem.q, problem.v}, Variants::defaults);
}
