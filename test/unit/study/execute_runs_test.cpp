#include "dalembert/study/execute_runs.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "sixteen_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::sixteen_runs;

namespace {

/// What is found of a run of the fourth-order method; a quantity that is recorded has every state
/// seen.
RunDiagnostics found_of(const std::string& start, const std::string& step, bool sees_every_state) {
  const std::string text = "problem = \"pendulum-cvt\"\n[initial]\nname = \"" + start +
                           "\"\n[run]\nstep = " + step +
                           "\nsteps = 20000\nrecord_every = 10000\n"
                           "[[method]]\nname = \"runge-kutta-4\"\n" +
                           (sees_every_state ? "[[diagnostic]]\nkind = \"constraint-rate\"\n" : "");
  return execute_runs(plan_runs(read_study(parse_document(text, "text"))), {})[0].diagnostics;
}

}  // namespace

TEST_CASE("records, errors and states belong together") {
  const std::vector<RunPlan> plans = plan_runs(sixteen_runs());
  ExecutionOptions options;
  options.keep_records = true;
  const std::vector<RunResult> results = execute_runs(plans, options);
  const RunResult& result = results[0];
  CHECK(result.status == RunResult::Status::ok);
  CHECK(result.steps == 40);
  const std::size_t width = plans[0].columns.width();
  REQUIRE(result.records.size() == 9 * width);
  CHECK(result.records[8 * width] == result.final.t);
  CHECK(result.records[1] == 1.0);
  CHECK(result.initial.q == std::vector<double>{1.0, 1.0, 0.0});
  CHECK(result.diagnostics.energy.initial == result.records[plans[0].columns.energy()]);
  CHECK(result.diagnostics.integrals.size() == 2);
}

TEST_CASE("going on from a state is the same as not having stopped") {
  Study whole = sixteen_runs();
  whole.until = 8.0;
  const std::vector<RunPlan> plans = plan_runs(sixteen_runs()), longer = plan_runs(whole);
  ExecutionOptions options;
  options.resume_from = execute_runs(plans, {});
  const std::vector<RunResult> parts = execute_runs(longer, options),
                               once = execute_runs(longer, {});
  for (std::size_t i = 0; i < longer.size(); ++i) {
    CHECK(parts[i].steps == once[i].steps);
    CHECK(parts[i].final.q == once[i].final.q);
    CHECK(parts[i].diagnostics.energy.max_error == once[i].diagnostics.energy.max_error);
    // The shorter step that ended the first part was work, too.
    const bool took_shorter_step = plans[i].last_step > 0.0;
    CHECK((parts[i].newton_iterations > once[i].newton_iterations) ==
          (took_shorter_step && plans[i].method.spec.name == "dla"));
  }
}

TEST_CASE("largest errors are those of every step, however few are recorded") {
  Study all = sixteen_runs(), few = all;
  all.record_every = 1;
  few.record_every = 1000;
  const std::vector<RunResult> seen = execute_runs(plan_runs(all), {}),
                               watched = execute_runs(plan_runs(few), {});
  REQUIRE(seen.size() == watched.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const RunDiagnostics &a = seen[i].diagnostics, &b = watched[i].diagnostics;
    CHECK(a.energy.max_error > 0.0);
    CHECK(a.energy.max_error == b.energy.max_error);
    CHECK(a.energy.final == b.energy.final);
    CHECK(a.cautions[Caution::energy_off] == b.cautions[Caution::energy_off]);
    CHECK(a.constraint_max == b.constraint_max);
    CHECK(a.departures.energy.since == b.departures.energy.since);
    REQUIRE(a.integrals.size() == b.integrals.size());
    for (std::size_t k = 0; k < a.integrals.size(); ++k)
      CHECK(a.integrals[k].max_error == b.integrals[k].max_error);
  }
}

TEST_CASE("what goes wrong late is found at the very state where it does, seen or watched") {
  const RunDiagnostics far = found_of("oscillating", "0.12", true),
                       far_watched = found_of("oscillating", "0.12", false);
  // After thousands of steps, where few states are seen for other reasons.
  REQUIRE(far.cautions[Caution::energy_out_of_scale].value_or(0.0) > 100.0);
  REQUIRE(far.cautions[Caution::constraints_out_of_scale].value_or(0.0) > 100.0);
  CHECK(far_watched.cautions[Caution::energy_out_of_scale] ==
        far.cautions[Caution::energy_out_of_scale]);
  CHECK(far_watched.cautions[Caution::constraints_out_of_scale] ==
        far.cautions[Caution::constraints_out_of_scale]);
  const RunDiagnostics near = found_of("rotating", "0.01", true),
                       near_watched = found_of("rotating", "0.01", false);
  REQUIRE(near.cautions[Caution::energy_off].value_or(0.0) > 10.0);
  REQUIRE(near.cautions[Caution::constraint_off].value_or(0.0) > 10.0);
  CHECK(near_watched.cautions[Caution::energy_off] == near.cautions[Caution::energy_off]);
  CHECK(near_watched.cautions[Caution::constraint_off] == near.cautions[Caution::constraint_off]);
}

TEST_CASE("cancelled runs stop and say so") {
  std::atomic<bool> cancelled = true;
  ExecutionOptions options;
  options.cancelled = &cancelled;
  const std::vector<RunResult> results = execute_runs(plan_runs(sixteen_runs()), options);
  for (const RunResult& result : results) CHECK(result.status == RunResult::Status::interrupted);
}

TEST_CASE("a study text holds its problem and reads back as the same study") {
  const Study first = sixteen_runs();
  const Study second = read_study(parse_document(first.text, "copy"));
  CHECK(second.text == first.text);
  const auto a = execute_runs(plan_runs(first), {}), b = execute_runs(plan_runs(second), {});
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].final.v == b[i].final.v);
}

TEST_CASE("methods are written with their options") {
  const RunPlan plan = plan_runs(sixteen_runs())[0];
  CHECK(method_json_text(plan.method.spec) ==
        R"({"name":"dla","alpha":0.4,"retraction":"cayley"})");
  CHECK(plan.method.label == "dla(alpha=0.4)");
}
