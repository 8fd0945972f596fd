// Predicted curves against long runs: right ones agree, and none that is wrong by a hundredth.

#include "dalembert/audit/drift_prediction.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/audit/rates/window_rate.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

/// The rotating transmission without symmetry, to t = 3000.
LongRun transmission() {
  const auto cvt = test_support::pendulum_cvt();
  LongRun run{audit_problem(cvt.system, cvt.q, {0.0, 0.0, 2.82842712}), 0.1, 30000, 30.0};
  run.problem.parameters = {0.5};
  return run;
}

/// A run's change of its energy.
Series energy_change(const LongRun& run, const Method& method) {
  const AuditProblem& problem = run.problem;
  const Symbols s = problem.system.symbols();
  StateFunction<double> energy(problem.system, s, {problem.system.energy(s.q, s.v)},
                               problem.parameters);
  Stepper stepper(StepProgram::compile(problem.system, method, {.compensated = true}), run.step,
                  problem.parameters);
  Evaluator evaluator(problem.system, problem.parameters);
  Point point = start_point(stepper, evaluator, problem.q, problem.v);
  Series samples;
  const auto report =
      integrate(stepper, evaluator, point, {.steps = run.steps, .observe_every = 4},
                [&](const Sample& sample) {
                  samples.t.push_back(sample.t);
                  samples.y.push_back(energy(sample.t, sample.point->q, sample.point->v).front());
                  return true;
                });
  REQUIRE(report.status == RunReport::Status::ok);
  const double first = samples.y.front();
  for (double& value : samples.y) value -= first;
  return samples;
}

bool agrees(const PredictedChange& predicted, double factor, const Series& samples) {
  PredictedChange changed = predicted;
  changed.change = [&](double t) { return factor * predicted.change(t); };
  const auto seen = seen_prediction(changed, samples);
  REQUIRE(seen.has_value());
  return seen->agrees();
}

}  // namespace

TEST_CASE("A prediction that is wrong by a hundredth is not borne out, however the energy bends") {
  // From a rate that doubles the passengers' energy to one that adds a thousandth of it. The steps
  // of the exponents are within 1e-4 of the run's, so that rates, which have the power 2 or 4 of
  // the step, are good to a thousandth; a hundredth is far beyond.
  for (const char* name : {"dla", "dla01", "newmark", "compose", "spark"}) {
    CAPTURE(name);
    const LongRun run = transmission();
    const Method method = make_method({name});
    const Series samples = energy_change(run, method);
    const PredictedChange predicted = predicted_changes(run, method).at("energy");
    CHECK(predicted.by_modes);
    CHECK(agrees(predicted, 1.0, samples));
    CHECK_FALSE(agrees(predicted, 1.01, samples));
    CHECK_FALSE(agrees(predicted, 0.99, samples));
    CHECK(predicted.error(3000.0) < 1e-2 * std::fabs(predicted.change(3000.0)));
  }
  // Energy that decays within a part of the run has no line that says so much, but agrees.
  const LongRun run = transmission();
  const Method method = make_method({"gauss"});
  CHECK(agrees(predicted_changes(run, method).at("energy"), 1.0, energy_change(run, method)));
}

TEST_CASE(
    "Passengers that exchange energy with their driver are predicted by as much as is known") {
  // The rate of the driver's energy changes slowly, and goes on doing so after the window.
  LongRun run = transmission();
  run.problem.parameters = {0.1};
  const Method method = make_method({"reduced-gradient"});
  for (const DriftFinding& finding : audit_long_run(run, method)) {
    CAPTURE(finding.quantity);
    CHECK(finding.agrees());
  }
  const Start start{.q = run.problem.q, .v = run.problem.v};
  const WindowRate window = window_rate(
      run.problem.system, method, start, run.step,
      [](const Symbols& s) {
        return square(s.v[2]) / 2.0 - cos(s.q[2]) - sin(2.0 * s.q[2]) / 20.0;
      },
      500.0, RateScale::linear, run.problem.parameters);
  // The first and the last half tell another rate than the whole; the first alone by chance not.
  CHECK(std::fabs(window.halves[2] - window.halves[0]) > 10.0 * window.error);
}

