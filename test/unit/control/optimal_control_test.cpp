// Optimal controls where they are known: in closed form, or from Pontryagin's equations.
#include "dalembert/control/optimal_control.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/parking.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A particle of unit mass on a line in the plane, with a force along it.
TextSystem particle_on_line() {
  TextSystem text = particle_in_plane("line");
  text.constraints = {"y_dot"};
  text.parameters = {{"u", 0.0}};
  text.force = {"u", "0"};
  return text;
}

/// Least (1/2) int u^2 for a way of `distance` from rest to rest of x'' = u in N steps of h, where
/// the positions of the method are those of a constant force: u_k = c (T/2 - t_k+1/2).
double least_effort(double distance, double time, double steps) {
  return 6.0 * distance * distance / (time * time * time * (1.0 - 1.0 / (steps * steps)));
}

}  // namespace

TEST_CASE("A particle is brought from rest to rest as the closed form says") {
  const Problem problem{define(particle_on_line()), {Start{.q = {0.2, 0.0}, .v = {0.0, 0.0}}}};
  for (const Method& method : {Method(Dla{}), Method(Gauss{}), Method(Leapfrog{})}) {
    CAPTURE(method.name());
    ControlOptions options{.step = 0.25, .steps = 12};
    options.by = {"u"};
    options.cost = half_squares({"u"});
    options.end = StartChoice({1.7, 0.0}, {0.0, 0.0});
    const OptimalControl found = optimal_control(problem, method, {}, options);
    REQUIRE(found.ok());
    CHECK(found.extremum == Extremum::minimum);
    // Everything is linear: round-off.
    CHECK(std::fabs(found.cost - least_effort(1.5, 3.0, 12.0)) < 1e-13);
    CHECK(found.defect < 1e-13);
    CHECK(found.residual < 1e-13);
    const double slope = -(found.controls[1] - found.controls[0]) / 0.25;
    CHECK(std::fabs(slope - 12.0 * 1.5 / (27.0 * (1.0 - 1.0 / 144.0))) < 1e-12);
    // The costate of the position is constant, that of the velocity linear.
    CHECK(std::fabs(found.costate[0] - slope) < 1e-12);
    CHECK(std::fabs(found.costate[2] - slope * 1.5) < 1e-12);
    CHECK(found.stationary_costs.size() == 1);
  }
}

TEST_CASE("A price of the end stands in the place of the end") {
  // Least u^2/2 + (k/2) (x(T) - 1)^2 with a free velocity: u = p (T - t), x = p S, p = k (1 - x).
  const Problem problem{define(particle_on_line()), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.0}}}};
  const double h = 0.2, time = 2.0, price = 3.0;
  const double s = time * time * time / 3.0 - time * h * h / 12.0, p = price / (1.0 + price * s);
  ControlOptions options{.step = h, .until = time};
  options.by = {"u"};
  options.cost = half_squares({"u"});
  options.end_cost = SensitiveQuantity{"price", [price](const Symbols& symbols, const Vector&) {
                                         const Expr miss = symbols.q[0] - 1.0;
                                         return 0.5 * price * miss * miss;
                                       }};
  const OptimalControl found = optimal_control(problem, Dla{}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  const double miss = 1.0 - p * s;
  CHECK(std::fabs(found.cost - (0.5 * p * p * s + 0.5 * price * miss * miss)) < 1e-13);
  CHECK(std::fabs(found.q[2 * 10] - p * s) < 1e-13);
}

TEST_CASE("Conditions of the end may ask for the last controls") {
  // Without a force in the last step the particle has to arrive a step earlier.
  const Problem problem{define(particle_on_line()), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.0}}}};
  ControlOptions options{.step = 0.25, .steps = 8};
  options.by = {"u"};
  options.cost = half_squares({"u"});
  options.end_conditions = {
      element("x", 1.0), rate(0), {"u", [](const Symbols& s, const Vector&) { return s["u"]; }}};
  const OptimalControl found = optimal_control(problem, Dla01{}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  CHECK(std::fabs(found.cost - least_effort(1.0, 1.75, 7.0)) < 1e-12);
  CHECK(std::fabs(found.controls.back()) < 1e-13);
}

TEST_CASE("Where constraints depend on time the end is on those of the end") {
  // The blade turns by a right angle: at the end it moves along the other axis.
  const Problem problem = load_problem("knife-edge-prescribed", {.parameters = {{"f1", 0.0}}});
  ControlOptions options{.step = 0.125, .steps = 8};
  options.parameters = {{"omega", 0.5 * std::numbers::pi}};
  options.by = {"f1", "f2"};
  options.cost = half_squares(options.by);
  options.end = StartChoice({0.4, 0.3}, {0.0, 0.7});
  const OptimalControl found = optimal_control(problem, Dla01{}, "down", options);
  REQUIRE(found.ok());
  CHECK(std::fabs(found.q[16] - 0.4) < 1e-12);
  CHECK(std::fabs(found.q[17] - 0.3) < 1e-12);
  CHECK(std::fabs(found.v[16]) < 1e-12);
  CHECK(std::fabs(found.v[17] - 0.7) < 1e-12);
}

