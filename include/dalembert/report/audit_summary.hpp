#pragma once

#include <string>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

/// One property of a method over all problems of a set that have the same promise for it.
struct PropertySummary {
  std::string property, promise;
  std::size_t problems = 0;           ///< on which it was measured
  double least = 0.0, largest = 0.0;  ///< orders or defects
  bool is_order = false;
  AuditVerdict verdict = AuditVerdict::not_measured;  ///< the worst for promises, else the best
  std::string words = {};                             ///< of the finding that gives the verdict
  std::string unmeasured = {};          ///< why there is a problem on which it has no meaning
  std::vector<std::string> where = {};  ///< problems that differ from the verdict of most, or
                                        ///< break the promise

  std::string value_text() const;
};
/// The properties of a method, without the integrals of single problems.
std::vector<PropertySummary> summarize(const MethodAudit& method, const AuditSet& set);

}  // namespace dalembert::study
