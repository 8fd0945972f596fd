#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/analysis/finding.hpp"
#include "dalembert/study/page/page.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Signals between an analysis and those who wait for it.
struct AnalysisWatch {
  std::atomic<bool>* cancelled = nullptr;            ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps
};

/// An analysis with its keys read.
struct PreparedAnalysis {
  double passes = 1.0;  ///< steps that it takes for each step of a run
  /// Analyses a run. RequestError where that is not possible with its method or its motion.
  std::function<Finding(const RunPlan& plan, const AnalysisWatch& watch)> find;
};

/// An analysis of single runs: a page, and a function from a run to tables. The command line and
/// Python take it from the list of analyses.
struct Analysis {
  PageInfo page;              ///< its name is that of the command and of the table in a study
  std::string footer;         ///< an example, as the command line shows it
  std::string interrupted;    ///< what is left of an interrupted one, in a sentence
  std::string json, picture;  ///< what its JSON and its picture show, as objects of a sentence
  /// Reads what a study asks.
  std::function<PreparedAnalysis(const Study& study)> prepare;
  /// The lines of its picture, from the table that it found of a run.
  std::function<std::vector<FoundLine>(const RunPlan& plan, const LabelledTable& table)> lines;
};

/// The analyses, in the order in which they are listed.
const std::vector<Analysis>& analyses();
/// One of them by its name; RequestError where there is none.
const Analysis& analysis_named(const std::string& name);

/// Runs with what was found of each.
struct Findings {
  std::vector<RunPlan> plans = {};
  std::vector<Finding> findings = {};
  std::vector<std::string> refused = {};  ///< sentences on runs that cannot be analysed
};

/// Analyses runs one after the other, until it is cancelled.
Findings analyse_runs(const PreparedAnalysis& analysis, const std::vector<RunPlan>& plans,
                      const AnalysisWatch& watch);

}  // namespace dalembert::study
