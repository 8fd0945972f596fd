#pragma once

#include <string>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/result/labelled_table.hpp"

namespace dalembert::study {

/// Measurements at short times along `measurement`, drifts of long runs along `drift`; what was not
/// measured is nan.
LabelledTable audit_arrays(const AuditReport& report);
/// A line for each measurement; of a long run the drift per unit of time with half of its interval.
std::string audit_csv(const AuditReport& report);

}  // namespace dalembert::study
