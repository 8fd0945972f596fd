#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/claims/verdict.hpp"
#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// A published statement with the verdict that measurements have earned it so far.
struct ClaimRecord {
  std::string id;          ///< as "003-B.5": number of the paper, statement, part
  std::string paper;       ///< folder of the paper's studies
  std::string experiment;  ///< experiment of the paper that measures it
  std::string source;      ///< section, equation or figure
  std::string statement;   ///< in our words
  /// The methods and problems of the library that it is about, by name.
  std::vector<std::string> about = {};
  Verdict verdict = Verdict::holds;  ///< of the measurements
  /// The part that remains, or the reason why it fails; {name} stands for the measured number of
  /// that name.
  std::string qualification = {};
  std::optional<Verdict> quick = {};  ///< verdict of short runs, if another
};

/// A misprint or slip of a paper, with what is right.
struct Misprint {
  std::string paper, where, text;  ///< folder of its studies, place in it, sentences
};

/// Records about all papers.
struct ClaimLibrary {
  std::vector<ClaimRecord> claims;  ///< in the order of the papers
  std::vector<Misprint> misprints;  ///< likewise
};

/// An experiment as it is recorded beside the claims that it measures.
struct ExperimentRecord {
  std::string name, source, title, caption;  ///< see Experiment
  /// Measurements on studies, each with the numbers that claims ask for; doc/reproduce.md has the
  /// keys.
  std::vector<DocumentNode> studies = {};
  Place place = {};  ///< of its table
};

/// Records about a paper: studies/PAPER/paper.toml.
struct PaperFile {
  std::string number, name, citation;              ///< see Paper
  std::vector<ExperimentRecord> experiments = {};  ///< in the order of the file
  std::vector<ClaimRecord> claims = {};            ///< of different numbers
  std::vector<Misprint> misprints = {};            ///< of the paper
};

/// The papers of the data directory, by number. OutputError if one cannot be read; RequestError
/// with file and line for what is wrong in it.
std::vector<PaperFile> read_papers();
/// One of them from a document. RequestError.
PaperFile read_paper(const DocumentNode& document, const std::string& name);

/// The records of the files of all papers. OutputError if one cannot be read; RequestError with
/// file and line for what is wrong in it.
ClaimLibrary read_claims();

/// Those about a method or a problem of the library, in the order of the library.
std::vector<ClaimRecord> claims_about(const ClaimLibrary& library, const std::string& name);

/// Their numbers by verdict, "holds: 000-A.1, 000-A.2", a line for each verdict that occurs.
std::vector<std::string> verdict_lines(const std::vector<ClaimRecord>& claims);

}  // namespace dalembert::study
