// Derivatives of runs: closed forms, and what is refused. Adjoints against tangents and the bits of
// the run: equal/derivatives_test.cpp.

#include "dalembert/sensitivity/sensitivity.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/general_witness.hpp"
#include "support/sensitivities.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// x'' = -k x, with a constraint that keeps y at its place.
Problem oscillator() {
  TextSystem text;
  text.name = "oscillator";
  text.coordinates = {"x", "y"};
  text.kinetic = "(x_dot^2 + y_dot^2)/2";
  text.potential = "k*x^2/2";
  text.constraints = {"y_dot - x_dot"};
  text.parameters = {{"k", 3.0}};
  return {define(text), {Start{.name = "start", .q = {1.0, 0.0}, .v = {0.0, 0.0}}}};
}

template <class Call>
void check_refused_with(const Call& call, const std::string& words) {
  try {
    static_cast<void>(call());
    FAIL_CHECK("not refused: " << words);
  } catch (const RequestError& error) {
    CHECK_MESSAGE(std::string(error.what()).find(words) != std::string::npos, error.what());
  }
}

}  // namespace

TEST_CASE("Derivatives of an oscillator in closed form") {
  // Along y_dot = x_dot the motion is x'' = -k/2 x: with w = sqrt(k/2), x = cos(w t).
  const Problem problem = oscillator();
  const Method gauss = make_method({"gauss", {{"stages", 4.0}}});
  const double t = 4.0, w = std::sqrt(1.5);
  for (const SensitivityMode mode : {SensitivityMode::tangent, SensitivityMode::adjoint}) {
    SensitivityOptions options{.step = 0.05, .until = t, .mode = mode};
    options.by = {"x", "y", "x_dot", "k"};
    options.of = {{"x", [](const Symbols& s, const Vector&) { return s.q[0]; }},
                  {"lambda", [](const Symbols&, const Vector& lambda) { return lambda[0]; }}};
    const Sensitivity found = sensitivity(problem, gauss, {}, options);
    REQUIRE(found.ok());
    CHECK(found.mode == mode);
    REQUIRE(found.size() == 2);
    // Gauss' method of order 8 with this step, and round-off of 80 steps.
    constexpr double exact = 1e-11;
    CHECK(found.values[2] == doctest::Approx(std::cos(w * t)).epsilon(exact));
    CHECK(found.derivative(1, 0, 0) == doctest::Approx(std::cos(w * t)).epsilon(exact));
    CHECK(std::fabs(found.derivative(1, 0, 1)) <= exact);
    // x_dot alone is brought to the constraint: both velocities become half of it.
    CHECK(found.derivative(1, 0, 2) == doctest::Approx(0.5 * std::sin(w * t) / w).epsilon(exact));
    const double by_frequency = -t * std::sin(w * t);
    CHECK(found.derivative(1, 0, 3) == doctest::Approx(by_frequency * 0.25 / w).epsilon(exact));
    // y'' = lambda up to the sign, and y'' = -k/2 x.
    const double sign = found.values[3] * found.values[2] < 0.0 ? -1.0 : 1.0;
    CHECK(found.values[3] == doctest::Approx(sign * 1.5 * std::cos(w * t)).epsilon(exact));
    CHECK(found.derivative(1, 1, 3) ==
          doctest::Approx(sign * (0.5 * std::cos(w * t) + 1.5 * by_frequency * 0.25 / w))
              .epsilon(exact));
    CHECK(found.derivative(0, 0, 0) == 1.0);
  }
}

