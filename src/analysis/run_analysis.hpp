#pragma once
// What analyses of single runs have in common.

#include <functional>
#include <utility>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/views.hpp"

namespace dalembert::study {

/// A function that finds something of a run. RequestError where its method or its motion does not
/// allow it.
using FindOfRun = std::function<Finding(const RunPlan& plan, const AnalysisWatch& watch)>;

/// What the CSV of most of them holds.
constexpr const char* along_time = "what stands along time";

/// The options of a command that analyses the runs of a study, or of a problem with a method.
RunOptionWords words_of_runs();

/// Makes a report hold one table of all runs.
void hold(AnalysisReport& report, LabelledTable table);

/// True of a problem that is named with methods, or without; false of a study.
bool names_problem(const AskedStudy& asked);

/// The runs of a study. RequestError for an ensemble, and as the planning says.
PlannedRuns planned_runs(const Study& study, const AnalysisPlanning& planning);

/// The reasons of runs that were refused, each once.
std::vector<std::string> reasons_of(const std::vector<RefusedRun>& refused);

/// Analyses runs one after the other, until it is cancelled.
Findings analyse_runs(const FindOfRun& find, const std::vector<RunPlan>& plans,
                      const AnalysisWatch& watch);

/// An analysis of the runs of a study, one by one. `passes`: steps for each step of a run.
PlannedAnalysis plan_of_runs(const Study& study, const AnalysisPlanning& planning, double passes,
                             const FindOfRun& find, const LinesOfRun& lines = {});

/// `find(plan, options)` with options that get the signals of the watch.
template <class Options, class Find>
FindOfRun with_options(const Options& asked, Find find) {
  return [asked, find = std::move(find)](const RunPlan& plan, const AnalysisWatch& watch) {
    Options options = asked;
    options.cancelled = watch.cancelled;
    options.steps_done = watch.steps_done;
    return find(plan, options);
  };
}

}  // namespace dalembert::study
