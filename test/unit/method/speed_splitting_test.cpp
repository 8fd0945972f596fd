#include "dalembert/method/splitting/speed_splitting.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/convergence.hpp"
#include "support/driver_witness.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double transmission_epsilon = 0.5;

/// The transmission of problems/pendulum-cvt.toml with passengers that the driver feels, in a
/// potential that is not quadratic. The driver rotates: it never comes near rest.
Witness coupled_transmission() {
  TextSystem text;
  text.name = "coupled-transmission";
  text.coordinates = {"x1", "x2", "w"};
  text.parameters = {{"epsilon", transmission_epsilon}};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + w_dot^2)/2";
  text.potential =
      "1 - cos(w) - epsilon*sin(2*w)/2 + (x1^2 + x2^2)/2 + 0.3*x1^4 + 0.2*x1*x2*sin(w)";
  text.constraints = {"x1_dot + sin(w)*x2_dot"};
  return {define(text), {0.6, 0.5, 0.2}, {-0.4 * std::sin(0.2), 0.4, 2.6}};
}

/// The same constraint in another potential, in which `none` is zero.
Witness transmission_in(const std::string& name, const std::string& potential) {
  TextSystem text;
  text.parameters = {{"none", 0.0}};
  text.name = name;
  text.coordinates = {"x1", "x2", "w"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + w_dot^2)/2";
  text.potential = potential;
  text.constraints = {"x1_dot + sin(w)*x2_dot"};
  return {define(text), {0.6, 0.5, 0.2}, {-0.4 * std::sin(0.2), 0.4, 1.7}};
}

/// The largest changes of the energy, and the constraint, over the two halves of a run.
struct LargestErrors {
  double first_energy = 0.0, last_energy = 0.0, constraint = 0.0;
};
LargestErrors largest_errors(const Witness& witness, const Method& method, double h, int steps) {
  Stepper stepper(StepProgram::compile(witness.system, method), h);
  Evaluator evaluator(witness.system);
  Point point = start_point(stepper, evaluator, witness.q,
                            evaluator.projected_velocity(0.0, witness.q, witness.v));
  const double start = evaluator.energy(0.0, point.q, point.v);
  LargestErrors errors;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(stepper.step(point).status == StepStatus::ok);
    const double change = std::fabs(evaluator.energy(point.t, point.q, point.v) - start);
    double& energy = i < steps / 2 ? errors.first_energy : errors.last_energy;
    energy = numeric::larger(energy, change);
    errors.constraint =
        numeric::larger(errors.constraint, evaluator.constraint_error(point.t, point.q, point.v));
  }
  return errors;
}

/// How far a step and its reverse lead away from the start.
double way_back(const Witness& witness, const Method& method, double h) {
  StepMap<double> map(witness.system, method, {});
  const auto start = map.start(witness.q, witness.v);
  auto point = start;
  REQUIRE(map.apply(point, h));
  REQUIRE(largest_difference(point.q, start.q) > 0.01);
  REQUIRE(map.apply(point, -h));
  return numeric::larger(largest_difference(point.q, start.q),
                         largest_difference(point.v, start.v));
}

/// log2 of the ratio of errors for steps of 1/steps and half of that.
double measured_order(const Witness& witness, const Method& method, int steps) {
  StepMap<double> map(witness.system, method, {});
  return HalvedStep(map, map.start(witness.q, witness.v), 1.0, steps).order();
}

std::vector<Method> with_compositions() {
  return {SpeedSplitting{}, Compose{.base = SpeedSplitting{}},
          Compose{.base = SpeedSplitting{}, .scheme = Scheme::suzuki_4}};
}

std::size_t iterated_unknowns(const System& system) {
  const auto program = StepProgram::compile(system, SpeedSplitting{});
  std::size_t count = 0;
  for (const StepProgram::Block& block : program->blocks()) {
    if (block.kind == StepProgram::Block::Kind::newton) count += block.unknowns.size();
  }
  return count;
}

using Three = std::array<double, 3>;  // x1, x2, w

