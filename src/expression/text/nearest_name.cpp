#include "dalembert/expression/text/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace dalembert {
namespace {

/// The letters, small, and the digits: capitals and signs are no slips.
std::string plain_letters(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto character = static_cast<unsigned char>(c);
    if (std::isalnum(character) != 0) result += static_cast<char>(std::tolower(character));
  }
  return result;
}

/// Letters to insert, remove, replace, or exchange with their neighbour: the optimal string
/// alignment.
std::size_t spelling_distance(std::string_view x, std::string_view y) {
  const std::size_t width = y.size() + 1;
  std::vector<std::size_t> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t replaced = last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[y.size()];
}

/// How many slips of spelling a name of that length may have.
std::size_t most_slips(std::size_t length) {
  constexpr std::size_t short_name = 4, middle_name = 8;
  return length <= short_name ? 1 : length <= middle_name ? 2 : length / 3;
}

bool one_begins_the_other(std::string_view x, std::string_view y) {
  constexpr std::size_t least = 3;
  return std::min(x.size(), y.size()) >= least && (x.starts_with(y) || y.starts_with(x));
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = plain_letters(name);
  const std::size_t most = most_slips(wanted.size());
  std::string best;
  std::pair<std::size_t, std::size_t> best_distance{most + 2, 0};
  for (const std::string& candidate : candidates) {
    const std::string known = plain_letters(candidate);
    std::size_t distance = spelling_distance(wanted, known);
    // In a name of one or two letters one slip would be everything.
    if (distance >= std::max(wanted.size(), known.size())) continue;
    if (distance > most) {
      if (!one_begins_the_other(wanted, known)) continue;
      distance = most + 1;
    }
    // Of several, the one that is nearest as it is written.
    const std::pair found{distance, spelling_distance(name, candidate)};
    if (found >= best_distance) continue;
    best = candidate;
    best_distance = found;
  }
  return best;
}

std::string_view meant_by(std::string_view name, OtherNames others) {
  for (const auto& [other, own] : others)
    if (name == other) return own;
  return {};
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  if (candidates.empty()) return "; there are none";
  std::string known;
  for (const std::string& candidate : candidates) known += (known.empty() ? "" : ", ") + candidate;
  return "; known are " + known;
}

}  // namespace dalembert
