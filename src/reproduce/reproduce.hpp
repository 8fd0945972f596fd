#pragma once

#include <string>
#include <vector>

#include "dalembert/claims/paper_file.hpp"
#include "dalembert/claims/verdict.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// All papers.
const std::vector<Paper>& papers();

/// One experiment of one paper.
struct ExperimentChoice {
  const Paper* paper;
  const Experiment* experiment;
};

/// The experiments that a request names: "" for all, a paper's name or number, "paper/experiment",
/// or the number of a claim for the one that measures it. RequestError with the nearest name
/// otherwise.
std::vector<ExperimentChoice> choose_experiments(const std::string& request);

/// A measured claim.
struct ClaimRow {
  study::ClaimRecord record;
  std::vector<study::Evidence> evidence;
  study::Verdict verdict;
  bool quick = false;

  study::Verdict expected() const {
    return quick ? record.quick.value_or(record.verdict) : record.verdict;
  }
  bool is_as_recorded() const { return verdict == expected(); }
  /// The qualification with its numbers filled in; empty where the verdict needs none, and where a
  /// short run could not tell what the full one says in it.
  std::string qualification() const;
};

/// An experiment that has been rerun.
struct Reproduced {
  ExperimentChoice choice;
  std::vector<study::Picture> pictures = {};
  std::vector<ResultTable> tables = {};
  std::vector<ClaimRow> claims = {};
  double seconds = 0.0;
};

/// Reruns one experiment and judges its claims. RequestError if it measures a claim that is not
/// recorded for it or leaves one out, if a qualification mentions a number that no evidence has,
/// and if its studies lack what it asks of them.
Reproduced reproduce(const ExperimentChoice& choice, const ReproductionEffort& effort,
                     const study::ClaimLibrary& library);

}  // namespace dalembert::reproduce
