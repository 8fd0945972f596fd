#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/ranks/ranked_commands.hpp"
#include "app/ranks/started_ranks.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/table.hpp"
#include "app/terminal/verbosity.hpp"
#include "command_ensemble.hpp"
#include "commands.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/picture/picture_records.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/result/run_table.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// The outputs that were asked for, opened before anything is computed.
struct Outputs {
  Outputs(const StudyArguments& arguments, const Study& study, const std::vector<RunPlan>& plans) {
    if (!arguments.plot.empty()) {
      const PlotRequest shown = shown_by(study, plans);
      check_plot(arguments.plot, shown, plans, study.title);
      plotted.emplace(shown, plans);
    }
    if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
    if (!arguments.csv.empty()) csv.emplace(arguments.csv, plans);
    if (!arguments.out.empty()) hdf5.emplace(arguments.out, study, plans);
  }
  std::vector<RecordSink*> sinks() {
    std::vector<RecordSink*> list;
    if (csv) list.push_back(&*csv);
    if (hdf5) list.push_back(&*hdf5);
    if (plotted) list.push_back(&*plotted);
    return list;
  }

  std::optional<OutputFile> json;
  std::optional<CsvSink> csv;
  std::optional<Hdf5Sink> hdf5;
  std::optional<PictureRecords> plotted;
};

int run(const StudyArguments& arguments) {
  if (const std::unique_ptr<Ranks> ranks = started_ranks())
    return on_ranks(*ranks, [&] { return run_on_ranks(*ranks, arguments); });
  const Study study = chosen_study(arguments);
  print_notes(study);
  if (study.ensemble) return run_ensemble(study, arguments);
  const Stopwatch stopwatch;
  const auto [plans, refused] = plan_fitting_with_progress(study);
  tell_plans(plans, stopwatch.seconds());
  print_warnings(plans);

  ExecutionOptions options;
  options.instruction_set = chosen_instruction_set(arguments.instruction_set);
  claim_outputs(arguments, study, plans);
  Outputs outputs(arguments, study, plans);
  options.threads = arguments.threads;
  options.sinks = outputs.sinks();
  const std::vector<RunResult> results = execute_with_progress(plans, options);
  if (outputs.hdf5) {
    outputs.hdf5->write_table(run_table(study, plans, results, refused));
    outputs.hdf5->close();
  }
  tell_results(plans, results);
  print_table(result_table(study, plans, results, refused), arguments.json == "-");
  if (arguments.json == "-") print(json_text(study, plans, results, refused));
  if (outputs.json) outputs.json->write(json_text(study, plans, results, refused));
  if (outputs.plotted) {
    write_picture(arguments.plot, picture_of_runs(shown_by(study, plans), study.title, plans,
                                                  results, *outputs.plotted));
  }
  print_cautions(plans, results);
  print_false_claims(study, plans, results);
  return conclude_refused(refused, conclude(results, arguments.out));
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App* command =
      app.add_subcommand("run", "Run a study: every start, parameter, method and step in it");
  add_study_options(*command, *arguments);
  command->footer(
      "Examples: dalembert run study.toml --set run.step=0.05 --out result.h5 --plot result.svg\n"
      "          dalembert run pendulum-cvt --method dla --step 0.1 --until 100 --start rotating\n"
      "          dalembert run rolling-coin --tolerance 1e-8 --until 100\n"
      "          dalembert run knife-edge --method lobatto --step 0.1 --until 20 --plot path.pdf "
      "--path x1 x2 --size 8.5cmx6cm");
  command->callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace dalembert::app
