#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

/// Options of an audit.
struct AuditOptions {
  bool full = false;                       ///< long runs as long as the set says for a full audit
  std::size_t threads = 1;                 ///< change no bit of the result
  std::atomic<bool>* cancelled = nullptr;  ///< set it to end the audit early, without a result
  std::atomic<std::uint64_t>* done = nullptr;  ///< counts finished measurements
};

/// One method on one problem at short times.
struct ProblemAudit {
  std::string misfit = {};  ///< reason against using the method on the problem; then no findings
  std::vector<AuditFinding> findings = {};  ///< orders and defects, by property
  /// Reason for measuring nothing on the problem, although the method fits: its equations have
  /// pieces.
  std::string unmeasured = {};
  double time = 0.0;  ///< up to which it was measured; see AuditProblem::time
};

/// One method on one problem at long times.
struct LongRunAudit {
  std::string misfit = {};                  ///< as ProblemAudit::misfit
  std::vector<DriftFinding> findings = {};  ///< one for each followed quantity
  /// True if the method promises to keep the energy and this run lost it, by `broken_promise` and
  /// more: where `run` warns.
  bool breaks_energy = false;
  double step = 0.0;        ///< step size h, in the unit of time of the problem
  std::uint64_t steps = 0;  ///< number of steps of this size

  /// True if this is the finding by which the promise is broken.
  bool breaks_promise(const DriftFinding& finding) const {
    return breaks_energy && finding.quantity == "energy";
  }
};

/// Properties that a method preserves. Results are in the order of the problems of the set.
struct MethodAudit {
  Method method;                        ///< with its options
  std::string label;                    ///< as tables show it
  std::vector<ProblemAudit> problems;   ///< one for each of AuditSet::problems
  std::vector<LongRunAudit> long_runs;  ///< one for each of AuditSet::long_runs

  /// Promises that are not kept, and on witnesses also properties that are not promised.
  std::vector<Breach> breaches(const AuditSet& set) const;
  /// True if a promise is not kept, at short times or that of the energy in a long run.
  bool is_broken() const;
  /// True if a long run drifts otherwise than predicted, beyond the errors of both.
  bool has_surprises() const;
};

/// The audit of several methods.
struct AuditReport {
  AuditSet set;                      ///< problems of the audit
  AuditOptions options;              ///< as given to run_audit
  std::vector<MethodAudit> methods;  ///< in the order in which they were given
  bool is_complete = true;           ///< false if it was cancelled

  /// True if any method breaks a promise.
  bool is_broken() const;
  /// True if a long run of any method drifts otherwise than predicted.
  bool has_surprises() const;
};

}  // namespace dalembert::study
