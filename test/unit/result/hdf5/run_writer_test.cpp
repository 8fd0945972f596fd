#include "dalembert/result/hdf5/run_writer.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;

namespace {

Study written_study(double until) {
  return read_study(
      parse_document("problem = \"pendulum-cvt\"\n[initial]\nname = \"rotating\"\n"
                     "[run]\nstep = 0.1\nrecord_every = 4\ncompensated = true\nuntil = " +
                         std::to_string(until) +
                         "\n[[method]]\nname = \"dla\"\n[[method]]\nname = "
                         "\"leapfrog\"\n[[diagnostic]]\nkind = \"section\"\nof = \"sin(xi)\"\n",
                     "text"));
}

std::vector<RunResult> run_to_file(const std::filesystem::path& path, const Study& study,
                                   const std::vector<RunPlan>& plans, bool goes_on,
                                   std::vector<RunResult> before = {}) {
  Hdf5Sink sink = goes_on ? Hdf5Sink(ResultLock(path), study, plans) : Hdf5Sink(path, study, plans);
  ExecutionOptions options;
  options.sinks = {&sink};
  options.keep_records = true;
  options.resume_from = std::move(before);
  std::vector<RunResult> results = execute_runs(plans, options);
  sink.close();
  return results;
}

void check_same(const RunResult& read, const RunResult& made) {
  CHECK(read.status == made.status);
  CHECK(read.steps == made.steps);
  CHECK(read.newton_iterations == made.newton_iterations);
  CHECK(read.initial.q == made.initial.q);
  CHECK(read.final.v == made.final.v);
  CHECK(read.final.lambda == made.final.lambda);
  CHECK(read.diagnostics.energy.max_error == made.diagnostics.energy.max_error);
  CHECK(read.diagnostics.constraint_max == made.diagnostics.constraint_max);
  CHECK(read.point.q == made.point.q);
  CHECK(read.point.v == made.point.v);
  CHECK(read.point.q_carry == made.point.q_carry);
  CHECK(read.point.history == made.point.history);
  CHECK(read.point.turns == made.point.turns);
  REQUIRE(read.diagnostics.sections.size() == made.diagnostics.sections.size());
  const auto &found = read.diagnostics.sections[0].crossings,
             &expected = made.diagnostics.sections[0].crossings;
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].t == expected[i].t);
    CHECK(found[i].q == expected[i].q);
    CHECK(found[i].rising == expected[i].rising);
  }
}

}  // namespace

TEST_CASE("what is written to a result file reads back as the same numbers") {
  const TemporaryFile file(".h5");
  const Study asked = written_study(20.0);
  std::vector<RunPlan> plans = plan_runs(asked);
  const auto made = run_to_file(file.path(), asked, plans, false);
  CHECK(read_hdf5_study(file.path()) == asked.text);
  for (RunPlan& plan : plans) plan.record_every = 1;  // the file knows better
  const auto read = read_hdf5_results(file.path(), plans);
  REQUIRE(read.size() == 2);
  CHECK(made[0].diagnostics.sections.at(0).crossings.size() == 7);
  for (std::size_t i = 0; i < read.size(); ++i) {
    CHECK(plans[i].record_every == 4);
    check_same(read[i], made[i]);
    CHECK(read[i].records == made[i].records);
    CHECK(read[i].records.size() == 51 * plans[i].columns.width());
  }
}

TEST_CASE("a run that goes on from its file ends with the bits of one that never stopped") {
  const TemporaryFile file(".h5"), whole_file(".h5");
  run_to_file(file.path(), written_study(7.0), plan_runs(written_study(7.0)), false);
  const Study longer = written_study(20.0);
  std::vector<RunPlan> plans = plan_runs(longer);
  run_to_file(
      file.path(), longer, plans, true,
      read_hdf5_results(file.path(), plans, {.with_records = false, .has_other_end = true}));
  run_to_file(whole_file.path(), longer, plans, false);
  const auto parts = read_hdf5_results(file.path(), plans),
             whole = read_hdf5_results(whole_file.path(), plans);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check_same(parts[i], whole[i]);
    CHECK(parts[i].records == whole[i].records);
  }
}

TEST_CASE("a file that is no result of ours is refused by name") {
  const TemporaryFile file(".h5");
  CHECK_THROWS_AS(read_hdf5_study(file.path()), OutputError);  // there is none
  CHECK_THROWS_AS(Hdf5Sink("/nowhere/at/all.h5", written_study(1.0), {}), OutputError);
}
