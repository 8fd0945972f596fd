#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "audit_matrix.hpp"
#include "dalembert/study/html_page.hpp"
#include "dalembert/study/json_result.hpp"
#include "gnuplot.hpp"

namespace dalembert {
namespace {

using audit_matrix::Cell;

const char* style_of(Cell::Tone tone) {
  switch (tone) {
    case Cell::Tone::good:
      return "good";
    case Cell::Tone::weak:
      return "weak";
    case Cell::Tone::bad:
      return "bad";
    default:
      return "";
  }
}

HtmlCell cell_of(const Cell& cell) { return {cell.text, style_of(cell.tone)}; }

std::string anchor(const MethodAudit& method) {
  std::string text = "method-";
  for (const char c : method.label) text += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  return text;
}

HtmlTable property_matrix(const AuditReport& report) {
  HtmlTable table{.head = {{"method"}}, .caption = "Properties, measured on all problems below."};
  for (const auto& column : audit_matrix::columns())
    table.head.push_back({column.heading, "", column.property});
  for (const MethodAudit& method : report.methods) {
    HtmlRow row{{method.label, "", "", "#" + anchor(method)}};
    for (const Cell& cell : audit_matrix::property_cells(method, report.set))
      row.push_back(cell_of(cell));
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
  return {verdict_text(finding->verdict), style_of(audit_matrix::tone_of(finding->verdict)), hint};
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

/// Curves of the running mean of one quantity's error, in panels of at most six methods.
std::string picture(const AuditReport& report, std::size_t run, const std::string& quantity) {
  static constexpr const char* colours[] = {"#0072B2", "#D55E00", "#009E73",
                                            "#CC79A7", "#E69F00", "#56B4E9"};
  constexpr std::size_t per_panel = 6;
  std::vector<std::pair<std::string, const DriftFinding*>> curves;
  for (const MethodAudit& method : report.methods) {
    if (!is_drawn(method, report)) continue;
    const DriftFinding* finding = find(method.long_runs[run], quantity);
    const bool moves = finding != nullptr && finding->verdict != LongRunVerdict::exact;
    if (moves && finding->mean_error.t.size() > 1) curves.emplace_back(method.label, finding);
  }
  if (curves.empty()) return "";
  std::string data, plots;
  const std::size_t panels = (curves.size() + per_panel - 1) / per_panel;
  for (std::size_t k = 0; k < curves.size(); ++k) {
    data += fmt::format("$data{} << EOD\n", k);
    const Series& series = curves[k].second->mean_error;
    for (std::size_t i = 0; i < series.t.size(); ++i)
      data += fmt::format("{:.6g} {:.4g}\n", series.t[i], series.y[i]);
    data += "EOD\n";
    const bool is_first = k % per_panel == 0;
    plots += is_first ? (k == 0 ? "plot " : "\nplot ") : ", \\\n  ";
    plots += fmt::format("$data{} with lines lw 1.5 lc rgb '{}' title {}", k,
                         colours[k % per_panel], gnuplot::quoted(curves[k].first));
  }
  const std::string script =
      data +
      fmt::format(
          "set multiplot layout {},1\nset key outside right Left reverse samplen 1.5\n"
          "set grid lc rgb '#dddddd'\nset format y '%.1t e%T'\nset ylabel 'mean error'\n"
          "set xlabel 't'\nset lmargin 12\n",
          panels) +
      plots + "\nunset multiplot\n";
  return gnuplot::svg(script, fmt::format("run{}_{}", run, quantity), 900,
                      static_cast<int>(120 + 200 * panels));
}

void write_long_runs(HtmlPage& page, const AuditReport& report) {
  if (report.set.long_runs.empty()) return;
  page.heading(2, "Long runs");
  page.paragraph(
      "What becomes of the conserved quantities. \"exact\": round-off that adds up like a random "
      "walk. \"no drift\": the error oscillates and a trend, if there is one, is smaller than the "
      "oscillation. \"drifts\": with 95 % confidence there is a trend that is larger. \"lost\": no "
      "steady trend, but the running mean is off by more than a tenth of the quantity's size. "
      "\"undecided\": the run is too short for the oscillation. Pictures show the running mean of "
      "the error, of methods with their default options where there are many.");
  const bool can_draw = gnuplot::is_available();
  if (!can_draw) page.paragraph("The pictures are missing: gnuplot was not found.");
  for (std::size_t run = 0; run < report.set.long_runs.size(); ++run) {
    const LongRunCase& data = report.set.long_runs[run];
    page.heading(3, data.problem.label);
    page.table(long_run_table(report, run));
    if (!can_draw) continue;
    for (const std::string& quantity : quantities_of(report, run)) {
      const std::string svg = picture(report, run, quantity);
      if (svg.empty()) continue;
      page.figure(svg, fmt::format("Error of {} on {}, mean over {:g} units of time.", quantity,
                                   data.problem.label, data.window));
    }
  }
}

HtmlTable method_table(const MethodAudit& method, const AuditSet& set) {
  HtmlTable table{.head = {{"property"}, {"promised"}, {"measured"}, {"problems"}, {"verdict"}}};
  for (const PropertySummary& summary : summarize(method, set)) {
    std::string where;
    for (const std::string& name : summary.where) where += (where.empty() ? " on " : "; ") + name;
    table.rows.push_back({{summary.property},
                          {summary.promise},
                          {summary.value_text(), "number"},
                          {std::to_string(summary.problems), "number"},
                          {verdict_text(summary.verdict) + where,
                           style_of(audit_matrix::tone_of(summary.verdict))}});
  }
  return table;
}

/// Every measurement: a row for each property, a column for each problem.
HtmlTable detail_table(const MethodAudit& method, const AuditSet& set) {
  HtmlTable table{.head = {{"property"}},
                  .caption =
                      "Every measurement; rest on a cell to see what "
                      "was promised."};
  std::vector<std::string> properties;
  for (std::size_t i = 0; i < set.problems.size(); ++i) {
    table.head.push_back({set.problems[i].label, "", set.problems[i].kind});
    for (const AuditFinding& finding : method.problems[i].findings) {
      if (std::find(properties.begin(), properties.end(), finding.property) == properties.end())
        properties.push_back(finding.property);
    }
  }
  for (const std::string& property : properties) {
    HtmlRow row{{property}};
    for (const ProblemAudit& problem : method.problems) {
      HtmlCell cell{problem.misfit.empty() ? "" : "-", "quiet", problem.misfit};
      for (const AuditFinding& finding : problem.findings) {
        if (finding.property != property) continue;
        cell = {finding.value_text(),
                std::string("number ") + style_of(audit_matrix::tone_of(finding.verdict)),
                verdict_text(finding.verdict) + "; promised: " + finding.promise_text()};
      }
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_methods(HtmlPage& page, const AuditReport& report) {
  page.heading(2, "Method by method");
  for (const MethodAudit& method : report.methods) {
    page.heading(3, method.label, anchor(method));
    page.table(method_table(method, report.set));
    page.begin_details("Problem by problem");
    page.table(detail_table(method, report.set));
    page.end_details();
  }
}

void write_problems(HtmlPage& page, const AuditReport& report) {
  HtmlTable table{.head = {{"problem"}, {"kind"}, {"source"}}};
  for (const AuditCase& problem : report.set.problems)
    table.rows.push_back({{problem.label}, {problem.kind}, {problem.file.source}});
  if (table.rows.empty()) return;
  page.heading(2, "Problems");
  page.table(table);
}

void write_breaches(HtmlPage& page, const AuditReport& report) {
  const auto lines_of = [](const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::string> lines;
    for (const auto& row : rows) lines.push_back(fmt::format("{}", fmt::join(row, ": ")));
    return lines;
  };
  const auto broken = audit_matrix::broken_promises(report),
             more = audit_matrix::unpromised_properties(report);
  if (broken.empty()) {
    page.paragraph("Every promise is kept.");
  } else {
    page.heading(2, "Broken promises");
    page.list(lines_of(broken));
  }
  if (!more.empty()) {
    page.heading(2, "Kept on a witness, not promised");
    page.list(lines_of(more));
  }
}

}  // namespace

std::string audit_html(const AuditReport& report) {
  const bool is_single = report.methods.size() == 1;
  const std::string title = is_single                  ? "Audit of " + report.methods.front().label
                            : report.set.title.empty() ? "Audit"
                                                       : report.set.title;
  HtmlPage page(title);
  page.heading(1, title);
  page.paragraph(
      fmt::format("Measured by dalembert {} in {} arithmetic (long runs in double). Orders are "
                  "fitted to errors "
                  "of halved steps; a defect counts as round-off below 1e-24 and as real above "
                  "1e-20. What each "
                  "property means and how it is measured: doc/audit.md.",
                  version(), audit_precision_name()));
  write_breaches(page, report);
  page.heading(2, "Properties");
  page.table(property_matrix(report));
  write_long_runs(page, report);
  write_methods(page, report);
  write_problems(page, report);
  return page.text();
}

}  // namespace dalembert
