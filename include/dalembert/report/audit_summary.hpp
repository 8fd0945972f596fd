#pragma once

#include <string>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

/// One property of a method over all problems of a set that have the same promise for it.
struct PropertySummary {
  std::string property, promise;      ///< as AuditFinding::property, and its promise_text
  std::size_t problems = 0;           ///< on which it was measured
  double least = 0.0, largest = 0.0;  ///< orders or defects
  bool is_order = false;              ///< `least` and `largest` are orders
  AuditVerdict verdict = AuditVerdict::not_measured;  ///< the worst for promises, else the best
  std::string words = {};                             ///< of the finding that gives the verdict
  std::string unmeasured = {};          ///< reason where it has no meaning on a problem
  std::vector<std::string> where = {};  ///< problems that differ from the verdict of most, or
                                        ///< break the promise

  /// The values as tables show them: "1.98 to 2.01", "<= 3.1e-30"; the reason, or "-", where
  /// nothing was measured.
  std::string value_text() const;
};
/// The properties of a method, without the integrals of single problems.
std::vector<PropertySummary> summarize(const MethodAudit& method, const AuditSet& set);

}  // namespace dalembert::study
