#include "table.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "report/text_table.hpp"
#include "verbosity.hpp"

namespace dalembert::app {

using namespace study;

namespace {

constexpr std::size_t run_and_method = 2;  // the first columns of each table

std::string number(double value) { return value == 0.0 ? "0" : fmt::format("{:.3g}", value); }

/// What the [[diagnostic]] tables of the study ask for; nothing if there are none.
std::string report_table(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "diagnostic", "of", "value", "interval", "verdict"}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    for (const DiagnosticReport& report : results[i].diagnostics.reports) {
      std::vector<std::string> row{plan.label.empty() ? plan.system.name() : plan.label,
                                   plan.method.label,
                                   report.kind,
                                   report.of,
                                   "-",
                                   "-",
                                   report.message.empty() ? report.verdict : report.message};
      std::string low;
      for (const auto& [name, value] : report.numbers) {
        const bool is_value =
            name == "slope" || name == "exponent" || name == "rate" || name == "largest";
        if (is_value) row[4] = fmt::format("{} {:.4g}", name, value);
        if (name == "low") low = fmt::format("{:.3g}", value);
        if (name == "high") row[5] = fmt::format("{} .. {:.3g}", low, value);
      }
      rows.push_back(std::move(row));
    }
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows, run_and_method);
}

/// How often the sections of the study were passed; nothing if there are none.
std::string section_table(const std::vector<RunPlan>& plans,
                          const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{{"run", "method", "section", "passed"}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    for (const SectionResult& section : results[i].diagnostics.sections)
      rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                      section.name, std::to_string(section.crossings.size())});
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows, run_and_method);
}

/// How often events have happened, and when; nothing if there are none.
std::string event_table(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "event", "happened", "first at", "last at", ""}};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    for (const EventResult& event : results[i].diagnostics.events) {
      const auto& found = event.occurrences;
      const auto time = [&](std::size_t k) { return fmt::format("t = {:.10g}", found[k].t); };
      rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                      event.name, std::to_string(found.size()), found.empty() ? "-" : time(0),
                      found.empty() ? "-" : time(found.size() - 1),
                      results[i].ended_by == event.name ? "ended the run" : ""});
    }
  }
  return rows.size() == 1 ? "" : "\n" + aligned(rows, run_and_method);
}

/// Whether the column belongs to an expression that the study follows and nobody calls conserved.
bool is_only_followed(const Study& study, const std::string& name) {
  const auto& followed = study.diagnostics.expressions;
  return std::any_of(followed.begin(), followed.end(),
                     [&](const auto& entry) { return entry.first == name; });
}

}  // namespace

std::string result_table(const Study& study, const std::vector<RunPlan>& plans,
                         const std::vector<RunResult>& results,
                         const std::vector<RefusedRun>& refused) {
  const bool has_tolerance =
      std::ranges::any_of(plans, [](const RunPlan& plan) { return plan.check.has_value(); });
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "step", "steps",
       is_energy_meant_to_stay(study, plans.front()) ? "energy error" : "energy change",
       "constraint"}};
  for (const std::string& name : plans.front().columns.integral_names())
    rows[0].push_back((is_only_followed(study, name) ? "change of " : "") + name);
  if (has_tolerance) rows[0].emplace_back("estimated error");
  rows[0].insert(rows[0].end(), {"ns/step", "status"});
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunPlan& plan = plans[i];
    const RunResult& result = results[i];
    const RunDiagnostics& errors = result.diagnostics;
    rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                    fmt::format("{:.6g}", plan.step), std::to_string(result.steps)});
    // Before the first step there is nothing that could have changed.
    if (result.steps > 0) {
      rows.back().push_back(number(errors.energy.max_error));
      rows.back().push_back(number(errors.constraint_max));
      for (const IntegralSummary& integral : errors.integrals)
        rows.back().push_back(number(integral.max_error));
      if (errors.error) rows.back().push_back(fmt::format("{:.1e}", errors.error->largest));
    }
    rows.back().resize(rows[0].size() - 2, "-");
    rows.back().push_back(
        result.seconds_per_step > 0.0 ? fmt::format("{:.0f}", 1e9 * result.seconds_per_step) : "-");
    rows.back().emplace_back(status_text(result.status));
  }
  for (const RefusedRun& run : refused) {
    rows.push_back({run.label.empty() ? run.system.name() : run.label, run.method.label,
                    fmt::format("{:.6g}", run.step)});
    rows.back().resize(rows[0].size() - 1, "-");
    rows.back().emplace_back("refused");
  }
  return aligned_within(terminal_width(), rows, run_and_method) + report_table(plans, results) +
         section_table(plans, results) + event_table(plans, results);
}

}  // namespace dalembert::app
