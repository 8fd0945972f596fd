#include "dalembert/study/pieces_text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t most_named = 4;

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The words of a text that are followed by an opening parenthesis.
std::vector<std::string> called_functions(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    std::size_t end = at;
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_letter(text[begin - 1])) --begin;
    words.emplace_back(text.substr(begin, end - begin));
  }
  return words;
}

/// The functions with pieces in texts, each with its line: "min, line 12".
class PieceNames {
 public:
  explicit PieceNames(const ProblemFile& problem)
      : functions_{"min", "max", "piecewise", "abs", "sign", "floor"} {
    for (const TablePointer& table : problem.tables) functions_.push_back(table->name());
  }

  void add(const DocumentNode& node) {
    if (node.is_array()) {
      for (const DocumentNode& entry : node.array()) add(entry);
    } else if (node.is_text()) {
      for (const std::string& word : called_functions(as_text(node))) add(word, node.place);
    }
  }
  void add(const std::vector<std::pair<std::string, DocumentNode>>& entries) {
    for (const auto& [name, node] : entries) add(node);
  }

  /// " (min, line 12; abs, line 14)", or nothing.
  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(names_.size(), most_named); ++i)
      text += (i == 0 ? " (" : "; ") + names_[i];
    if (names_.size() > most_named) text += "; ...";
    return text.empty() ? text : text + ")";
  }

 private:
  void add(const std::string& word, const Place& place) {
    if (std::find(functions_.begin(), functions_.end(), word) == functions_.end()) return;
    const std::string name = place.line == 0 ? word : word + ", line " + std::to_string(place.line);
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }

  std::vector<std::string> functions_, names_;
};

void add_part(PieceNames& names, const ProblemFile& problem, const std::string& part) {
  if (part == "potential" && problem.potential) names.add(*problem.potential);
  if (part == "kinetic energy" && problem.kinetic) names.add(*problem.kinetic);
  if (part == "Lagrangian" && problem.lagrangian) names.add(*problem.lagrangian);
  if (part == "force") names.add(problem.force);
  if (problem.skew_gradient) {
    names.add(problem.skew_gradient->hamiltonian);
    for (const DocumentNode& row : problem.skew_gradient->matrix) names.add(row);
  }
  if (part != "constraints") return;
  for (const auto* list : {&problem.constraints, &problem.holonomic}) {
    for (const ConstraintEntry& entry : *list) names.add(entry.expression);
  }
}

}  // namespace

std::string named_pieces_text(const ProblemFile& problem, const Switch& found) {
  PieceNames names(problem);
  add_part(names, problem, found.part);
  names.add(problem.definitions);
  const bool is_plural = found.part == "constraints";
  return "the " + found.part + (is_plural ? " have" : " has") + " pieces" + names.text();
}

std::string pieces_text(const ProblemFile& problem, const Switch& found) {
  return named_pieces_text(problem, found) +
         ", and the motion from the start comes to one at t = " + to_string(found.t);
}

}  // namespace dalembert::study
