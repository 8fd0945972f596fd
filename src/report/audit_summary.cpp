#include "dalembert/report/audit_summary.hpp"

#include <fmt/format.h>

#include <map>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {
namespace {

/// Broken promises first, then what is least certain.
int rank(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::broken:
      return 5;
    case AuditVerdict::absent:
      return 4;
    case AuditVerdict::unclear:
      return 3;
    case AuditVerdict::kept:
      return 2;
    case AuditVerdict::surplus:
      return 1;
    default:
      return 0;
  }
}

void add(PropertySummary& summary, const AuditFinding& finding, const std::string& problem) {
  if (finding.verdict == AuditVerdict::not_measured) {
    if (!finding.words.empty()) summary.unmeasured = finding.words;
    return;
  }
  const bool is_first = summary.problems++ == 0;
  summary.least = is_first ? finding.value : numeric::smaller(summary.least, finding.value);
  summary.largest = is_first ? finding.value : numeric::larger(summary.largest, finding.value);
  if (finding.verdict == AuditVerdict::broken) summary.where.push_back(problem);
  if (is_first || rank(finding.verdict) > rank(summary.verdict)) summary.words = finding.words;
  if (rank(finding.verdict) > rank(summary.verdict)) summary.verdict = finding.verdict;
}

/// A promise that a long run breaks is broken, whatever short steps show.
void add_long_runs(PropertySummary& summary, const MethodAudit& method, const AuditSet& set) {
  for (std::size_t i = 0; i < method.long_runs.size(); ++i) {
    for (const DriftFinding& finding : method.long_runs[i].findings) {
      if (!method.long_runs[i].breaks_promise(finding) || finding.quantity != summary.property)
        continue;
      add(summary,
          {.property = finding.quantity,
           .promise = Promise::yes,
           .value = finding.largest_error,
           .verdict = AuditVerdict::broken},
          "the long run on " + set.long_runs[i].problem.label);
    }
  }
}

}  // namespace

std::string PropertySummary::value_text() const {
  if (problems == 0) return unmeasured.empty() ? "-" : unmeasured;
  if (is_order) {
    const std::string low = fmt::format("{:.2f}", least), high = fmt::format("{:.2f}", largest);
    return low == high ? low : low + " to " + high;
  }
  const auto text = [](double value) {
    return value == 0.0 ? std::string("0") : fmt::format("{:.1e}", value);
  };
  if (!words.empty())
    return (least == largest ? text(least) : text(least) + " to " + text(largest)) + ", " + words;
  const bool is_small = verdict == AuditVerdict::kept || verdict == AuditVerdict::surplus;
  if (is_small) return "<= " + text(largest);
  return least == largest ? text(least) : text(least) + " to " + text(largest);
}

std::vector<PropertySummary> summarize(const MethodAudit& method, const AuditSet& set) {
  static const std::vector<std::string> order{"order of q",
                                              "order of v",
                                              "order of lambda",
                                              "recomputed lambda",
                                              "local order",
                                              "maps D to D",
                                              "symmetry",
                                              "reversibility",
                                              "energy",
                                              "discrete energy",
                                              "fibration",
                                              "energy of drivers",
                                              "energy of passengers",
                                              "symplecticity",
                                              "volume",
                                              "volume on D",
                                              "formula of the volume",
                                              "stable equilibria",
                                              "a step from the start"};
  std::vector<PropertySummary> summaries;
  for (const std::string& property : order) {
    std::map<std::string, PropertySummary, std::greater<>> by_promise;  // yes, no, -
    for (std::size_t i = 0; i < method.problems.size(); ++i) {
      for (const AuditFinding& finding : method.problems[i].findings) {
        if (finding.property != property) continue;
        PropertySummary& summary = by_promise[finding.promise_text()];
        summary.property = property;
        summary.promise = finding.promise_text();
        summary.is_order = finding.is_order();
        add(summary, finding, set.problems[i].label);
      }
    }
    for (auto& [promise, summary] : by_promise) {
      if (promise == "yes") add_long_runs(summary, method, set);
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

}  // namespace dalembert::study
