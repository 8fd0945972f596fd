#include "dalembert/mechanics/consistent_start.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/float128.hpp>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Of an iteration's last step: some ten operations on each of three entries of size one.
constexpr double round_off = round_off_of(30.0);

double dot_product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// A particle on the unit sphere, unit mass.
System sphere() {
  TextSystem text = particle_in_space("sphere");
  text.potential = "z";
  text.holonomic = {"x^2 + y^2 + z^2 - 1"};
  return define(text);
}

/// |v| prescribed.
System isokinetic() {
  TextSystem text = particle_in_plane("isokinetic");
  text.potential = "x";
  text.constraints = {"x_dot^2 + y_dot^2 - 4"};
  return define(text);
}

}  // namespace

TEST_CASE("On a sphere the nearest position is radial and the nearest velocity tangent") {
  Evaluator evaluator(sphere());
  const std::vector<double> q{0.3, -0.4, 1.2}, v{1.0, 2.0, -0.5};
  const auto [on, tangent] = evaluator.consistent_state(0.0, q, v);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::fabs(on[i] - q[i] / 1.3) < round_off);
  const double radial = dot_product(on, v);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::fabs(tangent[i] - (v[i] - radial * on[i])) < round_off);
  CHECK_NOTHROW(evaluator.check_regular(0.0, on, tangent));
}

TEST_CASE("A nonlinear constraint: the nearest velocity of given length is the scaled one") {
  Evaluator evaluator(isokinetic());
  const std::vector<double> q{0.0, 0.0}, v{1.5, 2.0};
  const auto [same, scaled] = evaluator.consistent_state(0.0, q, v);
  CHECK(same == q);
  for (std::size_t i = 0; i < 2; ++i) CHECK(std::fabs(scaled[i] - v[i] * 2.0 / 2.5) < round_off);
}

TEST_CASE("Admissible states stay as they are") {
  for (const Witness& witness :
       {witness_nonlinear(), witness_holonomic(), witness_forced_time(), witness_coupled_mass()}) {
    Evaluator evaluator(witness.system);
    const auto [q, v] = evaluator.consistent_state(0.3, witness.q, witness.v);
    const auto [q2, v2] = evaluator.consistent_state(0.3, q, v);
    CHECK(evaluator.constraint_error(0.3, q, v) < round_off);
    for (std::size_t i = 0; i < q.size(); ++i) {
      CHECK(std::fabs(q2[i] - q[i]) < round_off);
      CHECK(std::fabs(v2[i] - v[i]) < round_off);
    }
  }
}

TEST_CASE("The velocity of a momentum where the Lagrangian is not quadratic in the velocities") {
  const Witness witness = witness_general();
  Evaluator evaluator(witness.system);
  const Symbols s = witness.system.symbols();
  CompiledFunction momentum(concatenate({s.q, s.v}), witness.system.momentum(s.q, s.v));
  std::vector<double> state = witness.q;
  state.insert(state.end(), witness.v.begin(), witness.v.end());
  const std::vector<double> v = evaluator.velocity_of_momentum(0.0, witness.q, momentum(state));
  for (std::size_t i = 0; i < v.size(); ++i) CHECK(std::fabs(v[i] - witness.v[i]) < round_off);
}

TEST_CASE("Where there is no admissible state the refusal says what was looked for") {
  TextSystem text = particle_in_plane("impossible");
  text.holonomic = {"x^2 + y^2 + 1"};
  Evaluator evaluator(define(text));
  const std::vector<double> q{0.3, 0.1}, v{0.0, 0.0};
  CHECK_THROWS_WITH_AS(evaluator.consistent_state(0.0, q, v),
                       doctest::Contains("no position of system \"impossible\""), RequestError);
}

TEST_CASE("A start off a constraint on positions says by how much") {
  Evaluator evaluator(sphere());
  const std::vector<double> off{0.0, 0.0, 1.1}, v{0.0, 0.0, 0.0};
  CHECK_THROWS_WITH_AS(evaluator.check_regular(0.0, off, v),
                       doctest::Contains("holonomic constraint 1"), RequestError);
  CHECK_NOTHROW(evaluator.check_regular(0.0, off, v, true));
}

TEST_CASE("In more digits than double a start is on its group to all of them") {
  using Wide = boost::multiprecision::float128;
  const test_support::GroupSystem problem = test_support::heavy_top();
  ConsistentStart<Wide> consistent(problem.system, problem.system.default_parameters());
  const auto start = consistent(Wide(0), {problem.q.begin(), problem.q.end()},
                                {problem.v.begin(), problem.v.end()});
  Wide square = 0;
  for (const Wide& part : start.q) square += part * part;
  CHECK(abs(square - 1) < Wide(1e-31));  // the square of the error in double
}
