#pragma once
// What is to be said of runs beside their numbers, by whoever shows them: sentences without the
// name of the run.

#include <set>
#include <span>
#include <string>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Before they begin: what their methods warn of, constraints that follow from others, multipliers
/// that stay, ends that are not met, times of records after the end.
std::set<std::string> cautions_before(const std::vector<RunPlan>& plans);

/// "run rotating, gauss": what sentences about a run begin with.
std::string run_title(const RunPlan& plan);

/// A sentence on an error that is further off than the tolerance allows; see ErrorEstimate.
std::string missed_tolerance_text(const ErrorEstimate& error);

/// A caution as results and sentences have it.
struct CautionKind {
  Caution caution;
  /// Places of its time among the diagnostics of JSON results and in the state of result files:
  /// `name` in the table `group`, or beside the tables where the group is "". Null where another
  /// result says it already.
  const char *group = nullptr, *name = nullptr;
  bool is_kept = false;  ///< true where a run that goes on does not find it again by itself
  /// Sentences on a run whose time of the caution is known; none where nothing is to be said.
  std::vector<std::string> (*sentences)(const RunPlan& plan, const RunOutcome& result);
  /// The reason with which a strict run fails that ends with this caution; "" for the sentence,
  /// null where it does not fail by it.
  const char* refusal = nullptr;
  bool is_said_by_failure = false;  ///< true where the message of a strict run has its sentence
};

/// All cautions, in the order in which they are printed: a new one is a row here, and its time is
/// set by who sees it.
std::span<const CautionKind> caution_kinds();

/// Finds the cautions that follow from all that a run has seen, whatever its method promises: those
/// out of scale, contacts that have ended, a missed tolerance.
void find_cautions(const RunPlan& plan, RunOutcome& result);

/// Sentences of the cautions of a run that may look complete and is not right.
std::vector<std::string> run_cautions(const RunPlan& plan, const RunOutcome& result);

}  // namespace dalembert::study
