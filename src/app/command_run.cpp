#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "dalembert/study/csv_result.hpp"
#include "dalembert/study/hdf5_result.hpp"
#include "dalembert/study/json_result.hpp"
#include "dalembert/study/library.hpp"
#include "dalembert/study/output_file.hpp"
#include "dalembert/study/plot.hpp"

namespace dalembert::app {
namespace {

struct RunArguments {
  std::string study, out, json, csv, plot;
  std::vector<std::string> settings, methods;
  std::string step, until, start;
  std::size_t threads = 1;
};

/// A study made of command line arguments, for a problem file or a problem of the library.
Item quick_study(const RunArguments& arguments) {
  std::string methods;
  for (std::size_t i = 0; i < arguments.methods.size(); ++i) methods += "[[method]]\nname = \"\"\n";
  Item document = parse_document("problem = \"\"\n[run]\n" + methods, "command line");
  document.find("problem")->value = arguments.study;
  for (std::size_t i = 0; i < arguments.methods.size(); ++i) {
    document.find("method")->array()[i].find("name")->value = arguments.methods[i];
  }
  return document;
}

std::vector<std::string> all_settings(const RunArguments& arguments) {
  std::vector<std::string> settings;
  if (!arguments.step.empty()) settings.push_back("run.step=" + arguments.step);
  if (!arguments.until.empty()) settings.push_back("run.until=" + arguments.until);
  if (!arguments.start.empty()) settings.push_back("initial.name=\"" + arguments.start + "\"");
  settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
  return settings;
}

bool is_problem_name(const std::string& name) {
  const auto names = problem_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Study chosen_study(const RunArguments& arguments) {
  const std::vector<std::string> settings = all_settings(arguments);
  if (arguments.methods.empty()) {
    if (is_problem_name(arguments.study)) {
      throw RequestError(
          "\"" + arguments.study +
          "\" is a problem, not a study; add --method NAME --step H --until T to run it");
    }
    return read_study_file(find_study(arguments.study), settings);
  }
  Item document = quick_study(arguments);
  for (const std::string& setting : settings) apply_setting(document, setting);
  return read_study(std::move(document));
}

/// The outputs that were asked for, opened before anything is computed.
struct Outputs {
  Outputs(const RunArguments& arguments, const Study& study, const std::vector<RunPlan>& plans) {
    if (!arguments.plot.empty()) check_plot(arguments.plot, study.plot, plans);
    if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
    if (!arguments.csv.empty()) csv.emplace(arguments.csv, plans);
    if (!arguments.out.empty()) hdf5.emplace(arguments.out, study, plans);
  }
  std::vector<RecordSink*> sinks() {
    std::vector<RecordSink*> list;
    if (csv) list.push_back(&*csv);
    if (hdf5) list.push_back(&*hdf5);
    return list;
  }

  std::optional<OutputFile> json;
  std::optional<CsvSink> csv;
  std::optional<Hdf5Sink> hdf5;
};

int run(const RunArguments& arguments) {
  const Study study = chosen_study(arguments);
  const std::vector<RunPlan> plans = plan_runs(study);
  print_warnings(plans);

  Outputs outputs(arguments, study, plans);
  ExecutionOptions options;
  options.threads = arguments.threads;
  options.sinks = outputs.sinks();
  options.keep_records = !arguments.plot.empty();
  const std::vector<RunResult> results = execute_with_progress(plans, options);
  outputs.hdf5.reset();
  const std::string table = result_table(plans, results);
  if (arguments.json == "-") {
    std::fputs(table.c_str(), stderr);
    print(json_text(study, plans, results));
  } else {
    print(table);
  }
  if (outputs.json) outputs.json->write(json_text(study, plans, results));
  if (!arguments.plot.empty()) write_plot(arguments.plot, study.plot, study.title, plans, results);
  return conclude(results, arguments.out);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command =
      app.add_subcommand("run", "Run a study: every start, parameter, method and step in it");
  command
      ->add_option(
          "study", arguments->study,
          "Study file, name of a published study, or (with --method) a problem's name or file")
      ->required();
  command
      ->add_option("--set", arguments->settings,
                   "Change a value of the study, as run.step=0.05 or method.0.alpha=0.3")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "Write records and results to an HDF5 file");
  command->add_option("--json", arguments->json,
                      "Write results as JSON to a file, or to standard output with -");
  command->add_option("--csv", arguments->csv,
                      "Write the records of each run to a CSV file in this directory");
  command->add_option("--plot", arguments->plot,
                      "Draw a picture: a file ending in .svg, .png or .pdf");
  command->add_option("--threads", arguments->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024));
  command->add_option("--method", arguments->methods, "Without a study: a method (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--step", arguments->step,
                      "The step size (a number or an expression such as pi/10)");
  command->add_option("--until", arguments->until, "The final time");
  command->add_option("--start", arguments->start, "The name of the start");
  command->footer(
      "Examples: dalembert run study.toml --set run.step=0.05 --out result.h5 --plot result.svg\n"
      "          dalembert run pendulum-cvt --method dla --step 0.1 --until 100 --start rotating");
  command->callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace dalembert::app
