#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/claims/verdict.hpp"
#include "dalembert/picture/picture.hpp"

namespace dalembert::reproduce {

/// How much is computed.
struct ReproductionEffort {
  bool quick = false;  ///< shorter runs and smaller ensembles, with bounds of their own
  std::size_t threads = 1;
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop
};

/// What an experiment says about one recorded claim.
struct ClaimFinding {
  std::string claim;
  std::vector<study::Evidence> evidence;
};

/// Numbers beside the pictures, as text.
struct ResultTable {
  std::string title;
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};
};

/// What comes of an experiment. Depends on the effort's `quick` only, not on the threads.
struct ExperimentOutcome {
  std::vector<study::Picture> pictures = {};
  std::vector<ClaimFinding> findings = {};
  std::vector<ResultTable> tables = {};
};

/// What of an experiment only code can measure.
using ExperimentCode = std::function<ExperimentOutcome(const ReproductionEffort&)>;

/// A published experiment that can be rerun.
struct Experiment {
  std::string name;    ///< as "figure-4"
  std::string source;  ///< as "Fig. 4 and Sect. 3.1"
  std::string title;
  std::string caption;  ///< what is computed, and what of it was not in the paper
  ExperimentCode run;
};

/// A paper with its experiments in the paper's order.
struct Paper {
  std::string number;    ///< as "000", as the claims are numbered
  std::string name;      ///< folder of its studies, as "modin-verdier-2020"
  std::string citation;  ///< authors, title, where
  std::vector<Experiment> experiments;
};

}  // namespace dalembert::reproduce
