// Does over and over what programs and the command line do, and fails where memory in use or open
// files grow: `soak SECONDS`, of a test some seconds, by hand an hour.

#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "dalembert/dalembert.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/result/ensemble_json.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/result/hdf5/ensemble_writer.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "support/temporary_file.hpp"

namespace {

using namespace dalembert;
using namespace dalembert::study;
using test_support::TemporaryFile;

/// Bytes in use, of this thread's arena and of large blocks.
std::size_t bytes_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::size_t open_files() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// Every method that fits, on a problem of the library; some are refused, which is work as well.
void simulate_problem(const std::string& name) {
  const Problem problem = load_problem(name);
  for (const char* method : {"dla", "discrete-derivative", "lobatto", "energy-collocation",
                             "driver-splitting", "gauss"}) {
    try {
      simulate(problem, make_method({method, {}}), StartChoice{}, {.step = 0.02, .steps = 20});
    } catch (const RequestError&) {
    }
  }
}

Study text_study(const std::string& rest) {
  return read_study(
      parse_document("problem = \"pendulum-cvt\"\n" + rest +
                         "[run]\nstep = 0.1\nsteps = 200\n[[method]]\nname = \"dla\"\n"
                         "[[method]]\nname = \"discrete-derivative\"\n",
                     "soak"));
}

/// A study with all its outputs, read back and continued.
void run_study() {
  const TemporaryFile file(".h5");
  const Study study = text_study(
      "[initial]\nname = \"rotating\"\n[parameters]\nepsilon = [0, 0.5]\n[[diagnostic]]\n"
      "kind = \"latitude\"\n[[diagnostic]]\nkind = \"section\"\nof = \"sin(xi)\"\n");
  std::vector<RunPlan> plans = plan_runs(study);
  ExecutionOptions options;
  {
    Hdf5Sink sink(file.path(), study, plans);
    options.sinks = {&sink};
    static_cast<void>(json_text(study, plans, execute_runs(plans, options)));
  }
  options.resume_from = read_hdf5_results(file.path(), plans);
  for (RunPlan& plan : plans) plan.steps += 50;
  Hdf5Sink sink(ResultLock(file.path()), study, plans);
  options.sinks = {&sink};
  static_cast<void>(execute_runs(plans, options));
}

void run_many() {
  const TemporaryFile file(".h5");
  const Study study = text_study("[ensemble]\nsize = 20\nseed = 1\nenergy = 3.0\n");
  std::vector<EnsemblePlan> plans = plan_ensembles(study);
  {
    EnsembleHdf5 hdf5(file.path(), study, plans);
    EnsembleExecution execution;
    execution.on_records = [&](const EnsemblePlan& plan, const EnsembleResult& so_far) {
      hdf5.append(plan, so_far);
    };
    const auto results = execute_ensembles(plans, execution);
    for (std::size_t i = 0; i < plans.size(); ++i) hdf5.finish(plans[i], results[i]);
    static_cast<void>(ensemble_json(study, plans, results));
  }
  static_cast<void>(read_hdf5_ensembles(file.path(), plans));
}

/// What is refused must not keep anything either.
void refuse_texts() {
  for (const char* text : {"problem = ", "[run]\nstep = \"1/(\"\n", "problem = \"pendulum-cv\"\n",
                           "[system]\ncoordinates = [\"x\"]\n[system.lagrangian]\nkinetic = "
                           "\"x_dot^2 + (\"\n[run]\nstep = 1\n"}) {
    try {
      static_cast<void>(plan_runs(read_study(parse_document(text, "soak"))));
    } catch (const std::exception&) {
    }
  }
}

/// What is kept of recent studies becomes as large as in later rounds, where other systems are read
/// in between, so that those of a study are made anew and the steps of the ones before stay.
void fill_what_is_kept() {
  constexpr int most_programs = 32, programs_of_a_round = 4, most_systems = 16;
  for (int i = 0; i < most_programs / programs_of_a_round; ++i) {
    run_study();
    run_many();
    for (int k = 0; k < most_systems; ++k) {
      const std::string kinetic = "x_dot^2/" + std::to_string(2 + k);
      static_cast<void>(plan_runs(read_study(parse_document(
          "[system]\ncoordinates = [\"x\"]\n[system.lagrangian]\nkinetic = \"" + kinetic +
              "\"\n[initial]\nq = [0]\nv = [1]\n[run]\nstep = 1\nsteps = 1\n[[method]]\nname = "
              "\"dla\"\n",
          "soak"))));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
  std::vector<std::function<void()>> work{run_study, run_many, refuse_texts};
  for (const std::string& name : problem_names())
    work.emplace_back([name] { simulate_problem(name); });

  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  // The first round fills what is made once: tables, the free lists of HDF5.
  constexpr int first_round = 1;
  // What a round leaves behind must be nothing; free lists may differ by a block.
  constexpr std::size_t one_block = 65536;
  std::size_t bytes = 0, files = 0;
  int rounds = 0;
  fill_what_is_kept();
  for (; rounds <= first_round + 1 || Clock::now() < end; ++rounds) {
    for (const auto& task : work) task();
    if (rounds < first_round) continue;
    if (rounds == first_round) bytes = bytes_in_use(), files = open_files();
    if (bytes_in_use() <= bytes + one_block && open_files() <= files) continue;
    std::printf(
        "after %d rounds %zu bytes and %zu files are in use, after %d it were %zu and %zu\n",
        rounds, bytes_in_use(), open_files(), first_round, bytes, files);
    return 1;
  }
  std::printf("%d rounds of %zu tasks: %zu bytes and %zu files in use after each\n", rounds,
              work.size(), bytes, files);
  return 0;
}
