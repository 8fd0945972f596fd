#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

/// A method with the name that tables show.
struct AuditMethod {
  Method method;      ///< with its options
  std::string label;  ///< name and options
};
/// The methods of the library with their defaults, and for `variants` with one option changed at a
/// time.
std::vector<AuditMethod> audit_methods(bool variants = false);

/// Measures the methods, of the library or of one's own, on the problems of a set. Orders and
/// defects are measured in the widest number type of this build (`audit_precision_name`), long runs
/// in double.
AuditReport run_audit(std::vector<AuditMethod> methods, AuditSet set, const AuditOptions& options);
/// The number of measurements that `run_audit` makes.
std::uint64_t audit_size(std::size_t methods, const AuditSet& set);
/// The name of the number type of orders and defects: "113-bit".
std::string audit_precision_name();

}  // namespace dalembert::study