TEST_CASE("A cost of the state is a trapezoidal sum") {
  // int (x^2 + u^2)/2: the discrete optimum is of order two.
  const Problem problem{define(particle_on_line()), {Start{.q = {1.0, 0.0}, .v = {0.0, 0.0}}}};
  std::array<double, 3> costs{};
  for (std::size_t i = 0; i < costs.size(); ++i) {
    ControlOptions options{.step = 0.1 / static_cast<double>(1U << i), .until = 2.0};
    options.by = {"u"};
    options.cost = SensitiveQuantity{"both", [](const Symbols& s, const Vector&) {
                                       return 0.5 * (s.q[0] * s.q[0] + s["u"] * s["u"]);
                                     }};
    const OptimalControl found = optimal_control(problem, Gauss{}, {}, options);
    REQUIRE(found.ok());
    costs.at(i) = found.cost;
    // At a free end nothing changes the cost any more.
    for (std::size_t j = found.costate.size() - 4; j < found.costate.size(); ++j)
      CHECK(std::fabs(found.costate[j]) < 1e-12);
  }
  CHECK(std::fabs((costs[0] - costs[1]) / (costs[1] - costs[2]) - 4.0) < 0.05);
}

TEST_CASE("The motion is that of the method's own steps") {
  const Problem problem = pushed_wheel();
  const OptimalControl found = optimal_control(problem, Dla01{}, {}, parking(20));
  REQUIRE(found.ok());
  Stepper stepper(StepProgram::compile(problem.system, Dla01{}), 0.2);
  Point point = stepper.make_point(problem.starts[0].q, problem.starts[0].v);
  for (std::size_t k = 0; k < 20; ++k) {
    stepper.set_parameters(std::vector{found.controls[2 * k], found.controls[2 * k + 1]});
    REQUIRE(stepper.step(point).status == StepStatus::ok);
    // Round-off of 20 steps.
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::fabs(point.q[i] - found.q[3 * (k + 1) + i]) < 1e-13);
      CHECK(std::fabs(point.v[i] - found.v[3 * (k + 1) + i]) < 1e-13);
    }
  }
}

TEST_CASE("Costates are the derivatives of the least cost by the start") {
  Problem problem = pushed_wheel();
  const OptimalControl found = optimal_control(problem, Dla01{}, {}, parking(20));
  REQUIRE(found.ok());
  ControlOptions nearby = parking(20, 0);
  nearby.guesses = {found.controls};
  const double epsilon = 1e-4;
  for (std::size_t i = 0; i < 3; ++i) {
    double difference = 0.0;
    for (const double sign : {1.0, -1.0}) {
      Start start = problem.starts[0];
      start.q[i] = sign * epsilon;
      const OptimalControl changed = optimal_control(problem, Dla01{}, start, nearby);
      REQUIRE(changed.ok());
      difference += sign * changed.cost / (2.0 * epsilon);
    }
    // Of order epsilon squared.
    CHECK(std::fabs(difference + found.costate[i]) < 1e-6);
  }
}

TEST_CASE("A body is turned on SO(3) as on a line") {
  SystemDescription description;
  description.name = "turned-body";
  description.coordinates = {{"R", false, "SO(3)"}};
  Parameter torque;
  torque.name = "torque";
  description.parameters = {torque};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    Mechanics m;
    m.kinetic = 0.5 * (0.4 * s.v[0] * s.v[0] + 0.7 * s.v[1] * s.v[1] + 0.5 * s.v[2] * s.v[2]);
    m.force = {0.0, 0.0, s["torque"]};
    return m;
  });
  const Problem problem{system, {Start{.q = {1.0, 0.0, 0.0, 0.0}, .v = {0.0, 0.0, 0.0}}}};
  ControlOptions options{.step = 0.125, .steps = 16};
  options.by = {"torque"};
  options.cost = half_squares({"torque"});
  const double angle = 1.25;
  options.end =
      StartChoice({std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)}, {0.0, 0.0, 0.0});
  const OptimalControl found =
      optimal_control(problem, LieMidpoint{.retraction = Retraction::exponential}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  // About one axis rotations add up; the torque is the moment of inertia times the acceleration.
  CHECK(std::fabs(found.cost - 0.25 * least_effort(angle, 2.0, 16.0)) < 1e-12);
}

