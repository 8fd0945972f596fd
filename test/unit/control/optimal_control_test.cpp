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
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/velocity_dla.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

SensitiveQuantity half_squares(const std::vector<std::string>& controls) {
  return {"effort", [controls](const Symbols& s, const Vector&) {
            Expr sum = 0.0;
            for (const std::string& name : controls) sum += 0.5 * s[name] * s[name];
            return sum;
          }};
}

SensitiveQuantity element(const std::string& name, double target = 0.0) {
  return {name, [name, target](const Symbols& s, const Vector&) {
            return s.element(name).variables[0] - target;
          }};
}

SensitiveQuantity rate(std::size_t i) {
  return {"rate", [i](const Symbols& s, const Vector&) { return s.v[i]; }};
}

/// A wheel that is pushed along its heading and turned, of unit mass and moment of inertia.
Problem unicycle() {
  TextSystem text{"unicycle", {"x", "y", "theta"}, "(x_dot^2 + y_dot^2 + theta_dot^2)/2", "0"};
  text.constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"};
  text.parameters = {{"push", 0.0}, {"torque", 0.0}};
  text.force = {"push*cos(theta)", "push*sin(theta)", "torque"};
  return {define(text), {Start{.q = {0.0, 0.0, 0.0}, .v = {0.0, 0.0, 0.0}}}};
}

/// Parking sideways in a time of 4, with that many steps.
ControlOptions parking(std::uint64_t steps, std::size_t trials = 4) {
  ControlOptions options{.step = 4.0 / static_cast<double>(steps), .steps = steps};
  options.by = {"push", "torque"};
  options.cost = half_squares(options.by);
  options.end = StartChoice({0.0, 1.0, 0.0}, {0.0, 0.0, 0.0});
  options.trials = trials;
  return options;
}

/// The cost of Pontryagin's extremal, and its costates of x, y, theta, of the speed along the
/// heading and of the rate of turning at the start: from shooting, with Gauss' method of order 12.
constexpr double exact_cost = 4.36120293215028;
constexpr std::array exact_costate{3.5926934422093, 2.9214800235122, 1.7963467211047,
                                   1.4916998828546, 2.0776515246106};

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

TEST_CASE("Parking sideways has the cost and the controls of the shooting") {
  constexpr std::array steps{20, 40, 80, 160};
  constexpr std::array costs{4.3852563988940, 4.3671733139027, 4.3626927957840, 4.3615752266392};
  std::array<double, 4> found_costs{};
  std::array<std::vector<double>, 4> costates;
  const Problem problem = unicycle();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto count = static_cast<std::uint64_t>(steps.at(i));
    CAPTURE(count);
    const OptimalControl found = optimal_control(problem, Dla01{}, {}, parking(count));
    REQUIRE(found.ok());
    CHECK(found.extremum == Extremum::minimum);
    CHECK(found.converged == found.trials);
    // The digits that are given.
    CHECK(std::fabs(found.cost - costs.at(i)) < 1e-12);
    CHECK(found.defect < 1e-12);
    CHECK(found.constraint < 1e-12);
    found_costs.at(i) = found.cost;
    // The mirror image costs the same: theta, push and speed change their signs.
    const double side = found.controls[1] > 0.0 ? 1.0 : -1.0;
    costates.at(i) = {found.costate[0] * -side, found.costate[1], found.costate[2] * side,
                      found.costate[3] * -side, found.costate[5] * side};
    if (count != 20) continue;
    const std::array expected{std::array{-1.156386416431, 1.906703534851},
                              std::array{1.202750913890, -0.329182236779},
                              std::array{-0.219959766598, -1.611545228556}};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(std::fabs(found.controls[10 * k + j] * side - expected.at(k).at(j)) < 1e-11);
    const std::array middle{0.0, 0.5, 1.380810764476 * side};
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::fabs(found.q[30 + j] - middle.at(j)) < 1e-11);
    CHECK(std::fabs(std::hypot(found.v[30], found.v[31]) - 0.895987070874) < 1e-11);
  }
  // Order two, and the limit; what is left of order four is 3e-7.
  for (std::size_t i = 0; i + 1 < steps.size(); ++i)
    CHECK(std::fabs(
              std::log2((found_costs.at(i) - exact_cost) / (found_costs.at(i + 1) - exact_cost)) -
              2.0) < 0.02);
  CHECK(std::fabs((4.0 * found_costs[3] - found_costs[2]) / 3.0 - exact_cost) < 1e-6);
  for (std::size_t j = 0; j < exact_costate.size(); ++j) {
    const double limit = (4.0 * costates[3].at(j) - costates[2].at(j)) / 3.0;
    CHECK(std::fabs(std::fabs(limit) - exact_costate.at(j)) < 2e-6);
  }
}

TEST_CASE("The motion is that of the method's own steps") {
  const Problem problem = unicycle();
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
  Problem problem = unicycle();
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

TEST_CASE("Every kind of step has optimal controls of order two") {
  // One-step maps, stages, sweeps in lanes, methods that carry a multiplier.
  const Problem problem = unicycle();
  const std::vector<Method> methods{Gauss{.stages = 3}, RungeKutta4{}, Lobatto{}, Newmark{},
                                    VelocityDla{},      Leapfrog{},    Spark{}};
  // From the controls of one of them.
  std::array<ControlOptions, 2> options{parking(40), parking(80)};
  for (ControlOptions& each : options) {
    each.guesses = {optimal_control(problem, Dla01{}, {}, each).controls};
    each.trials = 0;
  }
  for (const Method& method : methods) {
    CAPTURE(method.name());
    std::array<double, 2> errors{};
    for (std::size_t i = 0; i < 2; ++i) {
      const OptimalControl found = optimal_control(problem, method, {}, options.at(i));
      REQUIRE(found.ok());
      CHECK(found.extremum == Extremum::minimum);
      CHECK(found.defect < 1e-12);
      errors.at(i) = found.cost - exact_cost;
    }
    CHECK(std::fabs(std::log2(errors[0] / errors[1]) - 2.0) < 0.1);
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
  const OptimalControl found = optimal_control(unicycle(), Dla01{}, {}, options);
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

TEST_CASE("Controls of a robot in its library problem") {
  const Problem problem = load_problem("differential-drive");
  ControlOptions options{.step = 0.2, .until = 4.0};
  options.by = {"tau_l", "tau_r"};
  options.cost = half_squares(options.by);
  options.end_conditions = {element("x"), element("y", 1.0), element("theta"), rate(2)};
  options.trials = 4;
  const OptimalControl found = optimal_control(problem, Dla01{}, "starting", options);
  REQUIRE(found.ok());
  CHECK(found.extremum == Extremum::minimum);
  CHECK(found.constraint < 1e-12);
  CHECK(std::fabs(found.q[5 * 20 + 1] - 1.0) < 1e-12);
}

TEST_CASE("What is asked for in vain is refused") {
  const Problem problem = unicycle();
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
  CHECK(optimal_control(unicycle(), Dla01{}, {}, options).status ==
        OptimalControl::Status::stopped);
}
