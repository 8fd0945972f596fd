// What a step does to the volume of passengers: closed formulas against determinants, and what a
// turn of the driver leaves of it. Theorems 1 to 3 of doc/open-problems.md.

#include "dalembert/audit/volume/passenger_volume.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "dalembert/measure/floquet.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "study/extended.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// What the passengers of a test system move in.
enum class Springs { none, full, hardening };

/// Two drivers that feel nothing and four passengers under one to three constraints, whose rows
/// have no length in common; masses and springs are full matrices. `mixed` takes other constraints,
/// combined from those in another order and with coefficients that change, for the same motion.
Witness drivers_and_four(std::size_t constraints, Springs springs, bool mixed = false) {
  TextSystem text;
  text.name = "drivers-and-four";
  text.coordinates = {"a", "b", "x", "y", "z", "u"};
  text.kinetic =
      "(1.3*a_dot^2 + 0.7*b_dot^2 + x_dot^2 + 1.4*y_dot^2 + 0.8*z_dot^2 + 1.1*u_dot^2 + "
      "0.4*x_dot*y_dot - 0.3*y_dot*u_dot + 0.2*z_dot*u_dot)/2";
  text.potential = "a^2/2 + b^4/4 + a*b/5";
  if (springs != Springs::none)
    text.potential += " + (x^2 + 0.7*y^2 + 1.2*z^2 + 0.9*u^2 + 0.5*x*y - 0.4*y*z + 0.3*x*u)/2";
  if (springs == Springs::hardening) text.potential += " + x^4/4 + x*y*z^2/3 + sin(u - y)/5";
  text.constraints = {
      "(2 + sin(a)/2)*x_dot + 0.6*sin(a + b)*y_dot + 0.5*z_dot + 0.3*cos(a)*u_dot",
      "0.4*cos(b - a)*x_dot + 2*y_dot - 0.6*sin(2*b)*z_dot + 0.5*a*u_dot",
      "0.3*x_dot + 0.6*sin(2*b + 1)*y_dot + (2 - cos(b)/2)*z_dot + 0.7*sin(a)*u_dot"};
  text.constraints.resize(constraints);
  if (mixed) {
    const std::vector<std::string> rows = text.constraints;
    for (std::size_t i = 0; i < constraints; ++i)
      text.constraints[i] =
          "(2 + a^2)*(" + rows[(i + 1) % constraints] + ") + cos(a)/2*(" + rows[i] + ")";
  }
  text.reversal = std::vector<double>(6, 1.0);
  return {define(text), {0.4, 0.5, 0.5, 0.3, -0.2, 0.1}, {0.9, -0.8, 0.6, -0.3, 0.4, 0.2}};
}

struct FormulaCase {
  MethodSpec method;
  Springs most;  ///< the most general springs for which its formula holds
};

std::vector<FormulaCase> formulas() {
  const auto newmark = [](double alpha, const char* constraint) {
    return MethodSpec{"newmark", {{"alpha", alpha}, {"constraint", std::string(constraint)}}};
  };
  return {{newmark(0.5, "point"), Springs::hardening},
          {newmark(0.0, "point"), Springs::hardening},
          {newmark(1.0, "point"), Springs::hardening},
          {newmark(0.3, "point"), Springs::hardening},
          {newmark(0.5, "average"), Springs::hardening},
          {newmark(0.5, "bisector"), Springs::hardening},
          {{"lie-newmark"}, Springs::hardening},
          {{"newmark-composition"}, Springs::hardening},
          {{"dla01"}, Springs::hardening},
          {{"leapfrog"}, Springs::hardening},
          {{"dla", {{"alpha", 0.0}}}, Springs::hardening},
          {{"dla", {{"alpha", 1.0}}}, Springs::hardening},
          {{"dla"}, Springs::full},
          {{"dla", {{"alpha", 0.3}}}, Springs::full},
          {{"driver-splitting"}, Springs::full}};
}

/// Of some steps: the largest logarithm of the factor, and its largest distance to the formula.
struct Sizes {
  double largest = 0.0, off_formula = 0.0;
};
Sizes sizes_of(const Witness& witness, const Method& method) {
  StepMap<Extended> map(witness.system, method, {});
  BasicPoint<Extended> point = map.start(witness.q, witness.v);
  const Coupling coupling = find_coupling(witness.system).value();
  PassengerVolumeStep<Extended> volume(map, coupling, point, false);
  REQUIRE(volume.formula().potential());
  Sizes sizes;
  for (int k = 0; k < 2; ++k) {
    const auto logarithms = volume.advance(point, Extended(0.125));
    REQUIRE(logarithms);
    const auto size = [](const Extended& x) { return std::fabs(static_cast<double>(x)); };
    sizes.largest = numeric::larger(sizes.largest, size(logarithms->measured));
    sizes.off_formula =
        numeric::larger(sizes.off_formula, size(logarithms->measured - logarithms->by_formula));
  }
  return sizes;
}

