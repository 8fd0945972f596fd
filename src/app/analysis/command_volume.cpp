#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/error.hpp"
#include "dalembert/report/sensitivity/volume_report.hpp"
#include "dalembert/study/study_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct VolumeArguments {
  StudyArguments study;
  std::size_t samples = VolumeOptions{}.samples;
};

/// A method whose steps are no maps of the constraint set leaves its sentence, and others go on.
std::vector<RunVolume> volumes(const std::vector<RunPlan>& plans, std::size_t samples,
                               std::vector<std::string>& without) {
  std::vector<RunVolume> results;
  double steps = 0.0;
  for (const RunPlan& plan : plans) steps += 3.0 * static_cast<double>(plan.steps);
  VolumeOptions options{.samples = samples};
  options.cancelled = &interrupt_flag();
  show_progress(steps, [&](std::atomic<std::uint64_t>& done) {
    options.steps_done = &done;
    for (const RunPlan& plan : plans) {
      try {
        results.push_back(
            volume_of_run(plan, options, results.empty() ? nullptr : &results.back()));
      } catch (const RequestError& reason) {
        without.push_back(reason.what());
      }
    }
  });
  return results;
}

int conclude_volumes(const std::vector<RunVolume>& results) {
  int code = success;
  for (const RunVolume& run : results) {
    for (const VolumeHistory* history : {&run.history, &run.motion}) {
      if (history->status != VolumeHistory::Status::failed) continue;
      complain(history->message);
      code = numbers_refused;
    }
  }
  return code;
}

int measure_volumes(const VolumeArguments& all) {
  FollowedRuns runs(all.study);
  std::vector<std::string> without;
  const std::vector<RunVolume> results = volumes(runs.planned.plans, all.samples, without);
  for (const std::string& reason : without) complain(reason);
  if (results.empty() && !without.empty()) return bad_request;
  print_table(volume_table(results), runs.json_path == "-");
  runs.write_json(volume_json(results));
  runs.write_picture(volume_picture(runs.study.title, results));
  if (interrupt_flag()) {
    complain("interrupted; verdicts need the whole time");
    return interrupted;
  }
  const int code = conclude_refused(runs.planned.refused, conclude_volumes(results));
  return code == success && !without.empty() ? bad_request : code;
}

}  // namespace

void add_volume(CLI::App& app, Action& action) {
  auto all = std::make_shared<VolumeArguments>();
  StudyArguments& asked = all->study;
  CLI::App* command = app.add_subcommand(
      "volume", "Measure whether steps keep a volume of the constraint set, beside the motion");
  add_differentiated_run(*command, asked);
  command->add_option("--samples", all->samples, "About how many sums are kept of a run")
      ->check(CLI::Range(12, 1000000));
  command->add_option("--json", asked.json,
                      "Write sums and verdicts as JSON to a file, or to standard output with -");
  command->add_option("--plot", asked.plot, "Draw the sums: a file ending in .svg, .png or .pdf");
  add_look_options(*command, asked.shown.look);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Example: dalembert volume chaplygin-ball --method lobatto,dla01,gni --step 0.1 --until 1000 "
      "--plot volume.svg");
  command->callback([all, &action] { action = [all] { return measure_volumes(*all); }; });
}

}  // namespace dalembert::app
