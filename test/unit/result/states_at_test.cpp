#include "dalembert/result/states_at.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "support/temporary_file.hpp"

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;

namespace {

Study stored_study(const std::string& records, const std::string& methods) {
  return read_study(
      parse_document("problem = \"pendulum-cvt\"\n[initial]\nname = \"oscillating\"\n[run]\nstep = "
                     "0.1\nuntil = 2.0\n" +
                         records + methods,
                     "text"));
}

constexpr const char* two_methods =
    "\n[[method]]\nname = \"lobatto\"\n[[method]]\nname = \"leapfrog\"\n";

std::vector<RunResult> run_to_file(const std::filesystem::path& path, const Study& study) {
  const std::vector<RunPlan> plans = plan_runs(study);
  Hdf5Sink sink(path, study, plans);
  ExecutionOptions options;
  options.sinks = {&sink};
  options.keep_records = true;
  std::vector<RunResult> results = execute_runs(plans, options);
  sink.close();
  return results;
}

}  // namespace

TEST_CASE("states of a stored run at any times are those of a run that records them") {
  const TemporaryFile file("states.h5"), other("recorded.h5");
  run_to_file(file.path(), stored_study("record_every = 6", two_methods));
  const std::vector<RunResult> recorded =
      run_to_file(other.path(), stored_study("at = [0.123, 1.0, 1.77]", two_methods));
  const RecordColumns columns = plan_runs(stored_study("", two_methods)).front().columns;
  for (const std::size_t run : {0, 1}) {
    // In another order than that of time.
    const StatesAt states =
        states_at(file.path(), std::to_string(run + 1), std::vector{1.77, 0.123, 1.0, 0.0});
    REQUIRE(states.t == std::vector{1.77, 0.123, 1.0, 0.0});
    CHECK(states.q_names == std::vector<std::string>{"x1", "x2", "xi"});
    CHECK(states.v_names == std::vector<std::string>{"x1_dot", "x2_dot", "xi_dot"});
    CHECK(states.lambda_names == std::vector<std::string>{"lambda_1"});
    const std::vector<double>& rows = recorded[run].records;
    const std::vector<std::size_t> expected{3, 1, 2, 0};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double* row = rows.data() + expected[i] * columns.width();
      for (std::size_t j = 0; j < 3; ++j) {
        CHECK(states.q[3 * i + j] == row[columns.q_begin() + j]);
        CHECK(states.v[3 * i + j] == row[columns.v_begin() + j]);
      }
      CHECK(states.lambda[i] == row[columns.lambda_begin()]);
    }
  }
}

TEST_CASE("a motion that was read once answers many times, and says its range") {
  const TemporaryFile file("states.h5");
  run_to_file(file.path(), stored_study("", "\n[[method]]\nname = \"dla\"\n"));
  RecordedMotion motion = read_motion(file.path());
  CHECK(motion.end() == 2.0);
  const StatesAt both = states_at(motion, std::vector{0.31, 1.93}),
                 last = states_at(motion, std::vector{1.93});
  CHECK(both.q[3] == last.q[0]);
  CHECK(states_at(motion, {}).t.empty());
  CHECK_THROWS_WITH_AS(states_at(motion, std::vector{2.5}),
                       "t = 2.5 is outside of what run 0001 (dla, oscillating) has recorded: 0 <= "
                       "t <= 2",
                       RequestError);
}

TEST_CASE("which run is meant must be said where there are several") {
  const TemporaryFile file("states.h5");
  run_to_file(file.path(), stored_study("", two_methods));
  CHECK_THROWS_WITH_AS(read_motion(file.path()), doctest::Contains("holds several runs"),
                       RequestError);
  CHECK_THROWS_WITH_AS(read_motion(file.path(), "3"), doctest::Contains("0002 (leapfrog"),
                       RequestError);
  CHECK(read_motion(file.path(), "0002").plan().method.label == "leapfrog");
}
