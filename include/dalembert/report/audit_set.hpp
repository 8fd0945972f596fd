#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/audit/drift.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"

namespace dalembert::study {

/// A problem on which methods are audited, as data: each measurement makes its own system from it,
/// so that none depends on what was measured before.
struct AuditCase {
  std::string label;               ///< name, parameters and start, as tables show it
  std::string kind;                ///< "reversible, integrable", "nonlinear constraint", ...
  ProblemFile file;                ///< the problem as read
  Sizes sizes;                     ///< complete
  StartEntry start;                ///< of the problem
  std::vector<double> parameters;  ///< all, in the order of the problem
  double time = 1.0;               ///< unit of time, see AuditProblem
  bool is_witness = false;         ///< see AuditProblem::is_witness
  /// Methods whose code for this problem is so large that they are left out.
  std::vector<std::string> leave_out = {};

  /// A fresh system with the start.
  AuditProblem make() const;
};

/// A problem on which methods run for long.
struct LongRunCase {
  AuditCase problem;  ///< with its start and parameters
  /// Step size, final times of a quick and of a full audit, and window of the running means that
  /// pictures show, all in the unit of time of the problem.
  double step = 0.1, quick_until = 3000.0, full_until = 30000.0, window = 30.0;

  /// The long run on a fresh system, with the final time of a quick or a full audit.
  LongRun make(bool full) const;
};

/// The problems of an audit.
struct AuditSet {
  std::string title;                   ///< of the page
  std::vector<AuditCase> problems;     ///< measured at short times
  std::vector<LongRunCase> long_runs;  ///< measured at long times
};

/// Reads a file like studies/audit.toml; see doc/audit.md. RequestError for anything wrong.
AuditSet read_audit_set(const std::filesystem::path& path);

/// The set that the library brings: studies/audit.toml.
AuditSet standard_audit_set();

/// A set of the user's choice: problems of the library or paths of problem files, each with its
/// first start or, as "name:start", with that one. They are measured at short and, where something
/// is conserved, over long times with step 0.1. RequestError as for files.
AuditSet audit_set_of(const std::vector<std::string>& problems);
/// A set of every start of one problem, such as one made in code, measured likewise. RequestError
/// if it has no start.
AuditSet audit_set_of(const ProblemFile& problem);

}  // namespace dalembert::study
