#pragma once

#include <string>

#include "dalembert/report/audit_report.hpp"

namespace dalembert::study {

/// A page for the terminal: for one method a table of its properties and one of its long runs; for
/// several a table with a row for each. `details` adds every single measurement.
std::string audit_text(const AuditReport& report, bool details = false);
/// The table with a row for each method, in Markdown.
std::string audit_markdown(const AuditReport& report);

}  // namespace dalembert::study
