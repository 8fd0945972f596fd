#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/reproduce/verdict.hpp"

namespace dalembert::reproduce {

/// A published statement with the verdict that measurements have earned it so far.
struct ClaimRecord {
  std::string id;          ///< as "003-B.5": number of the paper, statement, part
  std::string paper;       ///< folder of the paper's studies
  std::string experiment;  ///< what measures it
  std::string source;      ///< section, equation or figure
  std::string statement;   ///< in our words
  Verdict verdict = Verdict::holds;
  /// What remains of it, or why it fails; {name} stands for the measured number of that name.
  std::string qualification = {};
  std::optional<Verdict> quick = {};  ///< where short runs cannot tell as much
};

/// A misprint or slip of a paper, with what is right.
struct Misprint {
  std::string paper, where, text;
};

/// What is recorded about the papers.
struct ClaimLibrary {
  std::vector<ClaimRecord> claims;
  std::vector<Misprint> misprints;
};

/// What the files of all papers record. OutputError if one cannot be read; RequestError with file
/// and line for what is wrong in it.
ClaimLibrary read_claims();

}  // namespace dalembert::reproduce
