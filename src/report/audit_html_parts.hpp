#pragma once
// The parts of the audit's page. Only for the sources of this room.

#include <string>

#include "audit_matrix.hpp"
#include "dalembert/picture/page/html_page.hpp"

namespace dalembert::audit_html_parts {

/// The style sheet's name for a tone.
const char* style_of(audit_matrix::Cell::Tone tone);
HtmlCell cell_of(const audit_matrix::Cell& cell);
/// Where a method's own part begins.
std::string anchor(const MethodAudit& method);

/// All long runs: a table of verdicts, then for each run a table of numbers and pictures.
void write_long_runs(HtmlPage& page, const AuditReport& report);

}  // namespace dalembert::audit_html_parts
