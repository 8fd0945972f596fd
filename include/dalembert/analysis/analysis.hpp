#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"
#include "dalembert/study/choice/asked_study.hpp"
#include "dalembert/study/page/page.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Signals between an analysis and those who wait for it.
struct AnalysisWatch {
  std::atomic<bool>* cancelled = nullptr;            ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps, searches or methods
  std::size_t threads = 1;                           ///< change no bit of the result

  /// True if the analysis is to stop.
  bool is_cancelled() const { return cancelled != nullptr && *cancelled; }
};

/// Forms of what was found, each made where it is asked for, and sentences on what went wrong.
struct AnalysisReport {
  std::function<std::string(std::size_t width)> text;  ///< for people; width 0: without limit
  std::function<std::string()> json = {}, csv = {};    ///< texts of files; empty for none
  std::function<Picture()> picture = {};               ///< empty for none
  std::function<std::vector<RunTable>()> tables;  ///< for HDF5 and Python; they refer to the report
  std::function<std::string(std::size_t table)> text_of_table = {};  ///< else the text of all
  std::vector<std::string> told = {};      ///< in detail, for those who want to know more
  std::string measured = "analysed";       ///< work done, in words: "3 methods measured"
  std::vector<std::string> warnings = {};  ///< sentences that leave the exit code as it is
  std::vector<std::string> broken = {};    ///< promises that are not kept
  std::vector<std::string> failed = {};    ///< runs in which the solver failed
  std::vector<std::string> refused = {};   ///< runs or methods that cannot be analysed
  bool is_empty = false;                   ///< true if nothing was found
};

/// Options for planning an analysis.
struct AnalysisPlanning {
  PlanningWatch watch = {};        ///< called before each run is planned
  bool leaves_out_misfits = true;  ///< else a method that does not fit is a RequestError
  bool one_run = false;            ///< more than one run is a RequestError
};

/// An analysis of a study, before anything is computed.
struct PlannedAnalysis {
  double work = 0.0;      ///< end of AnalysisWatch::steps_done, 0 where nothing is counted
  std::string says = {};  ///< work being done, for a waiting line
  std::vector<RunPlan> plans = {};  ///< runs that are analysed, if it has them
  /// Checks that the picture can be drawn; the file may be checked by all.
  std::function<void(const std::filesystem::path& path)> check_picture = {};
  /// Computes the analysis.
  std::function<AnalysisReport(const AnalysisWatch& watch)> report = {};
};

/// Options of a command that say what is run, each as the sentence of its help; an option without
/// a sentence does not exist.
struct RunOptionWords {
  /// STUDY
  std::string study =
      "Study file, name of a published study, or (with --method) a problem's name or file";
  std::string set = "Change a value, as parameters.epsilon=0.5",               ///< --set
      method = "A method, as dla01 or \"gauss(stages=3)\" (may be repeated)",  ///< --method
      start = "The name of the start (default: the problem's first)",          ///< --start
      threads = {};                                                            ///< --threads
  /// Keys of [run] that are options, each with a sentence, or "" for that of its page.
  std::vector<std::pair<std::string, std::string>> run = {};
};

/// An analysis of studies: a page of keys, and a function from a study to a report. The command
/// line, its completion and manual, and Python take it from the list of analyses.
struct Analysis {
  PageInfo page;           ///< its name is that of the command and of the table in a study
  RunOptionWords options;  ///< of its command
  std::string footer;      ///< examples, as the command line shows them
  std::string told = "nothing more";  ///< content of --verbose, as an object of a sentence
  std::string interrupted;            ///< end of the sentence on an interruption
  std::string json, csv, picture;     ///< contents of these, as objects of a sentence; "" for none
  bool has_plot_options = false;      ///< its picture shows quantities and paths as runs do
  /// Completes what is asked for, as with a step and an end of its own.
  std::function<void(AskedStudy& asked)> complete = {};
  /// Plans the analysis of a study. RequestError where the study cannot be analysed.
  std::function<PlannedAnalysis(const Study& study, const AnalysisPlanning& planning)> plan;
};

/// The analyses, in the order in which they are listed.
const std::vector<Analysis>& analyses();
/// One of them by its name; RequestError where there is none.
const Analysis& analysis_named(const std::string& name);

}  // namespace dalembert::study