TEST_CASE("A shorter last step, compensated sums and records on the way") {
  const Problem problem = problem_of(witness_constant_mass());
  const Method dla = make_method({"dla", {}});
  SensitivityOptions options{.step = 0.05, .until = 3.02, .compensated = true};
  options.mode = SensitivityMode::tangent;
  const Sensitivity forwards = sensitivity(problem, dla, {}, options);
  options.mode = SensitivityMode::adjoint;
  const Sensitivity backwards = sensitivity(problem, dla, {}, options);
  CHECK(largest_apart(forwards, backwards) <= 1e-12);
  CHECK(forwards.t.back() == 3.02);
  const Solution run =
      simulate(problem, dla, {}, {.step = 0.05, .until = 3.02, .compensated = true});
  CHECK(forwards.point.q == run.point.q);
  CHECK(backwards.point.v == run.point.v);

  options.mode = SensitivityMode::tangent;
  options.record_every = 20;
  const Sensitivity records = sensitivity(problem, dla, {}, options);
  REQUIRE(records.size() == 5);
  CHECK(records.t[1] == 1.0);
  CHECK(records.t[4] == 3.02);
  SensitivityOptions listed = options;
  listed.record_every = 0;
  listed.record_after = {20, 40, 60};
  CHECK(sensitivity(problem, dla, {}, listed).derivatives == records.derivatives);
  options.until = 2.0;
  const Sensitivity half = sensitivity(problem, dla, {}, options);
  REQUIRE(half.size() == 3);
  for (std::size_t i = 0; i < half.of.size(); ++i)
    CHECK(half.derivative(2, i, 0) == records.derivative(2, i, 0));
}

TEST_CASE("A method that divides its steps") {
  const Problem problem = problem_of(witness_constant_mass());
  const Method fehlberg = make_method({"fehlberg-78", {{"tolerance", 1e-12}}}),
               gauss = make_method({"gauss", {{"stages", 5.0}}});
  SensitivityOptions options{.step = 0.1, .until = 3.0};
  const Sensitivity divided = sensitivity(problem, fehlberg, {}, options),
                    exact = sensitivity(problem, gauss, {}, options);
  // Both are those of the motion to their tolerance.
  CHECK(largest_apart(divided, exact) <= 1e-9);
  options.by = {"step"};
  check_refused_with([&] { return sensitivity(problem, fehlberg, {}, options); },
                     "divides its steps");
  options.by = {"x"};
  options.mode = SensitivityMode::adjoint;
  check_refused_with([&] { return sensitivity(problem, fehlberg, {}, options); },
                     "divides its steps");
}

TEST_CASE("A derivative that leaves the numbers ends the run, whichever lane it is in") {
  // y moves straight on while x'' = x: from x = 0 the state stays, and the derivative by x grows
  // like exp(t).
  TextSystem text = particle_in_plane("saddle");
  text.potential = "-x^2/2";
  const Problem problem{define(text), {Start{.q = {0.0, 0.0}, .v = {0.0, 1.0}}}};
  const Method leapfrog = make_method({"leapfrog", {}});
  SensitivityOptions options{.step = 0.5, .until = 2000.0};
  options.mode = SensitivityMode::tangent;
  options.by = {"x"};
  const Sensitivity alone = sensitivity(problem, leapfrog, {}, options);
  options.by = {"y", "y_dot", "x"};
  const Sensitivity beside = sensitivity(problem, leapfrog, {}, options);
  for (const Sensitivity* found : {&alone, &beside}) {
    CHECK(found->status == Sensitivity::Status::failed);
    CHECK(found->message.find("no finite numbers any more") != std::string::npos);
    CHECK(found->steps == alone.steps);
    REQUIRE(found->size() == 2);
    CHECK(found->t[1] == 0.5 * static_cast<double>(alone.steps));
    CHECK(found->derivative(1, 0, found->by.size() - 1) > 1e300);
    CHECK(std::isfinite(found->derivative(1, 0, found->by.size() - 1)));
  }
  CHECK(beside.derivative(1, 1, 0) == 1.0);
  CHECK(beside.derivative(1, 1, 1) == beside.t[1]);
  options.mode = SensitivityMode::adjoint;
  const Sensitivity backwards = sensitivity(problem, leapfrog, {}, options);
  CHECK(backwards.status == Sensitivity::Status::failed);
  CHECK(backwards.message.find("no finite numbers any more") != std::string::npos);
  CHECK(backwards.size() == 1);
}

