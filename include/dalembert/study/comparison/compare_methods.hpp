#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/drift.hpp"
#include "dalembert/measure/trend.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Cost that the picture of a comparison shows: time [s], evaluations, or the step size.
enum class CostAxis { time, evaluations, step };

/// Options for the comparison of methods.
struct ComparisonOptions {
  std::size_t levels = 7;  ///< steps of a method, each half of the one before
  /// Starts each method with the largest step with which it follows the motion at all, instead of
  /// the steps of the study. Always so where the study has a tolerance.
  bool chooses_steps = false;
  std::optional<double> horizon = {};  ///< up to where the solution is compared; else by the motion
  double longest = 5.0;                ///< seconds: runs that would take longer are left out
  double error = 1e-3;       ///< of q and v: the table shows the largest steps that have it
  bool all_methods = false;  ///< methods_to_compare replaces the methods of the study
  CostAxis against = CostAxis::time;       ///< cost that the picture shows
  std::size_t threads = 1;                 ///< methods measured at a time, at most
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop; methods then have fewer runs
  std::atomic<std::uint64_t>* methods_done = nullptr;  ///< counts measured methods
};

/// Error and drift of a quantity that the motion keeps.
struct KeptQuantity {
  double error = 0.0;                              ///< the largest change over all steps
  std::optional<Estimate> drift = {};              ///< change per time, with its interval of 95 %
  DriftVerdict verdict = DriftVerdict::undecided;  ///< of it, as judge_drift says
  /// The largest drift that its interval allows; nan where none could be fitted.
  double largest_drift() const;
};

/// A method with one step.
struct ComparedRun {
  double step = 0.0;  ///< step size h, in the unit of time of the problem
  /// The largest difference of q and v to the reference up to the horizon, relative to one plus
  /// their size; nan where the method did not get there.
  double solution_error = 0.0;
  std::vector<KeptQuantity> kept = {};      ///< in the order of Comparison::kept
  double constraint = 0.0;                  ///< largest over all steps
  double evaluations = 0.0, seconds = 0.0;  ///< of the whole run; seconds of its steps alone
  RunResult::Status status = RunResult::Status::interrupted;  ///< of the whole run
  std::string message = {};                                   ///< as RunResult::message
  std::vector<std::string> cautions = {};  ///< reasons to distrust its numbers; see run_cautions
};

/// A method with its steps, the largest first.
struct ComparedMethod {
  RunPlan plan;                        ///< with the largest step that is tried first
  std::vector<ComparedRun> runs = {};  ///< one for each step that was taken
  std::string message = {};            ///< reason for having no runs, or no smaller steps
};

/// Methods side by side on one motion.
struct Comparison {
  std::string problem, start;            ///< names
  double until = 0.0;                    ///< end of the runs
  double horizon = 0.0;                  ///< the solution is compared with the reference up to here
  double reference_error = 0.0;          ///< of the reference itself, by halving its step
  std::string reference;                 ///< its method and step
  std::vector<std::string> kept;         ///< names of what the motion keeps: energy, integrals
  bool has_constraints = false;          ///< true if the system has multipliers
  std::vector<ComparedMethod> methods;   ///< in the order of the study
  std::vector<RefusedRun> refused = {};  ///< methods that do not fit, or cannot begin at the start
};

/// Runs every method of a study with several steps: how accurate it is over the first part of the
/// motion, what becomes of everything that the motion keeps over all of it, and what it costs. The
/// solution is compared up to `horizon`, some sixty times the largest step with which Gauss' method
/// of order 12 is accurate almost to round-off at the start. RequestError for a study with several
/// starts, parameters or swept values, or an ensemble, and as plan_runs.
Comparison compare_methods(const Study& study, const ComparisonOptions& options,
                           const PlanningWatch& watch = {});

/// The methods of the library that fit the study's problem with their default options, without
/// those made for groups where it has none (there they are others of the list).
std::vector<MethodChoice> methods_to_compare(const Study& study);

}  // namespace dalembert::study
