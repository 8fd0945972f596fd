#pragma once

#include <string>

#include "dalembert/report/audit_report.hpp"

namespace dalembert::study {

/// All measurements of an audit as a JSON object; doc/audit.md describes it.
std::string audit_json(const AuditReport& report);

}  // namespace dalembert::study
