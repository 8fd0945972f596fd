#pragma once

#include <string>

#include "dalembert/report/audit_report.hpp"

namespace dalembert::study {

/// A page with the tables and pictures of everything, in one file. Pictures need gnuplot and are
/// left out without it.
std::string audit_html(const AuditReport& report);

}  // namespace dalembert::study
