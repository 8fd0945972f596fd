#include "dalembert/report/audit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "audit_matrix.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_summary.hpp"
#include "dalembert/report/run_audit.hpp"
#include "text_table.hpp"

namespace dalembert::study {
namespace {

using audit_matrix::Cell;
using Rows = std::vector<std::vector<std::string>>;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

std::string drift_text(const DriftFinding& finding) {
  if (finding.verdict == LongRunVerdict::stopped || finding.verdict == LongRunVerdict::exact)
    return "-";
  return fmt::format("{:.1e} +- {:.0e}", finding.drift.slope.value,
                     finding.drift.slope.uncertainty());
}

std::string long_runs_text(const MethodAudit& method, const AuditReport& report) {
  Rows rows{{"long run", "step", "steps", "quantity", "largest error", "drift per time",
             "predicted drift", "verdict"}};
  for (std::size_t i = 0; i < method.long_runs.size(); ++i) {
    const LongRunAudit& run = method.long_runs[i];
    const std::string& label = report.set.long_runs[i].problem.label;
    if (!run.misfit.empty()) rows.push_back({label, "-", "-", "-", "-", "-", "-", "does not fit"});
    for (const DriftFinding& finding : run.findings) {
      std::string verdict =
          finding.failure.empty() ? verdict_text(finding.verdict) : "stopped: " + finding.failure;
      if (run.breaks_promise(finding)) verdict = "BROKEN: " + verdict;
      rows.push_back({label, fmt::format("{:g}", run.step), std::to_string(run.steps),
                      finding.quantity, fmt::format("{:.1e}", finding.largest_error),
                      drift_text(finding), audit_matrix::prediction_text(finding),
                      finding.agrees() ? verdict : verdict + ", not as predicted"});
    }
  }
  return rows.size() > 1 ? "\n" + aligned(rows) : "";
}

std::string details_text(const MethodAudit& method, const AuditReport& report) {
  Rows rows{{"problem", "property", "promised", "measured", "verdict"}};
  for (std::size_t i = 0; i < method.problems.size(); ++i) {
    const std::string& label = report.set.problems[i].label;
    if (!method.problems[i].misfit.empty())
      rows.push_back({label, "-", "-", "-", "does not fit: " + method.problems[i].misfit});
    if (!method.problems[i].unmeasured.empty())
      rows.push_back({label, "-", "-", "-", "not measured: " + method.problems[i].unmeasured});
    for (const AuditFinding& finding : method.problems[i].findings) {
      rows.push_back({label, finding.property, finding.promise_text(), finding.value_text(),
                      verdict_text(finding.verdict)});
    }
  }
  return "\n" + aligned(rows);
}

/// The integrals that the problems declare, in a table of their own: each belongs to one problem.
std::string integrals_text(const MethodAudit& method, const AuditReport& report) {
  Rows rows{{"first integral", "problem", "change", "verdict"}};
  const std::string prefix = "integral ";
  for (std::size_t i = 0; i < method.problems.size(); ++i) {
    for (const AuditFinding& finding : method.problems[i].findings) {
      if (!finding.property.starts_with(prefix)) continue;
      rows.push_back(
          {finding.property.substr(prefix.size()), report.set.problems[i].label,
           finding.value_text(),
           finding.verdict == AuditVerdict::surplus ? "kept" : verdict_text(finding.verdict)});
    }
  }
  return rows.size() > 1 ? "\n" + aligned(rows) : "";
}

/// With which steps the table was measured, so that `run` can repeat it: once for each unit of
/// time.
std::string grids_text(const MethodAudit& method) {
  std::set<double> times;
  for (const ProblemAudit& problem : method.problems)
    if (problem.time > 0.0 && !problem.findings.empty()) times.insert(problem.time);
  const std::uint64_t first = OrderGrid::first_steps(method.method.facts());
  std::string text;
  for (const double time : times) {
    text += fmt::format(
        "orders up to t = {:g} in {}, {}, {} and {} steps, defects in {} steps of "
        "{:g}\n",
        time, first, 2 * first, 4 * first, 8 * first, DefectGrid::steps,
        time / DefectGrid::steps_per_time);
  }
  return text.empty() ? text : "\n" + text;
}

/// Problems on which nothing is measured, each with the reason.
std::string unmeasured_text(const MethodAudit& method, const AuditReport& report) {
  std::string text;
  for (std::size_t i = 0; i < method.problems.size(); ++i) {
    if (!method.problems[i].unmeasured.empty())
      text += fmt::format("\n{}: not measured: {}\n", report.set.problems[i].label,
                          method.problems[i].unmeasured);
  }
  return text;
}

std::string method_text(const MethodAudit& method, const AuditReport& report, bool details) {
  const auto measured = std::count_if(method.problems.begin(), method.problems.end(),
                                      [](const ProblemAudit& problem) {
                                        return problem.misfit.empty() && problem.unmeasured.empty();
                                      });
  std::string text =
      fmt::format("{}: {} of {} problems, {} arithmetic; long runs in double\n\n", method.label,
                  measured, method.problems.size(), audit_precision_name());
  Rows rows{{"property", "promised", "measured", "problems", "verdict"}};
  for (const PropertySummary& summary : summarize(method, report.set)) {
    std::string verdict = verdict_text(summary.verdict);
    if (!summary.where.empty()) verdict += " on " + listed(summary.where);
    rows.push_back({summary.property, summary.promise, summary.value_text(),
                    std::to_string(summary.problems), verdict});
  }
  if (rows.size() > 1) text += aligned(rows) + grids_text(method);
  text += unmeasured_text(method, report) + integrals_text(method, report) +
          long_runs_text(method, report);
  return details ? text + details_text(method, report) : text;
}

/// The headings of the matrix: the method, the properties, and for each long run a number.
std::vector<std::string> headings(const AuditReport& report) {
  std::vector<std::string> heads{"method"};
  for (const auto& column : audit_matrix::columns()) heads.push_back(column.heading);
  for (std::size_t i = 0; i < report.set.long_runs.size(); ++i)
    heads.push_back("run " + std::to_string(i + 1));
  heads.push_back("predicted drift");
  return heads;
}

std::string matrix_text(const AuditReport& report) {
  Rows rows{headings(report)};
  for (const MethodAudit& method : report.methods) {
    rows.push_back({method.label});
    for (const Cell& cell : audit_matrix::property_cells(method, report.set))
      rows.back().push_back(cell.text);
    for (const Cell& cell : audit_matrix::long_run_cells(method)) rows.back().push_back(cell.text);
    rows.back().push_back(audit_matrix::predicted_drift(method));
  }
  std::string text = aligned(rows) + "\n";
  for (std::size_t i = 0; i < report.set.long_runs.size(); ++i) {
    const LongRunCase& run = report.set.long_runs[i];
    text += fmt::format("run {}: {}, step {:g} to t = {:g}\n", i + 1, run.problem.label, run.step,
                        report.options.full ? run.full_until : run.quick_until);
  }
  return text;
}

}  // namespace

std::string audit_text(const AuditReport& report, bool details) {
  std::string text;
  if (report.methods.size() > 1) text = matrix_text(report);
  if (report.methods.size() == 1 || details) {
    for (const MethodAudit& method : report.methods)
      text += (text.empty() ? "" : "\n") + method_text(method, report, details);
  }
  const Rows broken = audit_matrix::broken_promises(report),
             more = audit_matrix::unpromised_properties(report),
             surprises = audit_matrix::surprises(report);
  if (!broken.empty()) text += "\nBROKEN PROMISES\n" + aligned(broken);
  if (!more.empty()) text += "\nkept on a witness, not promised\n" + aligned(more);
  if (!surprises.empty()) text += "\ndrifts that are not as predicted\n" + aligned(surprises);
  return text;
}

std::string audit_markdown(const AuditReport& report) {
  std::string head = "| method |", rule = "|---|";
  for (const auto& column : audit_matrix::columns()) {
    head += " " + column.heading + " |";
    rule += "---|";
  }
  std::string text = head + " runs without drift | predicted drift |\n" + rule + "---|---|\n";
  for (const MethodAudit& method : report.methods) {
    text += "| `" + method.label + "` |";
    for (const Cell& cell : audit_matrix::property_cells(method, report.set))
      text += " " + (cell.text == "no" || cell.text == "-" ? "" : cell.text) + " |";
    text += " " + audit_matrix::steady_runs(method) + " | ";
    const std::string predicted = audit_matrix::predicted_drift(method);
    text += (predicted == "-" ? "" : predicted) + " |\n";
  }
  return text;
}

}  // namespace dalembert::study