double transmission_potential(const Three& q) {
  const auto& [x1, x2, w] = q;
  return 1.0 - std::cos(w) - transmission_epsilon * std::sin(2.0 * w) / 2.0 +
         (x1 * x1 + x2 * x2) / 2.0 + 0.3 * std::pow(x1, 4) + 0.2 * x1 * x2 * std::sin(w);
}
Three transmission_force(const Three& q) {
  const auto& [x1, x2, w] = q;
  return {-(x1 + 1.2 * x1 * x1 * x1 + 0.2 * x2 * std::sin(w)), -(x2 + 0.2 * x1 * std::sin(w)),
          -(std::sin(w) - transmission_epsilon * std::cos(2.0 * w) + 0.2 * x1 * x2 * std::cos(w))};
}
double of_both(const Three& a, const Three& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
/// The unit vector along all admissible (x1', x2').
Three admissible(double w) {
  const double length = std::sqrt(1.0 + std::sin(w) * std::sin(w));
  return {-std::sin(w) / length, 1.0 / length, 0.0};
}

/// A step of the transmission, written with the angle between velocity and force.
void step_by_hand(Three& q, Three& v, double h) {
  const double energy = of_both(v, v) / 2.0 + transmission_potential(q);
  const double speed = std::sqrt(of_both(v, v));
  double along = of_both(v, admissible(q[2])) / speed, driver = v[2] / speed;
  const auto speed_at = [&](const Three& at) {
    return std::sqrt(2.0 * (energy - transmission_potential(at)));
  };
  const auto moved = [](const Three& from, double s, double passengers, double drivers,
                        const Three& direction) -> Three {
    return {from[0] + s * passengers * direction[0], from[1] + s * passengers * direction[1],
            from[2] + s * drivers};
  };
  double sigma = h * speed;
  Three middle = q;
  for (int i = 0; i < 60; ++i) {  // a contraction by h G/(2 rho), below a tenth
    middle = moved(q, sigma / 2.0, along, driver, admissible(q[2]));
    sigma = h * speed_at(middle);
  }
  const Three direction = admissible(middle[2]), force = transmission_force(middle);
  const double pull = of_both(force, direction), size = std::hypot(pull, force[2]);
  const double rho = speed_at(middle), r = std::tanh(sigma * size / (rho * rho));
  const double cosine = (along * pull + driver * force[2]) / size;
  const double sine = (driver * pull - along * force[2]) / size;
  const double new_cosine = (cosine + r) / (1.0 + cosine * r);
  const double new_sine = sine * std::sqrt(1.0 - r * r) / (1.0 + cosine * r);
  along = (new_cosine * pull - new_sine * force[2]) / size;
  driver = (new_cosine * force[2] + new_sine * pull) / size;
  const double w = middle[2] + sigma / 2.0 * driver;
  q = moved(middle, sigma / 2.0, along, driver, admissible(w));
  const double end = speed_at(q);
  v = {end * along * admissible(w)[0], end * along * admissible(w)[1], end * driver};
}

}  // namespace

TEST_CASE("A step of speed-splitting is that of its description") {
  const Witness witness = coupled_transmission();
  StepMap<double> map(witness.system, SpeedSplitting{}, {});
  auto point = map.start(witness.q, witness.v);
  Three q{point.q[0], point.q[1], point.q[2]}, v{point.v[0], point.v[1], point.v[2]};
  for (int i = 0; i < 10; ++i) {
    step_by_hand(q, v, 0.1);
    REQUIRE(map.apply(point, 0.1));
  }
  for (std::size_t i = 0; i < 3; ++i) {  // of ten steps, with some ten operations each
    CHECK(std::fabs(point.q[i] - q[i]) < round_off_of(1000));
    CHECK(std::fabs(point.v[i] - v[i]) < round_off_of(1000));
  }
}

