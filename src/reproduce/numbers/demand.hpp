#pragma once
// What all numbers of a study have in common: the claim, its bounds, the study. Only for the
// sources of this room.

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/study/study_file.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// The texts of a list, or of one alone.
std::vector<std::string> read_texts(const study::DocumentNode* node,
                                    const std::vector<std::string>& otherwise);
std::optional<double> read_number(const study::DocumentNode* node);
/// The value that a word stands for; RequestError with the nearest word.
template <class Value>
Value read_word(const study::DocumentNode* node, Value otherwise,
                const std::vector<std::pair<std::string, Value>>& words) {
  if (node == nullptr) return otherwise;
  std::vector<std::string> known;
  for (const auto& [word, value] : words) {
    if (study::as_text(*node) == word) return value;
    known.push_back(word);
  }
  node->refuse("is " + node->found() + suggestion(study::as_text(*node), known));
}

/// What a claim asks of a number.
struct Demand {
  std::string claim;
  std::vector<std::string> methods;  ///< each for itself
  double least = -infinite, most = infinite;
  study::EvidenceRole role = study::EvidenceRole::both;
  std::string name = {};  ///< in a qualification
  study::DocumentNode node = {};

  bool has_bounds() const { return least > -infinite || most < infinite; }
  /// RequestError if a number decides nothing and is not only shown.
  void require_bounds() const;
  /// RequestError if there are bounds beside what gives them: "order", "is", a drift.
  void refuse_bounds_beside(const std::string& what) const;

  study::Evidence evidence(const std::string& what, double value, double uncertainty = 0.0) const {
    return {what, value, uncertainty, least, most, role, name};
  }
};

/// The keys that all numbers have.
Demand read_demand(study::TableReader& table);

/// What is common to all entries.
struct StudyEntry {
  std::string study;
  std::vector<std::string> settings, quick_settings;
  bool has_picture = true, is_quick = true;

  std::vector<std::string> all_settings(const ReproductionEffort& effort) const {
    std::vector<std::string> all = settings;
    if (effort.quick) all.insert(all.end(), quick_settings.begin(), quick_settings.end());
    return all;
  }
  /// The settings with which the study goes on for as long again.
  std::vector<std::string> twice_as_long(const study::Study& study) const;
};

/// Adds a number to those of its claim, in the order in which they are asked for.
void add(std::vector<ClaimFinding>& findings, const std::string& claim, study::Evidence evidence);

/// End of the names of numbers of longer runs.
inline constexpr const char* twice_as_long_words = ", twice as long";
/// Adds a number of a run that goes on for as long again, since the end of a run may cut off what
/// comes after it. A number that decides nothing there contradicts nothing, and is only shown.
void add_of_longer(std::vector<ClaimFinding>& findings, const std::string& claim,
                   study::Evidence evidence);

}  // namespace dalembert::reproduce
