#pragma once

#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/reproduce/claims.hpp"

namespace dalembert::reproduce {

/// An experiment as it is recorded beside the claims that it measures.
struct ExperimentRecord {
  std::string name, source, title, caption;  ///< see Experiment
  /// What is measured on studies, each with the numbers that claims ask for; doc/reproduce.md has
  /// the keys.
  std::vector<study::DocumentNode> studies = {};
  study::Place place = {};
};

/// What is recorded about a paper: studies/PAPER/paper.toml.
struct PaperFile {
  std::string number, name, citation;  ///< see Paper
  std::vector<ExperimentRecord> experiments = {};
  std::vector<ClaimRecord> claims = {};
  std::vector<Misprint> misprints = {};
};

/// The papers of the data directory, by number. OutputError if one cannot be read; RequestError
/// with file and line for what is wrong in it.
std::vector<PaperFile> read_papers();
/// One of them from a document. RequestError.
PaperFile read_paper(const study::DocumentNode& document, const std::string& name);

}  // namespace dalembert::reproduce
