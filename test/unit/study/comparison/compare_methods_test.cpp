#include "dalembert/study/comparison/compare_methods.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/execute_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

Study oscillator(const std::string& rest, const std::string& run = "step = 0.5\nuntil = 50\n") {
  return read_study(parse_document(R"(
[system]
coordinates = ["x"]
lagrangian = { kinetic = "x_dot^2/2", potential = "x^2/2" }
[initial]
q = [1]
v = [0]
[run]
)" + run + rest,
                                   "text"));
}

const ComparedMethod& of(const Comparison& comparison, const std::string& label) {
  for (const ComparedMethod& method : comparison.methods)
    if (method.plan.method.label == label) return method;
  FAIL("no method " << label);
  return comparison.methods.front();
}

}  // namespace

TEST_CASE("errors of the solution are those against the closed form") {
  const Comparison found =
      compare_methods(oscillator("[[method]]\nname = \"leapfrog\"\n[[method]]\nname = \"gauss\"\n"),
                      {.levels = 4, .horizon = 10.0});
  CHECK(found.horizon == 10.0);
  CHECK(found.kept == std::vector<std::string>{"energy"});
  CHECK_FALSE(found.has_constraints);
  // Of Gauss' method of order 12, steps of some 1/10: round-off.
  CHECK(found.reference_error < 1e-12);
  for (const ComparedMethod& method : found.methods) {
    REQUIRE(method.runs.size() == 4);
    double h = 0.5;
    for (const ComparedRun& run : method.runs) {
      CHECK(run.step == h);
      Stepper stepper(method.plan.program, h, method.plan.parameters);
      Evaluator evaluator(method.plan.system);
      Point point = start_point(stepper, evaluator, method.plan.q, method.plan.v);
      double expected = 0.0;
      // Nodes of the comparison: 10 / 0.5 = 20 steps, every second.
      for (int node = 1; node <= 10; ++node) {
        const auto steps = static_cast<std::uint64_t>(std::lround(1.0 / h));
        static_cast<void>(stepper.advance(point, 0.0, steps * (node - 1), steps));
        const double x = std::cos(node), v = -std::sin(node);
        expected = numeric::larger(expected, std::fabs(point.q[0] - x) / (1.0 + std::fabs(x)));
        expected = numeric::larger(expected, std::fabs(point.v[0] - v) / (1.0 + std::fabs(v)));
      }
      CHECK(std::fabs(run.solution_error - expected) < 1e-11);  // the reference, round-off
      h *= 0.5;
    }
  }
}

TEST_CASE("what a run keeps is what the run of the study says") {
  const Comparison found = compare_methods(
      oscillator("[[method]]\nname = \"radau-iia\"\n[[method]]\nname = \"lobatto\"\n"),
      {.levels = 2});
  const std::vector<RunPlan> plans =
      plan_runs(oscillator("[[method]]\nname = \"radau-iia\"\n[[method]]\nname = \"lobatto\"\n",
                           "step = [0.5, 0.25]\nuntil = 50\n"));
  const std::vector<RunResult> results = execute_runs(plans, {});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const ComparedRun& run = of(found, plans[i].method.label).runs[i % 2];
    CHECK(run.step == plans[i].step);
    CHECK(run.kept[0].error == results[i].diagnostics.energy.max_error);
    CHECK(run.evaluations == static_cast<double>(results[i].evaluations()));
    CHECK(run.status == RunResult::Status::ok);
  }
  // Radau's method takes energy away, Lobatto's keeps it on the whole.
  const KeptQuantity& radau = of(found, "radau-iia").runs[0].kept[0];
  CHECK(radau.drift->high < 0.0);
  CHECK(radau.largest_drift() == -radau.drift->low);
  CHECK(radau.verdict == DriftVerdict::drifts);
  CHECK(of(found, "lobatto").runs[0].kept[0].drift->contains(0.0));
}

TEST_CASE("drifts are those of the records of a run, of each quantity by itself") {
  const Study study = read_study(parse_document(R"(
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
until = 200
[[method]]
name = "radau-iia"
)",
                                                "text"));
  const Comparison found = compare_methods(study, {.levels = 2});
  const RunPlan plan = plan_runs(study).front();
  const RunResult result = std::move(execute_runs({plan}, {.keep_records = true}).front());
  REQUIRE(found.kept == std::vector<std::string>{"energy", "driver_energy", "passenger_energy"});
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t column =
        i == 0 ? plan.columns.energy() : plan.columns.integrals_begin() + i - 1;
    std::vector<double> t, y;
    for (std::size_t row = 0; row < result.records.size(); row += plan.columns.width()) {
      t.push_back(result.records[row]);
      y.push_back(result.records[row + column]);
    }
    const KeptQuantity& kept = found.methods[0].runs[0].kept[i];
    CHECK(kept.drift->value == fit_drift(t, y).slope.value);
    CHECK(kept.drift->low == fit_drift(t, y).slope.low);
  }
  CHECK(found.methods[0].runs[0].constraint == result.diagnostics.constraint_max);
}

