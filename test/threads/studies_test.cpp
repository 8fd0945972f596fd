// Runs, ensembles and audits of the study library on several threads: the bits of one thread, and
// an end when another thread asks for it.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "support/problem_in_code.hpp"
#include "support/temporary_file.hpp"
#include "unit/study/sixteen_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::sixteen_runs;

namespace {

Study ensemble_study() {
  return read_study(
      parse_document("problem = \"chaotic\"\n"
                     "[ensemble]\nsize = 33\nseed = 4\nenergy = 3.0\n"
                     "[run]\nstep = 0.1\nsteps = 200\nrecord_every = 10\n"
                     "[[method]]\nname = \"dla\"\n",
                     "text"));
}

/// What an audit measured, as bits: a value that is nan is one, too.
std::vector<std::uint64_t> measured(const AuditReport& report) {
  std::vector<std::uint64_t> bits;
  for (const MethodAudit& method : report.methods) {
    for (const ProblemAudit& problem : method.problems) {
      for (const AuditFinding& finding : problem.findings)
        bits.push_back(std::bit_cast<std::uint64_t>(finding.value));
    }
  }
  return bits;
}

}  // namespace

TEST_CASE("runs and members with events have the bits of one thread on four") {
  const std::string common =
      "problem = \"bouncing-disk\"\n"
      "[run]\nstep = 0.1\nsteps = 120\nrecord_every = 10\n"
      "[[event]]\nname = \"wall\"\nof = \"x - 6\"\nterminal = true\n"
      "[[method]]\nname = \"dla\"\n";
  const auto plans =
      plan_runs(read_study(parse_document(common + "[[method]]\nname = \"lobatto\"\n"
                                                   "[initial]\nname = [\"thrown\", \"backspin\"]\n",
                                          "text")));
  ExecutionOptions one, four;
  four.threads = 4;
  const std::vector<RunResult> alone = execute_runs(plans, one),
                               together = execute_runs(plans, four);
  REQUIRE(together.size() == 4);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    CHECK(together[i].final.q == alone[i].final.q);
    CHECK(together[i].ended_by == alone[i].ended_by);
    CHECK(together[i].diagnostics.events[0].occurrences.size() > 2);
  }
  const auto members = plan_ensembles(
      read_study(parse_document(common + "[ensemble]\nsize = 100\nseed = 1\naround = \"thrown\"\n"
                                         "spread = { q = [0, 0.2, 0], v = 0.3 }\n",
                                "text")));
  const EnsembleExecution alone_too{.threads = 1}, threaded{.threads = 4};
  const EnsembleResult a = execute_ensembles(members, alone_too).front(),
                       b = execute_ensembles(members, threaded).front();
  CHECK(a.ends.size() > 5);
  REQUIRE(a.ends.size() == b.ends.size());
  for (std::size_t i = 0; i < a.ends.size(); ++i) CHECK(a.ends[i].t == b.ends[i].t);
}

TEST_CASE("runs of a study have the bits of one thread on four") {
  const std::vector<RunPlan> plans = plan_runs(sixteen_runs());
  ExecutionOptions one, four;
  one.keep_records = four.keep_records = true;
  four.threads = 4;
  const std::vector<RunResult> alone = execute_runs(plans, one),
                               together = execute_runs(plans, four);
  REQUIRE(together.size() == 16);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    CHECK(together[i].status == RunResult::Status::ok);
    CHECK(together[i].records == alone[i].records);
    CHECK(together[i].diagnostics.energy.max_error == alone[i].diagnostics.energy.max_error);
  }
}

TEST_CASE("threads that plan the same study share what is made for it") {
  const auto plan = [] {
    return plan_runs(read_study(parse_document("problem = \"suslov\"\ninitial = { name = "
                                               "\"generic\" }\n[run]\nstep = 0.03\nsteps = "
                                               "10\n[[method]]\nname = \"gauss\"\n",
                                               "text")))
        .at(0);
  };
  constexpr std::size_t thread_count = 4;
  std::vector<std::optional<RunPlan>> found(thread_count);
  {
    std::vector<std::jthread> threads;
    for (std::optional<RunPlan>& each : found) threads.emplace_back([&] { each = plan(); });
  }
  const RunPlan again = plan();
  for (const std::optional<RunPlan>& each : found) CHECK(each->program == again.program);
}

