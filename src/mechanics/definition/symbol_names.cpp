#include "symbol_names.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert {
namespace {

constexpr std::size_t longest_name = 200;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Numbers with commas between them.
bool are_indices(std::string_view text) {
  bool after_digit = false;
  for (const char c : text) {
    if (!is_digit(c) && (c != ',' || !after_digit)) return false;
    after_digit = is_digit(c);
  }
  return after_digit;
}

/// The name of an opaque function without its primes.
std::string_view without_primes(std::string_view name) {
  while (name.ends_with('\'')) name.remove_suffix(1);
  return name;
}

}  // namespace

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_symbol_name(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos) return is_identifier(name);
  return is_identifier(name.substr(0, bracket)) && name.size() <= longest_name &&
         name.ends_with(']') && are_indices(name.substr(bracket + 1, name.size() - bracket - 2));
}

void check_names_in(const Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Operation operation = graph.node(id).operation;
    const bool is_symbol = operation == Operation::symbol;
    std::string_view name = "t";
    if (is_symbol || operation == Operation::function) name = graph.name(id);
    if (operation == Operation::table) name = graph.table(id)->name();
    if (!is_symbol_name(is_symbol ? name : without_primes(name)))
      throw RequestError("an expression contains the name \"" + std::string(name.substr(0, 40)) +
                         "\"; a name is a letter followed by letters, digits and underscores");
  }
}

}  // namespace dalembert
