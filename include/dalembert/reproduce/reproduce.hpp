#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/measure/verdict.hpp"
#include "dalembert/reproduce/claims.hpp"
#include "dalembert/picture/picture.hpp"

namespace dalembert {

/// How much is computed.
struct Effort {
  bool quick = false;  ///< shorter runs and smaller ensembles, with bounds of their own
  std::size_t threads = 1;
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop
};

/// What an experiment says about one recorded claim.
struct Finding {
  std::string claim;
  std::vector<Evidence> evidence;
};

/// Numbers beside the pictures, as text.
struct ResultTable {
  std::string title;
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};
};

/// What comes of an experiment. Depends on the effort's `quick` only, not on the threads.
struct Outcome {
  std::vector<Picture> pictures = {};
  std::vector<Finding> findings = {};
  std::vector<ResultTable> tables = {};
};

/// A published experiment that can be rerun.
struct Experiment {
  std::string name;    ///< as "figure-4"
  std::string source;  ///< as "Fig. 4 and Sect. 3.1"
  std::string title;
  std::string caption;  ///< what is computed, and what of it was not in the paper
  std::function<Outcome(const Effort&)> run;
};

/// A paper with its experiments in the paper's order.
struct Paper {
  std::string number;    ///< as "000", as the claims are numbered
  std::string name;      ///< folder of its studies, as "modin-verdier-2020"
  std::string citation;  ///< authors, title, where
  std::vector<Experiment> experiments;
};

/// All papers.
const std::vector<Paper>& papers();

/// One experiment of one paper.
struct ExperimentChoice {
  const Paper* paper;
  const Experiment* experiment;
};

/// The experiments that a request names: "" for all, a paper's name or number, or
/// "paper/experiment". RequestError with the nearest name otherwise.
std::vector<ExperimentChoice> choose_experiments(const std::string& request);

/// A measured claim.
struct ClaimRow {
  ClaimRecord record;
  std::vector<Evidence> evidence;
  Verdict verdict;
  bool quick = false;

  Verdict expected() const {
    return quick ? record.quick.value_or(record.verdict) : record.verdict;
  }
  bool is_as_recorded() const { return verdict == expected(); }
};

/// An experiment that has been rerun.
struct Reproduced {
  ExperimentChoice choice;
  std::vector<Picture> pictures = {};
  std::vector<ResultTable> tables = {};
  std::vector<ClaimRow> claims = {};
  double seconds = 0.0;
};

/// Reruns one experiment and judges its claims. std::logic_error if it measures a claim that is not
/// recorded for it or leaves one out: our mistake.
Reproduced reproduce(const ExperimentChoice& choice, const Effort& effort,
                     const ClaimLibrary& library);

/// A row per claim: its number, verdict, what was measured.
std::string reproduction_text(const std::vector<Reproduced>& results);
std::string reproduction_json(const std::vector<Reproduced>& results, bool quick);

/// Writes index.html, a page per paper, and the pictures with their data as SVG and CSV.
/// OutputError where that fails.
void write_reproduction(const std::filesystem::path& directory,
                        const std::vector<Reproduced>& results, const ClaimLibrary& library,
                        bool quick);

}  // namespace dalembert