using Limits = AuditThresholds<Extended>;

}  // namespace

TEST_CASE("Closed formulas for the volume of passengers are the determinants of steps") {
  for (const FormulaCase& entry : formulas()) {
    const Method method = make_method(entry.method);
    CAPTURE(label(method.spec()));
    for (const std::size_t constraints : {1, 2, 3}) {
      CAPTURE(constraints);
      const Sizes sizes = sizes_of(drivers_and_four(constraints, entry.most), method);
      CHECK(sizes.off_formula < Limits::exact_below);
      // A formula that says nothing but one is tested where a step could do otherwise; the others
      // are of order h^2 and h^3 of small angles.
      const PassengerVolume promised = method.facts().passenger_volume;
      const bool keeps = promised == PassengerVolume::every_step ||
                         promised == PassengerVolume::every_step_of_springs;
      CHECK((keeps ? sizes.largest < Limits::exact_below : sizes.largest > 1e-8));
    }
  }
}

TEST_CASE("A formula for linear forces fails where springs harden") {
  for (const char* name : {"dla", "driver-splitting"}) {
    CAPTURE(name);
    const Sizes sizes =
        sizes_of(drivers_and_four(2, Springs::hardening), make_method(MethodSpec{name}));
    CHECK(sizes.off_formula > 1e-9);
  }
}

namespace {

/// dla01 with a formula for its constraints at the middle of the step instead of half a drift on.
struct WrongNode {
  static MethodPage<WrongNode> page() {
    return {.name = "wrong-node",
            .facts = Method(Dla01{}).facts(),
            .requirements = Method(Dla01{}).requirements(),
            .equations = &WrongNode::equations,
            .volume = &WrongNode::volume};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    return Dla01{}.equations(s, a, u, h);
  }
  std::optional<VolumeFormula> volume(const System& s, const State& a, const State& b,
                                      const Expr& h) const {
    return Newmark{}.volume(s, a, b, h);
  }
};

}  // namespace

TEST_CASE("A formula with one wrong node is found") {
  const Sizes sizes = sizes_of(drivers_and_four(2, Springs::full), Method(WrongNode{}));
  CHECK(sizes.off_formula > 1e-6);
}

TEST_CASE("However its rows are written, a constraint has one bisector") {
  const Method bisector(Newmark{.constraint = Newmark::Constraint::bisector});
  for (const std::size_t constraints : {1, 2, 3}) {
    CAPTURE(constraints);
    std::vector<std::vector<Extended>> ends;
    for (const bool mixed : {false, true}) {
      const Witness witness = drivers_and_four(constraints, Springs::hardening, mixed);
      StepMap<Extended> map(witness.system, bisector, {});
      BasicPoint<Extended> point = map.start(witness.q, witness.v);
      REQUIRE(map.apply(point, Extended(0.125), 4));
      ends.push_back(coordinates_of(point, false));
    }
    CHECK(largest_difference(ends[0], ends[1]) < Limits::exact_below);
  }
}

namespace {

AuditProblem transmission(double epsilon, std::vector<double> v = {0.0, 0.0, std::sqrt(8.0)}) {
  const SmallSystem cvt = pendulum_cvt();
  AuditProblem problem{cvt.system, {epsilon}, {1.0, 1.0, 0.0}, std::move(v)};
  return problem;
}
AuditFinding volume_on_d(const AuditProblem& problem, const MethodSpec& method) {
  const auto findings = audit_passenger_volume<Extended>(problem, make_method(method));
  REQUIRE_FALSE(findings.empty());
  return findings.front();
}

}  // namespace

