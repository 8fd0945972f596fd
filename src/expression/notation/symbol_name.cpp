#include "symbol_name.hpp"

#include <algorithm>
#include <cctype>

#include "dalembert/expression/notation/greek.hpp"
#include "dalembert/expression/text/split.hpp"

namespace dalembert {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_one_letter(std::string_view text) {
  return text.size() == 1 || !greek_letter(text).empty();
}

/// Takes the ending from the text if it is there and something stands before it.
bool take_ending(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending) || text.size() == ending.size()) return false;
  text.remove_suffix(ending.size());
  return true;
}

/// The indices of "[1,2]" at the end of a name.
std::vector<std::string> take_entry(std::string_view& name) {
  const std::size_t begin = name.find('[');
  if (begin == std::string_view::npos || begin == 0 || !name.ends_with(']')) return {};
  std::vector<std::string> indices = split(name.substr(begin + 1, name.size() - begin - 2), ',');
  name = name.substr(0, begin);
  return indices;
}

/// Whether what follows the first word of a name can stand below it.
bool are_indices(std::string_view base, const std::vector<std::string>& words) {
  return std::ranges::all_of(words, [base](const std::string& word) {
    if (word.empty()) return false;
    return is_one_letter(base) || is_one_letter(word) || std::ranges::all_of(word, is_digit);
  });
}

}  // namespace

SymbolName read_symbol_name(std::string_view name) {
  SymbolName result;
  while (take_ending(name, "'")) ++result.primes;
  const std::vector<std::string> entry = take_entry(name);
  if (take_ending(name, "_dot")) result.dots = 1;
  if (result.dots == 0 && take_ending(name, "_ddot")) result.dots = 2;
  std::vector<std::string> words = split(name, '_');
  std::string_view first = words.front();
  const std::size_t letters = first.find_last_not_of("0123456789") + 1;
  if (letters == 0) {  // no name of a problem, or one that begins with an underscore
    words = {std::string(name)};
    first = words.front();
  } else if (letters < first.size()) {
    words.insert(words.begin() + 1, std::string(first.substr(letters)));
    words.front().resize(letters);
  }
  result.base = words.front();
  words.erase(words.begin());
  if (are_indices(result.base, words)) {
    result.indices = words;
  } else {
    result.base = name;
  }
  result.indices.insert(result.indices.end(), entry.begin(), entry.end());
  return result;
}

}  // namespace dalembert
