#include "dalembert/report/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

std::vector<Breach> MethodAudit::breaches(const AuditSet& set) const {
  std::vector<Breach> found;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    for (Breach& breach : dalembert::breaches(problems[i].findings, set.problems[i].is_witness)) {
      breach.detail += ", on " + set.problems[i].label;
      found.push_back(std::move(breach));
    }
  }
  for (std::size_t i = 0; i < long_runs.size(); ++i) {
    for (const DriftFinding& finding : long_runs[i].findings) {
      if (!long_runs[i].breaks_promise(finding)) continue;
      found.push_back({finding.quantity,
                       fmt::format("{:.1e}, promised yes, in the long run on {}: {} steps of {:g}",
                                   finding.largest_error, set.long_runs[i].problem.label,
                                   long_runs[i].steps, long_runs[i].step)});
    }
  }
  return found;
}

bool MethodAudit::is_broken() const {
  const auto is_broken = [](const ProblemAudit& problem) {
    return !dalembert::breaches(problem.findings, false).empty();
  };
  const auto loses_energy = [](const LongRunAudit& run) { return run.breaks_energy; };
  return std::any_of(problems.begin(), problems.end(), is_broken) ||
         std::any_of(long_runs.begin(), long_runs.end(), loses_energy);
}

bool MethodAudit::has_surprises() const {
  const auto is_surprise = [](const DriftFinding& finding) { return !finding.agrees(); };
  return std::any_of(long_runs.begin(), long_runs.end(), [&](const LongRunAudit& run) {
    return std::any_of(run.findings.begin(), run.findings.end(), is_surprise);
  });
}

bool AuditReport::has_surprises() const {
  return std::any_of(methods.begin(), methods.end(),
                     [](const MethodAudit& method) { return method.has_surprises(); });
}

bool AuditReport::is_broken() const {
  return std::any_of(methods.begin(), methods.end(),
                     [](const MethodAudit& method) { return method.is_broken(); });
}

}  // namespace dalembert::study