TEST_CASE("speed-splitting keeps energy and constraints to round-off in any potential") {
  for (const Witness& witness : {coupled_transmission(), witness_drivers(4, 2)}) {
    CAPTURE(witness.system.name());
    for (const Method& method : with_compositions()) {
      const LargestErrors errors = largest_errors(witness, method, 0.05, 10000);
      // The roundings of one state: of its potential, in whose terms are some ten of size one, of
      // the speed and of the evaluation. They do not add up from step to step.
      CHECK(errors.first_energy < round_off_of(40));
      CHECK(errors.last_energy < round_off_of(40));
      CHECK(errors.constraint < round_off_of(20));
    }
  }
}

TEST_CASE("Steps of speed-splitting forward and back return to the start") {
  // Solved to round-off, and so is the inverse; composed, of 6 or 10 steps, some of them longer.
  for (const Witness& witness : {coupled_transmission(), witness_drivers(4, 2)}) {
    for (const Method& method : with_compositions())
      CHECK(way_back(witness, method, 0.2) < round_off_of(200));
  }
}

TEST_CASE("Orders of speed-splitting and of its compositions") {
  // The next term of the error is of relative size h^2, 1/400 at h = 1/20, times some ten.
  for (const Witness& witness : {coupled_transmission(), witness_drivers(4, 2)}) {
    CAPTURE(witness.system.name());
    CHECK(measured_order(witness, SpeedSplitting{}, 40) == doctest::Approx(2.0).epsilon(0.05));
    for (const Scheme scheme : {Scheme::triple_jump, Scheme::suzuki_4}) {
      CAPTURE(composition_scheme(scheme).name);
      const Method composed = Compose{.base = SpeedSplitting{}, .scheme = scheme};
      CHECK(composed.carried_names(witness.system) == std::vector<std::string>{"energy"});
      CHECK(measured_order(witness, composed, 20) == doctest::Approx(4.0).epsilon(0.05));
    }
  }
}

TEST_CASE("Without a potential speed-splitting needs no force and keeps both speeds") {
  const Witness witness = transmission_in("free", "0");
  StepMap<double> map(witness.system, SpeedSplitting{}, {});
  auto point = map.start(witness.q, witness.v);
  const double passengers = std::hypot(point.v[0], point.v[1]), driver = point.v[2];
  REQUIRE(map.apply(point, 0.1, 100));
  // Two roundings or so of each speed in a step, whose sum is a random walk.
  CHECK(std::fabs(std::hypot(point.v[0], point.v[1]) - passengers) < round_off_of(100));
  CHECK(std::fabs(point.v[2] - driver) < round_off_of(100));
  CHECK(std::fabs(point.q[2] - (witness.q[2] + 10.0 * driver)) < round_off_of(100, 20.0));
}

TEST_CASE("A force of any strength turns the direction by a finite angle") {
  // tanh(h G/(2 rho)) is 1 at the end of this list.
  const Witness witness = transmission_in("falling", "1e3*x2");
  for (const double h : {1e-12, 1e-3, 0.1, 10.0, 1e6}) {
    CAPTURE(h);
    StepMap<double> map(witness.system, SpeedSplitting{}, {});
    auto point = map.start(witness.q, witness.v);
    const double start = map.energy(point);
    point.v[1] = -std::fabs(point.v[1]);
    point.v[0] = -std::sin(point.q[2]) * point.v[1];
    REQUIRE(map.apply(point, h));
    const double size = 1.0 + std::fabs(1e3 * point.q[1]);
    CHECK(std::fabs(map.energy(point) - start) < round_off_of(20, size));
  }
}

TEST_CASE("speed-splitting is explicit where the potential is at most quadratic") {
  CHECK(iterated_unknowns(transmission_in("free", "0").system) == 0);
  CHECK(iterated_unknowns(transmission_in("heavy", "x1 - 2*w").system) == 0);
  const Witness quadratic =
      transmission_in("quadratic", "(x1^2 + 2*x2^2 + 3*w^2)/2 + x1*x2/4 - 0.3*x2*w + w");
  CHECK(iterated_unknowns(quadratic.system) == 0);
  CHECK(iterated_unknowns(coupled_transmission().system) == 1);
}

