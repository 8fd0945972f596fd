#include "dalembert/report/audit_arrays.hpp"

#include <functional>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "text_table.hpp"

namespace dalembert::study {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// A measurement at short times.
struct Measured {
  const MethodAudit& method;
  const AuditCase& problem;
  const AuditFinding& finding;

  bool is_measured() const { return finding.verdict != AuditVerdict::not_measured; }
  double value() const { return is_measured() ? finding.value : not_measured; }
  double uncertainty() const {
    return is_measured() && finding.is_order() ? finding.uncertainty : not_measured;
  }
};

/// A drift in a long run.
struct Drifted {
  const MethodAudit& method;
  const LongRunCase& run;
  const LongRunAudit& audit;
  const DriftFinding& finding;

  bool ran() const { return finding.verdict != LongRunVerdict::stopped; }
  double slope() const { return ran() ? finding.drift.slope.value : not_measured; }
  double uncertainty() const { return ran() ? finding.drift.slope.uncertainty() : not_measured; }
  std::string verdict() const {
    return (audit.breaks_promise(finding) ? "BROKEN: " : "") +
           std::string(verdict_text(finding.verdict));
  }
};

std::vector<Measured> measurements(const AuditReport& report) {
  std::vector<Measured> all;
  for (const MethodAudit& method : report.methods)
    for (std::size_t i = 0; i < method.problems.size(); ++i)
      for (const AuditFinding& finding : method.problems[i].findings)
        all.push_back({method, report.set.problems[i], finding});
  return all;
}

std::vector<Drifted> drifts_of(const AuditReport& report) {
  std::vector<Drifted> all;
  for (const MethodAudit& method : report.methods)
    for (std::size_t i = 0; i < method.long_runs.size(); ++i)
      for (const DriftFinding& finding : method.long_runs[i].findings)
        all.push_back({method, report.set.long_runs[i], method.long_runs[i], finding});
  return all;
}

/// Arrays along one dimension, an entry for each row.
template <class Row>
class Columns {
 public:
  Columns(LabelledTable& table, std::string dimension, std::vector<Row> rows)
      : table_(table), dimension_(std::move(dimension)), rows_(std::move(rows)) {
    table_.dimensions.push_back({dimension_, rows_.size()});
  }
  template <class Value>
  void add(const std::string& name, const std::string& description, Value value) {
    std::vector<decltype(value(rows_.front()))> values;
    for (const Row& row : rows_) values.push_back(value(row));
    table_.variables.push_back({name, description, {dimension_}, std::move(values)});
  }

 private:
  LabelledTable& table_;
  std::string dimension_;
  std::vector<Row> rows_;
};

std::string number_cell(double value) { return value == value ? to_string(value) : ""; }

}  // namespace

LabelledTable audit_arrays(const AuditReport& report) {
  LabelledTable table;
  Columns<Measured> measured(table, "measurement", measurements(report));
  measured.add("method", "", [](const Measured& one) { return one.method.label; });
  measured.add("problem", "", [](const Measured& one) { return one.problem.label; });
  measured.add("property", "", [](const Measured& one) { return one.finding.property; });
  measured.add("promised", "an order, yes, no or -",
               [](const Measured& one) { return one.finding.promise_text(); });
  measured.add("measured", "an order, or a defect",
               [](const Measured& one) { return one.value(); });
  measured.add("uncertainty", "of an order", [](const Measured& one) { return one.uncertainty(); });
  measured.add("verdict", "",
               [](const Measured& one) { return std::string(verdict_text(one.finding.verdict)); });
  Columns<Drifted> drifts(table, "drift", drifts_of(report));
  drifts.add("drift_method", "", [](const Drifted& one) { return one.method.label; });
  drifts.add("drift_problem", "", [](const Drifted& one) { return one.run.problem.label; });
  drifts.add("drift_quantity", "", [](const Drifted& one) { return one.finding.quantity; });
  drifts.add("drift_step", "size", [](const Drifted& one) { return one.audit.step; });
  drifts.add("drift_steps", "of the run",
             [](const Drifted& one) { return static_cast<std::int64_t>(one.audit.steps); });
  drifts.add("drift_largest_error", "over all steps", [](const Drifted& one) {
    return one.ran() ? one.finding.largest_error : not_measured;
  });
  drifts.add("drift_slope", "per unit of time", [](const Drifted& one) { return one.slope(); });
  drifts.add("drift_uncertainty", "half of the interval",
             [](const Drifted& one) { return one.uncertainty(); });
  drifts.add("drift_verdict", "", [](const Drifted& one) { return one.verdict(); });
  return table;
}

std::string audit_csv(const AuditReport& report) {
  std::string text = "method,problem,property,promised,measured,uncertainty,verdict\n";
  const auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    text += "\n";
  };
  for (const Measured& one : measurements(report))
    line({one.method.label, one.problem.label, one.finding.property, one.finding.promise_text(),
          number_cell(one.value()), number_cell(one.uncertainty()),
          verdict_text(one.finding.verdict)});
  for (const Drifted& one : drifts_of(report))
    line({one.method.label, one.run.problem.label, "drift of " + one.finding.quantity, "-",
          number_cell(one.slope()), number_cell(one.uncertainty()), one.verdict()});
  return text;
}

}  // namespace dalembert::study
