#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "dalembert/report/audit_set.hpp"

namespace dalembert {

/// How an audit is done.
struct AuditOptions {
  bool full = false;                       ///< long runs as long as the set says for a full audit
  std::size_t threads = 1;                 ///< change no bit of the result
  std::atomic<bool>* cancelled = nullptr;  ///< set it to end the audit early, without a result
  std::atomic<std::uint64_t>* done = nullptr;  ///< counts finished measurements
};

/// One method on one problem at short times.
struct ProblemAudit {
  std::string misfit = {};  ///< why the method cannot be used on the problem; then no findings
  std::vector<AuditFinding> findings = {};
};

/// One method on one problem at long times.
struct LongRunAudit {
  std::string misfit = {};
  std::vector<DriftFinding> findings = {};
};

/// What a method preserves. Results are in the order of the problems of the set.
struct MethodAudit {
  Method method;
  std::string label;
  std::vector<ProblemAudit> problems;
  std::vector<LongRunAudit> long_runs;

  /// Promises that are not kept, and on witnesses also properties that are not promised.
  std::vector<Breach> breaches(const AuditSet& set) const;
  /// Whether a promise is not kept.
  bool is_broken() const;
};

/// The audit of several methods.
struct AuditReport {
  AuditSet set;
  AuditOptions options;
  std::vector<MethodAudit> methods;
  bool is_complete = true;  ///< false if it was cancelled

  bool is_broken() const;
};

/// A method with the name that tables show.
struct AuditMethod {
  Method method;
  std::string label;
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
std::string audit_precision_name();

/// One property of a method over all problems of a set that have the same promise for it.
struct PropertySummary {
  std::string property, promise;
  std::size_t problems = 0;           ///< on which it was measured
  double least = 0.0, largest = 0.0;  ///< orders or defects
  bool is_order = false;
  AuditVerdict verdict = AuditVerdict::not_measured;  ///< the worst for promises, else the best
  std::vector<std::string> where = {};  ///< problems that differ from the verdict of most, or
                                        ///< break the promise

  std::string value_text() const;
};
/// The properties of a method, without the integrals of single problems.
std::vector<PropertySummary> summarize(const MethodAudit& method, const AuditSet& set);

/// A page for the terminal: for one method a table of its properties and one of its long runs; for
/// several a table with a row for each. `details` adds every single measurement.
std::string audit_text(const AuditReport& report, bool details = false);
/// The table with a row for each method, in Markdown.
std::string audit_markdown(const AuditReport& report);
std::string audit_json(const AuditReport& report);
/// A page with the tables and pictures of everything, in one file. Pictures need gnuplot and are
/// left out without it.
std::string audit_html(const AuditReport& report);

}  // namespace dalembert