TEST_CASE("In closed form the step of speed-splitting is the one that is found by iteration") {
  const std::string quadratic = "(x1^2 + 2*x2^2 + 3*w^2)/2 + x1*x2/4 - 0.3*x2*w + w";
  const Witness closed = transmission_in("closed", quadratic);
  const Witness iterated = transmission_in("iterated", quadratic + " + none*sin(w)");
  REQUIRE(iterated_unknowns(closed.system) == 0);
  REQUIRE(iterated_unknowns(iterated.system) == 1);
  for (const double h : {0.05, -0.05}) {
    StepMap<double> one(closed.system, SpeedSplitting{}, {});
    StepMap<double> other(iterated.system, SpeedSplitting{}, {});
    auto point = one.start(closed.q, closed.v), same = other.start(closed.q, closed.v);
    REQUIRE(one.apply(point, h, 5));
    REQUIRE(other.apply(same, h, 5));
    CHECK(largest_difference(point.q, same.q) < round_off_of(500));
    CHECK(largest_difference(point.v, same.v) < round_off_of(500));
  }
  CHECK(way_back(closed, SpeedSplitting{}, 0.2) < round_off_of(200));
}

TEST_CASE("speed-splitting cannot start at rest") {
  const Witness witness = coupled_transmission();
  const Problem problem{witness.system, {{.name = "rest", .q = witness.q, .v = {0.0, 0.0, 0.0}}}};
  const std::string text =
      " cannot start at rest: it divides the velocity by the speed; choose a start that moves, or "
      "driver-splitting";
  CHECK_THROWS_WITH_AS(simulate(problem, SpeedSplitting{}, "rest", {.step = 0.1, .steps = 1}),
                       ("method \"speed-splitting\"" + text).c_str(), RequestError);
  CHECK_THROWS_WITH_AS(
      simulate(problem, Compose{.base = SpeedSplitting{}}, "rest", {.step = 0.1, .steps = 1}),
      ("method \"compose\"" + text).c_str(), RequestError);
  CHECK(simulate(problem, DriverSplitting{}, "rest", {.step = 0.1, .steps = 1}).ok());
  CHECK_FALSE(Method(SpeedSplitting{}).start_misfit(witness.v));
  CHECK_FALSE(Method(DriverSplitting{}).start_misfit(std::vector<double>(3, 0.0)));
}

TEST_CASE("A motion that comes to rest ends with a step that speed-splitting refuses") {
  // A pendulum whose passengers rest turns where its speed vanishes, as every motion on a line.
  for (const char* potential : {"1 - cos(w)", "w^2/2"}) {
    CAPTURE(potential);
    const Witness witness = transmission_in("pendulum", potential);
    const Problem problem{witness.system, {{.q = {0.0, 0.0, 0.0}, .v = {0.0, 0.0, 0.5}}}};
    const Solution solution =
        simulate(problem, SpeedSplitting{}, {}, {.step = 0.1, .until = 10.0, .strict = false});
    CHECK_FALSE(solution.ok());
    // It turns at a quarter of its period, 1.6.
    CHECK(solution.point.t > 1.0);
    CHECK(solution.point.t < 1.65);
    CHECK(solution.message.starts_with(
        "method \"speed-splitting\" on system \"pendulum\" failed in step " +
        std::to_string(solution.steps + 1) + " at t = "));
  }
}

TEST_CASE("Systems that speed-splitting cannot be used on are refused with the reason") {
  const auto misfit = [](const TextSystem& text) {
    return Method(SpeedSplitting{}).misfit(define(text)).value_or("");
  };
  TextSystem text = particle_in_space("particle");
  text.constraints = {"z_dot - t*x_dot"};
  CHECK(misfit(text).find("without explicit time") != std::string::npos);
  text.constraints = {"z_dot - x*y_dot"};
  text.potential = "x*t";
  CHECK(misfit(text).find("without explicit time") != std::string::npos);
  text.potential = "x";
  CHECK(misfit(text).empty());
  text.constraints = {"z_dot - z*y_dot"};
  CHECK(misfit(text).starts_with(
      "method \"speed-splitting\" cannot be used on system \"particle\": it has constraints on the "
      "velocity of \"z\" whose coefficients depend on \"z\""));
}
