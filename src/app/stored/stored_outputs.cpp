#include "stored_outputs.hpp"

#include <CLI/CLI.hpp>
#include <atomic>
#include <utility>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/command_ensemble.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/ensemble_csv.hpp"
#include "dalembert/result/ensemble_json.hpp"
#include "dalembert/result/hdf5/ensemble_reader.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// The study with the picture that is asked for.
Study with_picture(Study study, const StoredRequest& request) {
  study.plot = asked_plot(study.plot, request.outputs.shown);
  return study;
}

/// The runs of the plans of a study, whether they are ensembles or not.
std::vector<RunPlan> runs_of(const Study& study) {
  if (!study.ensemble) return plan_fitting_with_progress(study).plans;
  std::vector<RunPlan> runs;
  for (EnsemblePlan& plan : plan_ensembles_with_progress(study))
    runs.push_back(std::move(plan.run));
  return runs;
}

/// JSON to a file, or to standard output for "-".
void write_json(const std::string& path, const std::string& text) {
  if (path == "-") return print(text);
  if (!path.empty()) OutputFile(path).write(text);
}

void write_runs(const Study& study, const std::string& file, const StoredRequest& request) {
  const StudyArguments& outputs = request.outputs;
  std::vector<RunPlan> plans = plan_fitting_with_progress(study).plans;
  const std::vector<RunResult> results =
      read_hdf5_results(file, plans, {.record_every = study.record_every});
  if (!outputs.csv.empty()) {
    CsvSink csv(outputs.csv, plans);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      csv.append(plans[i], results[i].records, results[i]);
      csv.finish(plans[i], results[i]);
    }
  }
  if (!outputs.json.empty())
    write_json(outputs.json, json_text(study, read_hdf5_outcomes(file, plans, results)));
  if (!outputs.plot.empty())
    write_plot(outputs.plot, shown_by(study, plans), study.title, plans, results);
}

/// What follows from the states and records of ensembles: members, growth laws, failures.
std::vector<EnsembleResult> without_steps(const std::vector<EnsemblePlan>& plans,
                                          std::vector<EnsembleResult> stored) {
  std::atomic<bool> no_steps = true;
  EnsembleExecution execution;
  execution.cancelled = &no_steps;
  execution.resume_from = std::move(stored);
  return execute_ensembles(plans, execution);
}

void write_ensembles(const Study& study, const std::string& file, const StoredRequest& request) {
  const StudyArguments& outputs = request.outputs;
  std::vector<EnsemblePlan> plans = plan_ensembles_with_progress(study);
  const std::vector<EnsembleResult> results =
      without_steps(plans, read_hdf5_ensembles(file, plans, {.record_every = study.record_every}));
  if (!outputs.csv.empty()) {
    const EnsembleCsv csv(outputs.csv);
    for (std::size_t i = 0; i < plans.size(); ++i) csv.write(plans[i], results[i]);
  }
  if (!outputs.json.empty()) write_json(outputs.json, ensemble_json(study, plans, results));
  if (!outputs.plot.empty()) plot_ensemble(study, file, outputs.plot, study.plot);
}

}  // namespace

void add_stored_outputs(CLI::App& command, StoredRequest& request) {
  add_report_options(command, request.outputs, {.json = "results", .csv = "", .plot = "a picture"});
  command.add_option("--csv", request.outputs.csv,
                     "Write the records of each run to a CSV file in this directory");
  add_plot_options(command, request.outputs.shown);
  add_force_option(command, request.outputs.force);
}

void claim_stored_outputs(const Study& study, const std::string& file,
                          const StoredRequest& request) {
  if (request.is_empty()) return;
  Study reading = with_picture(study, request);
  reading.files.emplace_back(file);
  const std::vector<RunPlan> plans = runs_of(study);
  claim_outputs(request.outputs, reading, plans);
  if (!request.outputs.plot.empty() && !study.ensemble)
    check_plot(request.outputs.plot, shown_by(reading, plans), plans, study.title);
}

void write_stored_outputs(const Study& study, const std::string& file,
                          const StoredRequest& request) {
  if (request.is_empty()) return;
  const Study shown = with_picture(study, request);
  shown.ensemble ? write_ensembles(shown, file, request) : write_runs(shown, file, request);
}

}  // namespace dalembert::app