TEST_CASE("Ends that a symmetry leaves as they are have a family of controls") {
  TextSystem text = particle_in_plane("plane");
  text.parameters = {{"u", 0.0}, {"w", 0.0}};
  text.force = {"u", "w"};
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.0}}}};
  ControlOptions options{.step = 0.25, .steps = 8};
  options.by = {"u", "w"};
  options.cost = half_squares({"u", "w"});
  options.end_conditions = {
      {"circle",
       [](const Symbols& s, const Vector&) { return s.q[0] * s.q[0] + s.q[1] * s.q[1] - 1.0; }},
      rate(0),
      rate(1)};
  const OptimalControl found = optimal_control(problem, Gauss{.stages = 1}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::family);
  CHECK(std::fabs(found.cost - least_effort(1.0, 2.0, 8.0)) < 1e-12);
}

TEST_CASE("Where all controls cost the same they are a family") {
  ControlOptions options = parking(16, 1);
  options.cost = SensitiveQuantity{"one", [](const Symbols&, const Vector&) { return Expr(1.0); }};
  const OptimalControl found = optimal_control(pushed_wheel(), Dla01{}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::family);
  CHECK(std::fabs(found.cost - 4.0) < 1e-13);
  CHECK(found.defect < 1e-12);
}

TEST_CASE("Conditions of the end that the motion meets by itself do no harm") {
  TextSystem text = particle_in_plane("plane");
  text.parameters = {{"u", 0.0}};
  text.force = {"u", "0"};
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {0.0, 0.5}}}};
  ControlOptions options{.step = 0.25, .steps = 8};
  options.by = {"u"};
  options.cost = half_squares({"u"});
  options.end = StartChoice({1.0, 1.0}, {0.0, 0.5});
  const OptimalControl found = optimal_control(problem, Gauss{.stages = 1}, {}, options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  CHECK(std::fabs(found.cost - least_effort(1.0, 2.0, 8.0)) < 1e-12);
  SUBCASE("and what no control reaches is said") {
    options.end = StartChoice({1.0, 1.5}, {0.0, 0.5});
    options.trials = 2;
    const OptimalControl none = optimal_control(problem, Gauss{.stages = 1}, {}, options);
    CHECK(none.status == OptimalControl::Status::failed);
    CHECK(none.message.find("misses its end") != std::string::npos);
    CHECK(none.t.empty());
  }
}

TEST_CASE("What is asked for in vain is refused") {
  const Problem problem = pushed_wheel();
  const auto refusal = [&](const ControlOptions& options, const Method& method = Dla01{}) {
    try {
      optimal_control(problem, method, {}, options);
    } catch (const RequestError& error) {
      return std::string(error.what());
    }
    return std::string("nothing is refused");
  };
  const auto says = [](const std::string& sentence, const std::string& words) {
    CAPTURE(sentence);
    CHECK(sentence.find(words) != std::string::npos);
  };
  ControlOptions options = parking(20);
  options.by = {"push", "torqe"};
  says(refusal(options), "\"torqe\" is no parameter");
  says(refusal(options), "did you mean \"torque\"?");
  options.by = {"push", "push"};
  says(refusal(options), "twice");
  options.by = {};
  says(refusal(options), "no control is named");
  options = parking(20);
  options.cost.reset();
  says(refusal(options), "nothing is to be least");
  options = parking(20);
  options.steps = 0;
  options.until = 4.1;
  says(refusal(options), "no multiple of the step");
  options = parking(20);
  options.end = StartChoice({0.0, 1.0, 0.0}, {0.0, 1.0, 0.0});
  says(refusal(options), "no motion can end there: constraint 1");
  options = parking(20);
  options.guesses = {{1.0, 2.0}};
  says(refusal(options), "need 40");
  says(refusal(parking(20), Fehlberg78{.tolerance = 1e-8}), "divides its steps");
  // The turntable's rate is a parameter of the constraints.
  const Problem ball = load_problem("ball-on-turntable");
  ControlOptions turned{.step = 0.1, .steps = 10};
  turned.by = {"Omega"};
  turned.cost = half_squares({"Omega"});
  CHECK_THROWS_WITH_AS(optimal_control(ball, Dla01{}, {}, turned),
                       doctest::Contains("changes the constraints"), RequestError);
}

TEST_CASE("A search can be stopped") {
  std::atomic<bool> cancelled = true;
  ControlOptions options = parking(20);
  options.cancelled = &cancelled;
  CHECK(optimal_control(pushed_wheel(), Dla01{}, {}, options).status ==
        OptimalControl::Status::stopped);
}