TEST_CASE("Modes settle what a run is too short for, and only where the run lies beside them") {
  Drift measured;
  measured.slope = {1e-6, -2e-6, 4e-6};
  measured.sure_slope = {1e-6, -5e-6, 7e-6, sure_confidence};
  measured.duration = 1000.0;
  measured.oscillation = 1e-3;
  DriftPrediction predicted{.slope = 0.0,
                            .error = 1e-14,
                            .by_modes = true,
                            .rest = measured.sure_slope,
                            .rest_size = 1e-3};
  CHECK(judge_drift(measured) == DriftVerdict::undecided);
  CHECK(judge_drift(settled_drift(measured, predicted, 1.0)) == DriftVerdict::free);
  predicted.rest = {1e-6, 0.5e-6, 1.5e-6};  // surely another slope
  CHECK(judge_drift(settled_drift(measured, predicted, 1.0)) == DriftVerdict::undecided);
  predicted.rest = measured.sure_slope;
  predicted.rest_size = 0.2;  // too far away to say anything
  CHECK(settled_drift(measured, predicted, 1.0).slope.value == measured.slope.value);
  predicted.rest_size = 1e-3;
  predicted.error = 1e-5;  // less known than the measured one
  CHECK(settled_drift(measured, predicted, 1.0).slope.value == measured.slope.value);
  predicted.error = 1e-14;
  predicted.by_modes = false;  // a window does not know what comes after it
  CHECK(settled_drift(measured, predicted, 1.0).slope.value == measured.slope.value);
  CHECK(settled_drift(measured, std::nullopt, 1.0).slope.value == measured.slope.value);
}

TEST_CASE("A multiplier that changes its sign in each step leaves the latitude to its mode") {
  const LongRun run = transmission();
  const auto latitude = [&](const MethodSpec& method) {
    return predicted_changes(run, make_method(method)).contains("latitude");
  };
  CHECK(latitude({"leapfrog"}));
  CHECK(latitude({"lobatto", {{"stages", 4.0}, {"multiplier", std::string("carried")}}}));
  CHECK(latitude({"discrete-derivative", {{"gradient", std::string("mean-value")}}}));
  CHECK_FALSE(latitude(
      {"lobatto",
       {{"multiplier", std::string("carried")}}}));  // three stages: it beats with the axis
  CHECK_FALSE(latitude({"runge-kutta-4"}));          // what is off the constraints stays
}

TEST_CASE("A driver that is damped does not return, and its rates are known for a while only") {
  const LongRun run = transmission();
  const Start start{.q = run.problem.q, .v = run.problem.v};
  const auto rates = [&](const char* name) {
    return predicted_rates(run.problem.system, make_method({name}), start, run.step,
                           run.problem.parameters);
  };
  CHECK_FALSE(rates("dla01").later.has_value());
  const PredictedRates damped = rates("radau-iia");
  REQUIRE(damped.later.has_value());
  CHECK(damped.closure > 1e-4);
}

TEST_CASE("The error of a rate covers what the step of the run makes of it") {
  const LongRun run = transmission();
  const Start start{.q = run.problem.q, .v = run.problem.v};
  const auto axis = [&](double step) {
    return predicted_rates(run.problem.system, make_method({"dla01"}), start, step,
                           run.problem.parameters);
  };
  // Rates have the power 2 of the step: interpolated between two of which each lies some 1e-2 away,
  // to 1e-4 of the rate, which is less than a tenth of what a step 1e-3 away makes of it.
  const PredictedRates here = axis(0.1), below = axis(0.0995), above = axis(0.1005);
  const double slope = (above.modes[0].rate - below.modes[0].rate) / (above.step - below.step);
  const double at_step = below.modes[0].rate + slope * (0.1 - below.step);
  const RateMode mode = here.modes[0];
  CHECK(std::fabs(mode.rate - at_step) <= mode.step_error + 1e-5 * std::fabs(mode.rate));
  CHECK(mode.step_error < 1e-2 * std::fabs(mode.rate));
  CHECK(mode.error < 1e-3 * mode.step_error);
}