TEST_CASE("runs on four threads are written to one result file while they go on") {
  const test_support::TemporaryFile file(".h5");
  const Study study = sixteen_runs();
  std::vector<RunPlan> plans = plan_runs(study);
  ExecutionOptions options;
  options.threads = 4;
  options.keep_records = true;
  setenv("DALEMBERT_FLUSH_SECONDS", "0", 1);  // at every record
  Hdf5Sink sink(file.path(), study, plans);
  options.sinks = {&sink};
  const std::vector<RunResult> made = execute_runs(plans, options);
  sink.close();
  unsetenv("DALEMBERT_FLUSH_SECONDS");
  const std::vector<RunResult> read = read_hdf5_results(file.path(), plans);
  REQUIRE(read.size() == 16);
  for (std::size_t i = 0; i < read.size(); ++i) {
    CHECK(read[i].records == made[i].records);
    CHECK(read[i].final.q == made[i].final.q);
  }
}

TEST_CASE("results of an ensemble of a study do not depend on threads and lanes") {
  const std::vector<EnsemblePlan> plans = plan_ensembles(ensemble_study());
  const EnsembleResult alone = execute_ensembles(plans, {.threads = 1, .lanes = 1}).at(0);
  REQUIRE(alone.status == RunResult::Status::ok);
  CHECK(alone.t.size() == 21);
  CHECK(alone.alive == std::vector<std::uint64_t>(21, 33));
  const EnsembleResult other = execute_ensembles(plans, {.threads = 4, .lanes = 8}).at(0);
  for (std::size_t i = 0; i < alone.quantities.size(); ++i) {
    for (std::size_t k = 0; k < alone.t.size(); ++k) {
      const SampleStatistics &a = alone.quantities[i].records[k],
                             &b = other.quantities[i].records[k];
      CHECK(a.mean == b.mean);
      CHECK(a.variance == b.variance);
      CHECK(a.quantiles == b.quantiles);
    }
  }
  CHECK(alone.variance.exponent == other.variance.exponent);
  CHECK(alone.variance.uncertainty == other.variance.uncertainty);
  const MemberStates alone_final = final_states(plans[0], alone),
                     other_final = final_states(plans[0], other);
  for (std::size_t i = 0; i < 33; ++i) {
    CHECK(std::ranges::equal(alone_final.q(i), other_final.q(i)));
    CHECK(std::ranges::equal(alone_final.lambda(i), other_final.lambda(i)));
  }
}

TEST_CASE("another thread ends the runs of a study, and what they have done is whole") {
  Study study = sixteen_runs();
  study.until = 1e9;
  std::atomic<bool> cancelled = false;
  ExecutionOptions options;
  options.threads = 4;
  options.cancelled = &cancelled;
  std::vector<RunResult> results;
  {
    std::jthread runs([&] { results = execute_runs(plan_runs(study), options); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancelled = true;
  }
  REQUIRE(results.size() == 16);
  for (const RunResult& result : results) CHECK(result.status == RunResult::Status::interrupted);
}

TEST_CASE("an audit has the bits of one thread on four") {
  AuditSet set = audit_set_of(test_support::transmission_in_code());
  set.long_runs.clear();
  std::vector<AuditMethod> methods;
  for (const char* name : {"dla01", "leapfrog", "runge-kutta-4", "dla"})
    methods.push_back({make_method({name, {}}), name});
  std::atomic<std::uint64_t> done = 0;
  AuditOptions four;
  four.threads = 4;
  four.done = &done;
  const AuditReport alone = run_audit(methods, set, {}), together = run_audit(methods, set, four);
  CHECK(done == audit_size(methods.size(), set));
  CHECK(measured(alone).size() > 20);
  CHECK(measured(alone) == measured(together));
}
