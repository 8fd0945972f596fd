// Long runs on the audit's page.
#include "audit_html_long_runs.hpp"

#include <fmt/format.h>

#include <cctype>

#include "audit_html_parts.hpp"
#include "audit_matrix.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "picture/draw/gnuplot.hpp"
#include "picture/page/picture_html.hpp"

namespace dalembert::study::audit_html_parts {

using audit_matrix::Cell;

namespace {

/// Which verdict each method has earned in each run.
HtmlTable verdict_matrix(const AuditReport& report) {
  HtmlTable table{.head = {{"method"}},
                  .caption = "The worst verdict of each run over its conserved quantities."};
  for (const LongRunCase& run : report.set.long_runs)
    table.head.push_back({run.problem.label, "", run.problem.kind});
  for (const MethodAudit& method : report.methods) {
    HtmlRow row{{method.label, "", "", "#" + anchor(method)}};
    for (const Cell& cell : audit_matrix::long_run_cells(method)) row.push_back(cell_of(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One finding of a long run in a few characters, with its numbers as a hint.
HtmlCell drift_cell(const LongRunAudit& run, const DriftFinding* finding) {
  if (!run.misfit.empty()) return {"-", "quiet", run.misfit};
  if (finding == nullptr) return {""};
  const std::string hint =
      finding->failure.empty()
          ? fmt::format("largest error {:.1e}, drift {:.1e} +- {:.0e} per unit of time",
                        finding->largest_error, finding->drift.slope.value,
                        finding->drift.slope.uncertainty())
          : finding->failure;
  if (run.breaks_promise(*finding))
    return {"BROKEN: " + verdict_text(finding->verdict), style_of(audit_matrix::Cell::Tone::bad),
            hint};
  return {verdict_text(finding->verdict), style_of(audit_matrix::tone_of(finding->verdict)), hint};
}

/// The prediction, marked where the long run does not bear it out.
HtmlCell prediction_cell(const DriftFinding* finding) {
  if (finding == nullptr || !finding->predicted) return {"", "number"};
  const std::string text = audit_matrix::prediction_text(*finding);
  if (finding->agrees()) return {text, "number"};
  return {text + " (!)", "number", "the long run shows another drift than predicted"};
}

const DriftFinding* find(const LongRunAudit& run, const std::string& quantity) {
  for (const DriftFinding& finding : run.findings)
    if (finding.quantity == quantity) return &finding;
  return nullptr;
}

/// The quantities that a long run follows, taken from the first method that fits.
std::vector<std::string> quantities_of(const AuditReport& report, std::size_t run) {
  for (const MethodAudit& method : report.methods) {
    std::vector<std::string> names;
    for (const DriftFinding& finding : method.long_runs[run].findings)
      names.push_back(finding.quantity);
    if (!names.empty()) return names;
  }
  return {};
}

double until_of(const AuditReport& report, std::size_t run) {
  const LongRunCase& data = report.set.long_runs[run];
  return report.options.full ? data.full_until : data.quick_until;
}

HtmlTable long_run_table(const AuditReport& report, std::size_t run) {
  const std::vector<std::string> names = quantities_of(report, run);
  HtmlTable table{.head = {{"method"}},
                  .caption = fmt::format("{} ({}): step {:g} to t = {:g}.",
                                         report.set.long_runs[run].problem.label,
                                         report.set.long_runs[run].problem.kind,
                                         report.set.long_runs[run].step, until_of(report, run))};
  for (const std::string& name : names) {
    table.head.push_back({name});
    table.head.push_back({"largest error"});
    table.head.push_back({"drift per time"});
    table.head.push_back({"predicted drift"});
  }
  for (const MethodAudit& method : report.methods) {
    const LongRunAudit& audit = method.long_runs[run];
    HtmlRow row{{method.label, "", "", "#" + anchor(method)}};
    for (const std::string& name : names) {
      const DriftFinding* finding = find(audit, name);
      row.push_back(drift_cell(audit, finding));
      const bool ran = finding != nullptr && finding->verdict != LongRunVerdict::stopped;
      row.push_back({ran ? fmt::format("{:.1e}", finding->largest_error) : "", "number"});
      const bool drifted = ran && finding->verdict != LongRunVerdict::exact;
      row.push_back({drifted ? fmt::format("{:.1e} +- {:.0e}", finding->drift.slope.value,
                                           finding->drift.slope.uncertainty())
                             : "",
                     "number"});
      row.push_back(prediction_cell(finding));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Every method where they are few, else those with the default options: the page stays readable.
bool is_drawn(const MethodAudit& method, const AuditReport& report) {
  constexpr std::size_t few = 24;
  return report.methods.size() <= few || method.label == method.method.name();
}

/// The running mean of one quantity's error, a picture for each group of methods, with one scale.
std::vector<Picture> pictures(const AuditReport& report, std::size_t run,
                              const std::string& quantity) {
  constexpr std::size_t per_panel = 7;
  // Errors of this size are all the same: the quantity is gone.
  constexpr double largest_shown = 100.0;
  std::vector<Picture> groups;
  double most = 0.0, least = largest_shown;
  for (const MethodAudit& method : report.methods) {
    const DriftFinding* finding = find(method.long_runs[run], quantity);
    if (!is_drawn(method, report) || finding == nullptr || finding->mean_error.t.size() < 2)
      continue;
    if (groups.empty() || groups.back().legend.size() == per_panel) {
      groups.emplace_back();
      groups.back().panels.emplace_back();
    }
    Picture& picture = groups.back();
    Curve curve = magnitude({finding->mean_error.t, finding->mean_error.y});
    for (double& value : curve.values) {
      value = numeric::smaller(value, largest_shown);
      most = numeric::larger(most, value);
      least = numeric::smaller(least, value);
    }
    picture.panels.front().curves.push_back({picture.entry(method.label), std::move(curve)});
  }
  for (Picture& picture : groups) {
    picture.panels.front().x.label = "time t (nondimensional)";
    picture.panels.front().y = {"|mean error|", true, std::pair(least / 2.0, most * 2.0)};
  }
  return groups;
}

void add_pictures(HtmlPage& page, const AuditReport& report, std::size_t run,
                  const std::string& quantity) {
  const std::vector<Picture> groups = pictures(report, run, quantity);
  if (groups.empty()) return;
  std::string html = panels_begin(groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i)
    html += "<div>" + panels_html(groups[i], fmt::format("run{}_{}_{}", run, quantity, i)) +
            legend_html(groups[i]) + "</div>\n";
  const LongRunCase& data = report.set.long_runs[run];
  page.raw("<figure>" + html + "</div><figcaption>" +
           html_escape(fmt::format("Error of {} on {}, absolute value of the mean over {:g} units "
                                   "of time; at least round-off and at most 100 are drawn.",
                                   quantity, data.problem.label, data.window)) +
           "</figcaption></figure>\n");
}

}  // namespace

void write_long_runs(HtmlPage& page, const AuditReport& report) {
  if (report.set.long_runs.empty()) return;
  page.heading(2, "Long runs");
  page.paragraph(
      "What becomes of the conserved quantities. \"exact\": round-off that adds up like a random "
      "walk. \"no drift\": the error oscillates, and no trend can be told from none. \"slow "
      "drift\": "
      "there surely is a trend, but over the run it adds up to less than the oscillation. "
      "\"drifts\": with 95 % confidence there is a trend that is larger. \"lost\": no "
      "steady trend, but the running mean is off by more than a tenth of the quantity's size. "
      "\"undecided\": the run is too short for the oscillation. Pictures show the running mean of "
      "the error, of methods with their default options where there are many.");
  page.table(verdict_matrix(report));
  const bool can_draw = gnuplot::is_available();
  if (!can_draw) page.paragraph("The pictures are missing: gnuplot was not found.");
  for (std::size_t run = 0; run < report.set.long_runs.size(); ++run) {
    const LongRunCase& data = report.set.long_runs[run];
    page.heading(3, data.problem.label);
    page.table(long_run_table(report, run));
    if (!can_draw) continue;
    for (const std::string& quantity : quantities_of(report, run))
      add_pictures(page, report, run, quantity);
  }
}

}  // namespace dalembert::study::audit_html_parts