TEST_CASE("what wanders by round-off does not drift") {
  const Comparison found =
      compare_methods(oscillator("[[method]]\nname = \"energy-collocation\"\n"), {.levels = 2});
  for (const ComparedRun& run : of(found, "energy-collocation").runs) {
    CHECK(run.kept[0].error < 1e-13);
    CHECK(run.kept[0].verdict == DriftVerdict::free);
  }
}

TEST_CASE("steps are chosen such that each method follows the motion, and end at round-off") {
  const Comparison found = compare_methods(
      oscillator("[[method]]\nname = \"adjoint\"\n[[method]]\nname = \"gauss(stages=4)\"\n",
                 "step = 50\nuntil = 50\n"),
      {.levels = 5, .chooses_steps = true});
  for (const ComparedMethod& method : found.methods) {
    REQUIRE_FALSE(method.runs.empty());
    CHECK(method.runs.front().solution_error <= 0.1);
    CHECK(method.runs.size() <= 5);
  }
  const auto& accurate = of(found, "gauss(stages=4)").runs;
  CHECK(accurate.front().step > 10 * of(found, "adjoint").runs.front().step);
  for (std::size_t i = 1; i + 1 < accurate.size(); ++i)
    CHECK(accurate[i].solution_error > 1e-12);  // nothing is measured at round-off but the last
}

TEST_CASE("of a study with a tolerance steps are chosen, too") {
  const Comparison found = compare_methods(
      oscillator("[[method]]\nname = \"lobatto\"\n", "tolerance = 1e-6\nuntil = 50\n"),
      {.levels = 2});
  REQUIRE_FALSE(found.methods[0].runs.empty());
  CHECK(found.methods[0].runs[0].solution_error <= 0.1);
}

TEST_CASE("an event that ends the motion ends the comparison") {
  const Comparison found = compare_methods(
      oscillator("[[method]]\nname = \"leapfrog\"\n[[event]]\nof = \"x\"\nterminal = true\n"),
      {.levels = 2});
  // cos t = 0.
  CHECK(found.horizon == doctest::Approx(0.99 * 1.5707963).epsilon(1e-6));
  for (const ComparedRun& run : found.methods[0].runs) {
    CHECK(run.status == RunResult::Status::ok);
    CHECK(run.solution_error < 0.1);
  }
}

TEST_CASE("a motion that ends in a singularity is compared before it") {
  // From rest at x = 1 into the centre of attraction: t = pi / sqrt(8) = 1.11.
  const Study study = read_study(parse_document(R"(
[system]
coordinates = ["x"]
lagrangian = { kinetic = "x_dot^2/2", potential = "-1/x" }
[initial]
q = [1]
v = [0]
[run]
step = 3
until = 3
[[method]]
name = "leapfrog"
)",
                                                "text"));
  const Comparison found = compare_methods(study, {.levels = 3, .chooses_steps = true});
  CHECK(found.horizon < 1.11);
  CHECK(found.horizon > 0.25);
  REQUIRE_FALSE(found.methods[0].runs.empty());
  CHECK(found.methods[0].runs[0].solution_error < 0.1);
}

TEST_CASE("runs that take too long are left out, and said so") {
  const Comparison found = compare_methods(oscillator("[[method]]\nname = \"leapfrog\"\n"),
                                           {.levels = 3, .longest = 1e-12});
  CHECK(found.methods[0].runs.empty());
  CHECK(found.methods[0].message.find("not taken") != std::string::npos);
}

TEST_CASE("only one motion is compared") {
  const auto refusal = [](const Study& study) {
    try {
      static_cast<void>(compare_methods(study, {}));
    } catch (const RequestError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto study = [](const std::string& rest) {
    return read_study(parse_document("problem = \"pendulum-cvt\"\n[run]\nstep = 0.1\nuntil = 1\n" +
                                         rest + "[[method]]\nname = \"dla\"\n",
                                     "text"));
  };
  CHECK(refusal(study("[initial]\nname = [\"oscillating\", \"rotating\"]\n"))
            .find("several starts") != std::string::npos);
  CHECK(refusal(study("[initial]\nname = \"rotating\"\n[parameters]\nepsilon = [0, 1]\n"))
            .find("several values of epsilon") != std::string::npos);
  CHECK(refusal(study("[initial]\nname = \"rotating\"\n[sweep]\nrun.until = [1, 2]\n"))
            .find("[sweep]") != std::string::npos);
}

TEST_CASE("all methods that fit are offered, each once") {
  const auto names = [](const std::string& problem) {
    std::vector<std::string> found;
    const Study study =
        read_study(parse_document("problem = \"" + problem +
                                      "\"\n[initial]\nname = \"circle\"\n[run]\nstep = 0.1\nuntil "
                                      "= 1\n[[method]]\nname = \"dla\"\n",
                                  "text"));
    for (const MethodChoice& method : methods_to_compare(study)) found.push_back(method.label);
    return found;
  };
  const auto coin = names("ball-on-turntable");
  CHECK(std::ranges::count(coin, "lie-lobatto") == 1);
  CHECK(std::ranges::count(coin, "leapfrog") == 0);
}
