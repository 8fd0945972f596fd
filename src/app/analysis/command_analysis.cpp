// A command for each analysis of the library: its options come from a page, its outputs are views.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/views.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

Findings found_with_progress(const PreparedAnalysis& analysis, const std::vector<RunPlan>& plans) {
  double steps = 0.0;
  for (const RunPlan& plan : plans) steps += analysis.passes * static_cast<double>(plan.steps);
  Findings found;
  show_progress(steps, [&](std::atomic<std::uint64_t>& done) {
    found = analyse_runs(analysis, plans, {&interrupt_flag(), &done});
  });
  return found;
}

/// The exit code, after a sentence for each run that failed or could not be analysed.
int conclude_findings(const Findings& found) {
  int code = success;
  for (const Finding& finding : found.findings) {
    if (finding.status != Finding::Status::failed) continue;
    complain(finding.message);
    code = numbers_refused;
  }
  for (const std::string& reason : found.refused) complain(reason);
  return code == success && !found.refused.empty() ? bad_request : code;
}

constexpr const char* records = "records";

/// Whether a key of the page asks for the records of runs.
bool looks_at_records(const PageInfo& page) {
  return std::ranges::find(page.keys, records, &OptionInfo::name) != page.keys.end();
}

std::string records_key(const PageInfo& page) { return page.name + "." + records; }

int run_analysis(const Analysis& analysis, StudyArguments asked) {
  // A picture shows what comes between start and end.
  if (!asked.plot.empty() && looks_at_records(analysis.page))
    asked.values.emplace_back(records_key(analysis.page), DocumentNode{true, {"--plot", 0}});
  const Study study = chosen_study(asked);
  const PreparedAnalysis prepared = analysis.prepare(study);
  print_notes(study);
  const auto [plans, refused] = runs_to_differentiate(study);
  print_warnings(plans);
  const PictureLook look = with_changes(study.plot.look, asked_look(asked.shown.look));
  ReportOutputs outputs(asked, study.files, asked.force);
  const Findings found = found_with_progress(prepared, plans);
  if (found.findings.empty() && !found.refused.empty()) return conclude_findings(found);
  outputs.write(
      {.text = text_of(found, terminal_width()),
       .json = [&] { return json_of(found); },
       .csv = [&] { return csv_of(found); },
       .plot =
           [&](auto& path) { write_picture(path, picture_of(analysis, study.title, found), look); },
       .out =
           [&](auto& path) {
             write_table_file(path, study, analysis.page.name, tables_of(found));
           }});
  const int code = conclude_findings(found);
  if (interrupt_flag()) {
    complain("interrupted; " + analysis.interrupted);
    return interrupted;
  }
  return conclude_refused(refused, code);
}

}  // namespace

void add_analysis(CLI::App& app, Action& action, const Analysis& analysis) {
  auto all = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(analysis.page.name, analysis.page.title);
  add_differentiated_run(*command, *all);
  add_page_options(*command, analysis.page, all->values);
  if (looks_at_records(analysis.page))
    command->add_option_function<std::string>(
        "--every",
        [all, key = records_key(analysis.page)](const std::string& time) {
          all->every = time;
          all->values.emplace_back(key, DocumentNode{true, {"--every", 0}});
        },
        "Also at records with so much time between them (default: the end alone)");
  add_report_options(*command, *all,
                     {.json = analysis.json,
                      .csv = "what stands along time",
                      .plot = analysis.picture,
                      .out = "all tables"});
  add_look_options(*command, all->shown.look);
  add_force_option(*command, all->force);
  add_verbosity_options(*command, "nothing more");
  command->footer(analysis.footer);
  command->callback([all, &action, &analysis] {
    action = [all, &analysis] { return run_analysis(analysis, *all); };
  });
}

}  // namespace dalembert::app
