#include "dalembert/study/ensemble/ensemble_part.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "dalembert/error.hpp"

namespace dalembert::study {
namespace {

/// A whole number that fills a text; 0 for any other text.
std::uint64_t whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

}  // namespace

std::vector<MomentTree::Node> EnsemblePart::nodes() const {
  return MomentTree::nodes_of(first_block(), (end + members_per_block - 1) / members_per_block);
}

std::string EnsemblePart::text() const { return std::to_string(number) + "/" + std::to_string(of); }

EnsemblePart ensemble_part(std::uint64_t number, std::uint64_t of, std::uint64_t members) {
  const std::uint64_t blocks = (members + members_per_block - 1) / members_per_block;
  if (number < 1 || number > of)
    throw RequestError("there is no part " + std::to_string(number) + " of " + std::to_string(of));
  if (of > blocks) {
    throw RequestError(std::to_string(members) + " members make at most " + std::to_string(blocks) +
                       (blocks == 1 ? " part" : " parts") + " of " +
                       std::to_string(members_per_block) + " members, not " + std::to_string(of));
  }
  // Neither product overflows: a part is at least a block, and members are no more than 1e7.
  const auto begin = [&](std::uint64_t k) {
    return std::min<std::uint64_t>(k * blocks / of * members_per_block, members);
  };
  return {number, of, begin(number - 1), begin(number), members};
}

EnsemblePart read_ensemble_part(const std::string& text, std::uint64_t members) {
  const std::size_t slash = text.find('/');
  const std::uint64_t number = whole_number(text.substr(0, slash)),
                      of = slash == std::string::npos ? 0 : whole_number(text.substr(slash + 1));
  if (number == 0 || of == 0)
    throw RequestError("must be a number of a part and of how many, as 3/64, not \"" + text + "\"");
  try {
    return ensemble_part(number, of, members);
  } catch (const RequestError& error) {
    throw RequestError("cannot be " + text + ": " + error.what());
  }
}

std::string parts_text(const std::vector<std::uint64_t>& numbers, std::uint64_t of) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    std::string range = std::to_string(numbers[i]);
    if (last == i + 1) {
      ranges.push_back(range);
      range = std::to_string(numbers[last]);
    } else if (last > i) {
      range += " to " + std::to_string(numbers[last]);
    }
    ranges.push_back(range);
    i = last + 1;
  }
  std::string text = numbers.size() == 1 ? "part " : "parts ";
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const bool is_last = i + 1 == ranges.size();
    text += (i == 0 ? "" : is_last ? " and " : ", ") + ranges[i];
  }
  return text + " of " + std::to_string(of);
}

}  // namespace dalembert::study
