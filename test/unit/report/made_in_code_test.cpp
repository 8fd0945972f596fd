// A system made in code on the road of a problem file: planned, run, stored, resumed, audited.
#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_in_code.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "support/problem_in_code.hpp"
#include "support/round_off.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

Study study_in_code(const std::string& until) {
  return read_study(parse_document("[initial]\nname = \"rotating\"\n[run]\nstep = 0.1\nuntil = " +
                                       until + "\n[[method]]\nname = \"dla\"\n",
                                   "code"),
                    test_support::transmission_in_code());
}

}  // namespace

TEST_CASE("a system made in code runs with the bits of the same system in a file") {
  const auto code = execute_runs(plan_runs(study_in_code("5")), {});
  const Study file = read_study(
      parse_document("problem = \"pendulum-cvt\"\n[initial]\nq = [1, 1, 0]\nv = [0, 0, 1.8973666]\n"
                     "[run]\nstep = 0.1\nuntil = 5\n[[method]]\nname = \"dla\"\n",
                     "text"));
  const auto read = execute_runs(plan_runs(file), {});
  CHECK(code.at(0).status == RunResult::Status::ok);
  // Both roads order the terms of the energy alike; round-off of 50 steps otherwise.
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(code[0].final.q[i] == doctest::Approx(read.at(0).final.q[i]).epsilon(1e-12));
}

TEST_CASE("a system made in code is stored and goes on from its file to the same bits") {
  const test_support::TemporaryFile file(".h5");
  {
    const Study asked = study_in_code("5");
    const std::vector<RunPlan> plans = plan_runs(asked);
    Hdf5Sink sink(file.path(), asked, plans);
    ExecutionOptions options;
    options.sinks = {&sink};
    execute_runs(plans, options);
  }
  const Study longer = study_in_code("12");
  std::vector<RunPlan> plans = plan_runs(longer);
  ExecutionOptions options;
  options.resume_from =
      read_hdf5_results(file.path(), plans, {.with_records = false, .has_other_end = true});
  REQUIRE(options.resume_from.at(0).steps == 50);
  {
    Hdf5Sink sink(ResultLock(file.path()), longer, plans);
    options.sinks = {&sink};
    execute_runs(plans, options);
  }
  const RunResult resumed = read_hdf5_results(file.path(), plans).at(0),
                  whole = execute_runs(plans, {}).at(0);
  CHECK(resumed.steps == 120);
  CHECK(resumed.final.q == whole.final.q);
  CHECK(resumed.final.v == whole.final.v);
  CHECK(resumed.diagnostics.energy.max_error == whole.diagnostics.energy.max_error);
  CHECK(resumed.records.size() == 121 * plans[0].columns.width());
}

TEST_CASE("the result file of a system made in code says all that it takes to go on") {
  const test_support::TemporaryFile file(".h5");
  const Study asked = study_in_code("12");
  std::vector<RunPlan> plans = plan_runs(asked);
  {
    Hdf5Sink sink(file.path(), asked, plans);
    ExecutionOptions options;
    options.sinks = {&sink};
    execute_runs(plans, options);
    sink.close();
  }
  const Study read = read_study(parse_document(read_hdf5_study(file.path()), "file"));
  CHECK(read.text == asked.text);
  const RunResult again = execute_runs(plan_runs(read), {}).at(0),
                  first = execute_runs(plans, {}).at(0);
  CHECK(again.final.q == first.final.q);
  CHECK(again.final.v == first.final.v);
  CHECK(again.diagnostics.energy.max_error == first.diagnostics.energy.max_error);
}

TEST_CASE("random starts of a system made in code lie on its level of energy") {
  const auto plans = plan_ensembles(
      read_study(parse_document("[ensemble]\nsize = 5\nseed = 2\nenergy = 2.0\n[run]\nstep = "
                                "0.1\nsteps = 20\n[[method]]\nname = \"dla\"\n",
                                "code"),
                 test_support::transmission_in_code()));
  const EnsembleResult result = execute_ensembles(plans, {}).at(0);
  CHECK(result.status == RunResult::Status::ok);
  // A start meets its level to 16 units of round-off.
  CHECK(result.start_means.at(0) ==
        doctest::Approx(2.0).epsilon(test_support::round_off_of(2.0 * 16.0)));
}

TEST_CASE("a system made in code is audited") {
  AuditSet set = audit_set_of(test_support::transmission_in_code());
  REQUIRE(set.problems.size() == 1);
  REQUIRE(set.long_runs.size() == 1);
  set.long_runs[0].quick_until = 300.0;
  const AuditReport report = run_audit({{make_method({"dla01", {}}), "dla01"}}, set, {});
  CHECK_FALSE(report.is_broken());
  CHECK(report.methods.at(0).problems.at(0).findings.size() > 5);
  CHECK(report.methods[0].long_runs.at(0).findings.at(0).quantity == "energy");
}
