#include "conduct.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"

namespace dalembert::app {

using namespace study;

namespace {

PlannedAnalysis planned(const Analysis& analysis, const Study& study) {
  WaitingLine line("planning runs of " + study.problem.name);
  return analysis.plan(study, {.watch = shown_by(line)});
}

AnalysisReport reported(const PlannedAnalysis& planned, std::size_t threads) {
  catch_interrupts();
  if (!(planned.work > 0.0)) {
    const WaitingLine line(planned.says);
    return planned.report({.cancelled = &interrupt_flag(), .threads = threads});
  }
  std::optional<AnalysisReport> report;
  show_progress(planned.work, [&](std::atomic<std::uint64_t>& done) {
    report = planned.report({&interrupt_flag(), &done, threads});
  });
  return std::move(*report);
}

/// The exit code, after the sentences of what went wrong.
int conclude_report(const Analysis& analysis, const AnalysisReport& report) {
  for (const std::vector<std::string>* sentences :
       {&report.failed, &report.broken, &report.refused})
    for (const std::string& sentence : *sentences) complain(sentence);
  if (interrupt_flag()) {
    complain("interrupted; " + analysis.interrupted);
    return interrupted;
  }
  if (!report.refused.empty()) return bad_request;
  if (!report.failed.empty()) return numbers_refused;
  return report.broken.empty() ? success : check_failed;
}

}  // namespace

int conduct(const Analysis& analysis, const Study& study, const StudyArguments& asked) {
  print_notes(study);
  const Stopwatch stopwatch;
  const PlannedAnalysis plan = planned(analysis, study);
  if (!plan.plans.empty()) tell_plans(plan.plans, stopwatch.seconds());
  print_warnings(plan.plans);
  ReportOutputs outputs(asked, study.files, asked.force);
  if (!asked.plot.empty() && plan.check_picture) plan.check_picture(asked.plot);
  const AnalysisReport report = reported(plan, asked.threads);
  for (const std::string& line : report.told) tell(line);
  tell(fmt::format("{} in {:.3g} s", report.measured, stopwatch.seconds()));
  if (!report.is_empty)
    outputs.write(
        {.text = report.text(terminal_width()),
         .json = report.json,
         .csv = report.csv,
         .plot = [&](auto& path) { write_picture(path, report.picture(), study.plot.look); },
         .out =
             [&](auto& path) {
               write_table_file(path, study, analysis.page.name, report.tables());
             }});
  for (const std::string& warning : report.warnings) complain("warning: " + warning);
  return conclude_report(analysis, report);
}

void add_analysis_options(CLI::App& command, const Analysis& analysis, StudyArguments& asked) {
  add_page_options(command, analysis.page, asked.values);
  add_report_options(
      command, asked,
      {.json = analysis.json, .csv = analysis.csv, .plot = analysis.picture, .out = "all tables"});
  if (analysis.has_plot_options) {
    add_plot_options(command, asked.shown);
  } else {
    add_look_options(command, asked.shown);
  }
  add_force_option(command, asked.force);
  add_verbosity_options(command, analysis.told);
  command.footer(analysis.footer);
}

}  // namespace dalembert::app
