#pragma once
// The parts of the audit's page. Only for the sources of this room.

#include <string>

#include "audit_matrix.hpp"
#include "dalembert/picture/page/html_page.hpp"
#include "dalembert/report/audit_report.hpp"

namespace dalembert::study::audit_html_parts {

/// The style sheet's name for a tone.
const char* style_of(audit_matrix::Cell::Tone tone);
HtmlCell cell_of(const audit_matrix::Cell& cell);
/// Where a method's own part begins.
std::string anchor(const MethodAudit& method);

}  // namespace dalembert::study::audit_html_parts