TEST_CASE("A multiplier that the start gives does not follow it") {
  const Witness witness = witness_constant_mass();
  Problem problem = problem_of(witness);
  Start start = prepare_start(witness.system, problem.starts.front());
  start.lambda = std::vector<double>{0.7};
  const Method lobatto = make_method({"lobatto", {{"multiplier", std::string("carried")}}});
  SensitivityOptions options{.step = 0.05, .steps = 20};
  options.by = {"x"};
  options.of = {{"z", [](const Symbols& s, const Vector&) { return s.q[2]; }}};
  const auto derivative = [&](const Start& from, SensitivityMode mode) {
    options.mode = mode;
    const Sensitivity found = sensitivity(problem, lobatto, from, options);
    REQUIRE(found.ok());
    return found.derivative(1, 0, 0);
  };
  const double tangent = derivative(start, SensitivityMode::tangent);
  CHECK(derivative(start, SensitivityMode::adjoint) == doctest::Approx(tangent).epsilon(1e-12));
  // Central differences: d^2, and round-off over d.
  constexpr double d = 1e-5;
  const auto end = [&](double shift) {
    Start moved = start;
    moved.q[0] += shift;
    moved.project = true;
    return simulate(problem, lobatto, moved, {.step = 0.05, .steps = 20}).q().back();
  };
  CHECK((end(d) - end(-d)) / (2 * d) == doctest::Approx(tangent).epsilon(1e-7));
  start.lambda.reset();
  CHECK(std::fabs(derivative(start, SensitivityMode::tangent) - tangent) > 1e-6);
}

TEST_CASE("What is not there is refused, and what fails is kept up to there") {
  const Problem problem = problem_of(witness_constant_mass());
  const Method dla = make_method({"dla", {}});
  SensitivityOptions options{.step = 0.05, .until = 1.0};
  const auto refused = [&](const char* words) {
    check_refused_with([&] { return sensitivity(problem, dla, {}, options); }, words);
  };
  options.by = {"x_dott"};
  refused("did you mean \"x_dot\"");
  options.by = {"x", "start"};
  refused("asked for twice");
  TextSystem odd = particle_in_plane("odd");
  odd.coordinates = {"my_dots", "y"};
  odd.kinetic = "(my_dots_dot^2 + y_dot^2)/2";
  const Problem named{define(odd), {Start{.q = {0.0, 0.0}, .v = {1.0, 0.0}}}};
  const Sensitivity both = sensitivity(named, dla, {}, {.step = 0.1, .until = 1.0});
  CHECK(both.by == std::vector<std::string>{"my_dots", "y", "my_dots_dot", "y_dot"});
  options.by = {"step"};
  options.until = 1.01;
  refused("no multiple");
  options.by = {"x"};
  options.until = 1.0;
  options.mode = SensitivityMode::adjoint;
  options.record_every = 2;
  refused("records");

  Problem bouncing = problem;
  bouncing.events.push_back(
      {.name = "wall", .function = [](const Symbols& s) { return s.q[0]; }, .stop_after = 1});
  options = {.step = 0.05, .until = 1.0};
  check_refused_with([&] { return sensitivity(bouncing, dla, {}, options); }, "event \"wall\"");

  // A step that is far too large.
  const Method gauss = make_method({"gauss", {{"stages", 1.0}}});
  options = {.step = 40.0, .steps = 50, .record_every = 1};
  const Sensitivity failed = sensitivity(problem, gauss, {}, options);
  CHECK(failed.status == Sensitivity::Status::failed);
  CHECK(failed.message.find("failed in step") != std::string::npos);
  CHECK(failed.size() == failed.steps + 1);
  CHECK(failed.derivatives.size() == failed.size() * failed.of.size() * failed.by.size());
}
