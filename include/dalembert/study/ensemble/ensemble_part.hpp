#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/measure/sample/sample_moments.hpp"

namespace dalembert::study {

/// Part `number` of `of` parts of an ensemble: a range of its members, which begins at a block of
/// members (see MomentTree). Parts of one ensemble differ by at most one block.
struct EnsemblePart {
  std::uint64_t number = 1, of = 1;  ///< from 1 on
  std::uint64_t first = 0, end = 0;  ///< its members are [first, end)
  std::uint64_t members_of_all = 0;  ///< members of the whole ensemble

  /// The number of the block of members with which the part begins, from 0.
  std::uint64_t first_block() const { return first / members_per_block; }
  /// The nodes of moments of its members; see MomentTree::nodes_of.
  std::vector<MomentTree::Node> nodes() const;
  /// As it is written: "3/64".
  std::string text() const;
};

/// The part with that number of an ensemble of so many members. RequestError, without a place,
/// where there is no such part, or an ensemble has fewer blocks than parts.
EnsemblePart ensemble_part(std::uint64_t number, std::uint64_t of, std::uint64_t members);

/// The part that a text "3/64" names. Sentences follow the name of what has this text.
EnsemblePart read_ensemble_part(const std::string& text, std::uint64_t members);

/// "parts 3, 7 to 9 and 12 of 64".
std::string parts_text(const std::vector<std::uint64_t>& numbers, std::uint64_t of);

}  // namespace dalembert::study