TEST_CASE("Turns of a driver that moves irreversibly tell which methods keep a volume") {
  const AuditProblem rotating = transmission(0.5);
  const std::vector<std::pair<MethodSpec, std::string>> expected{
      {{"leapfrog"}, "every step (formula)"},
      {{"newmark", {{"constraint", std::string("bisector")}}}, "every step (formula)"},
      {{"driver-splitting"}, "every step (formula)"},
      {{"driver-splitting", {{"driver", std::string("energy")}}}, "every step (formula)"},
      {{"lobatto", {{"stages", 2.0}, {"multiplier", std::string("carried")}}},
       "every step (measured)"},
      {{"energy-collocation"}, "every step (measured)"},
      {{"newmark-composition"}, "over turns (formula)"},
      {{"newmark"}, "no, h^2 (formula)"},
      {{"dla"}, "no, h^2 (formula)"},
      {{"dla01"}, "no, h^2 (formula)"},
      {{"spark"}, "no, h^4 (measured)"},
      {{"discrete-derivative"}, ""}};
  for (const auto& entry : expected) {
    const MethodSpec& method = entry.first;
    const std::string& words = entry.second;
    CAPTURE(label(method));
    const auto findings = audit_passenger_volume<Extended>(rotating, make_method(method));
    if (words.empty()) {  // it leaves the constraints
      CHECK(findings.empty());
      continue;
    }
    REQUIRE_FALSE(findings.empty());
    CHECK(findings.front().words == words);
    CHECK(findings.front().verdict !=
          (words.starts_with("no") ? AuditVerdict::kept : AuditVerdict::absent));
  }
  // Where the driver's motion is reversible, turns keep the volume of every reversible method.
  for (const char* name : {"newmark", "dla", "dla01", "spark"}) {
    CAPTURE(name);
    CHECK(volume_on_d(transmission(0.0), {name}).words.starts_with("over turns"));
    CHECK(volume_on_d(transmission(0.5, {0.0, 0.0, 1.8973666}), {name})
              .words.starts_with("over turns"));
  }
  CHECK(volume_on_d(rotating, {"reduced-gradient"}).words == "drivers feel the passengers");
}

namespace {

/// log |det| of a turn in so many steps per unit of time; the angle of the kernel is that of
/// pendulum-cvt, epsilon = 0.5, rotating.
VolumeOverTurn turn_of(const MethodSpec& spec, std::uint64_t steps) {
  const AuditProblem problem = transmission(0.5);
  StepMap<Extended> map(problem.system, make_method(spec), problem.parameters);
  const BasicPoint<Extended> start = map.start(problem.q, problem.v);
  const Coupling coupling = find_coupling(problem.system).value();
  PassengerVolumeStep<Extended> volume(map, coupling, start, true);
  const double acceleration = 0.5;  // -dW at xi = 0
  const DriverTurn turn{
      2, true, FloquetAverage(problem.system, problem.parameters).at(problem.q, problem.v).period,
      problem.v[2], acceleration};
  return volume_over_turn(map, volume, start, turn, steps).value();
}

}  // namespace

TEST_CASE("The composition of Newmark loses exponentially little volume in a turn, not none") {
  // Theorem 2: log |det P| = O(e^(-sigma N)), sigma = 0.71. A claim of exactly zero would fail.
  const double few = std::fabs(turn_of({"newmark-composition"}, 13).sum),
               more = std::fabs(turn_of({"newmark-composition"}, 27).sum),
               many = std::fabs(turn_of({"newmark-composition"}, 54).sum);
  CHECK(few > 1e-6);
  CHECK(more > 1e-10);
  CHECK(more < 1e-8);
  CHECK(many < 1e-15);
  const double sigma = std::log(more / many) / 27.0;
  CHECK(sigma == doctest::Approx(0.71).epsilon(0.05));  // powers of N before it
}

TEST_CASE("The mean of the trace is a loop integral in closed form") {
  // Theorem 3: (log |det P|)/(T h^2) tends to epsilon pi (4 - 5/sqrt 2)/(8 T).
  for (const char* name : {"dla01", "dla", "newmark"}) {
    CAPTURE(name);
    const VolumeOverTurn coarse = turn_of({name}, 54), fine = turn_of({name}, 108);
    const double expected =
        0.5 * std::numbers::pi * (4.0 - 5.0 / std::numbers::sqrt2) / (8.0 * fine.time);
    const auto mean = [](const VolumeOverTurn& turn) {
      return turn.sum / (turn.time * turn.step * turn.step);
    };
    // Distances fall like h^2; extrapolation leaves h^4 = 4e-7 of them, relative.
    CHECK(std::fabs(mean(fine) / expected - 1.0) < 5e-3);
    const double limit = (4.0 * mean(fine) - mean(coarse)) / 3.0;
    CHECK(limit == doctest::Approx(expected).epsilon(1e-4));
  }
  // With beta the trace is 1/(1 - 4 beta) times as large, in the limit.
  const MethodSpec tenth{"newmark", {{"beta", 0.1}, {"beta_prime", 0.1}}};
  const double ratio = turn_of(tenth, 108).sum / turn_of({"newmark"}, 108).sum;
  CHECK(ratio == doctest::Approx(5.0 / 3.0).epsilon(0.01));
}
