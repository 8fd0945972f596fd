#pragma once
// Long runs on the audit's page. Only for the sources of this room.

#include "dalembert/picture/page/html_page.hpp"
#include "dalembert/report/audit_report.hpp"

namespace dalembert::study::audit_html_parts {

/// All long runs: a table of verdicts, then for each run a table of numbers and pictures.
void write_long_runs(HtmlPage& page, const AuditReport& report);

}  // namespace dalembert::study::audit_html_parts
