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
#include "dalembert/report/sensitivity/sensitivity_report.hpp"
#include "dalembert/study/study_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct LyapunovArguments {
  StudyArguments study;
  LyapunovOptions options;
};

std::vector<LyapunovSpectrum> spectra(const std::vector<RunPlan>& plans, LyapunovOptions options) {
  std::vector<LyapunovSpectrum> results;
  double steps = 0.0;
  for (const RunPlan& plan : plans) steps += static_cast<double>(plan.steps);
  options.cancelled = &interrupt_flag();
  show_progress(steps, [&](std::atomic<std::uint64_t>& done) {
    options.steps_done = &done;
    for (const RunPlan& plan : plans) results.push_back(lyapunov_of_run(plan, options));
  });
  return results;
}

int measure_exponents(const LyapunovArguments& all) {
  FollowedRuns runs(all.study);
  const std::vector<RunPlan>& plans = runs.planned.plans;
  const std::vector<LyapunovSpectrum> results = spectra(plans, all.options);
  bool is_first = true;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ok()) continue;
    print_table((is_first ? "" : "\n") + lyapunov_table(plans[i], results[i]),
                runs.json_path == "-");
    is_first = false;
  }
  runs.write_json(lyapunov_json(plans, results));
  runs.write_picture(lyapunov_picture(runs.study.title, plans, results));
  if (interrupt_flag()) {
    complain("interrupted; exponents need the whole time, and only running means are kept");
    return interrupted;
  }
  return conclude_refused(runs.planned.refused, conclude_differentiated(results));
}

}  // namespace

void add_lyapunov(CLI::App& app, Action& action) {
  auto all = std::make_shared<LyapunovArguments>();
  StudyArguments& asked = all->study;
  LyapunovOptions& options = all->options;
  CLI::App* command =
      app.add_subcommand("lyapunov", "Measure Lyapunov exponents of runs, with their intervals");
  add_differentiated_run(*command, asked);
  command
      ->add_option("--exponents", options.exponents,
                   "How many, the largest (default: all of the constraint set)")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--settle", options.settle,
                   "The fraction of the time that is left out at the beginning")
      ->check(CLI::Range(0.0, 0.99));
  command
      ->add_option("--blocks", options.blocks, "Parts of the time, whose means give the intervals")
      ->check(CLI::Range(4, 1000));
  command->add_option("--json", asked.json,
                      "Write exponents and running means as JSON to a file, or to standard output "
                      "with -");
  command->add_option("--plot", asked.plot,
                      "Draw running means: a file ending in .svg, .png or .pdf");
  add_look_options(*command, asked.shown.look);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Example: dalembert lyapunov chaotic --method leapfrog --step 0.05 --until 10000 --exponents "
      "3 --plot exponents.svg");
  command->callback([all, &action] { action = [all] { return measure_exponents(*all); }; });
}

}  // namespace dalembert::app
