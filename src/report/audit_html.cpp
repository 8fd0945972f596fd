#include "dalembert/report/audit_html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "audit_html_long_runs.hpp"
#include "audit_html_parts.hpp"
#include "audit_matrix.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_summary.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "picture/page/picture_html.hpp"

namespace dalembert::study {
namespace {

using namespace audit_html_parts;

HtmlTable property_matrix(const AuditReport& report) {
  HtmlTable table{.head = {{"method"}}, .caption = "Properties, measured on all problems below."};
  for (const auto& column : audit_matrix::columns())
    table.head.push_back({column.heading, "", column.property});
  for (const MethodAudit& method : report.methods) {
    HtmlRow row{{method.label, "", "", "#" + anchor(method)}};
    for (const audit_matrix::Cell& cell : audit_matrix::property_cells(method, report.set))
      row.push_back(cell_of(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
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
  page.raw(picture_style);
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

}  // namespace dalembert::study
