#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/report/audit_set.hpp"

namespace dalembert::study {

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
  /// Why nothing is measured on the problem, although the method fits: its equations have pieces.
  std::string unmeasured = {};
  double time = 0.0;  ///< up to which it was measured; see AuditProblem::time
};

/// One method on one problem at long times.
struct LongRunAudit {
  std::string misfit = {};
  std::vector<DriftFinding> findings = {};
  /// Whether the method promises to keep the energy and this run lost it, by `broken_promise` and
  /// more: where `run` warns.
  bool breaks_energy = false;
  double step = 0.0;  ///< and the number of steps of it
  std::uint64_t steps = 0;

  /// Whether this is the finding by which the promise is broken.
  bool breaks_promise(const DriftFinding& finding) const {
    return breaks_energy && finding.quantity == "energy";
  }
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
  /// Whether a long run drifts otherwise than predicted, beyond the errors of both.
  bool has_surprises() const;
};

/// The audit of several methods.
struct AuditReport {
  AuditSet set;
  AuditOptions options;
  std::vector<MethodAudit> methods;
  bool is_complete = true;  ///< false if it was cancelled

  bool is_broken() const;
  bool has_surprises() const;
};

}  // namespace dalembert::study
