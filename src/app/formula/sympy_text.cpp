#include "sympy_text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/page/page_text.hpp"
#include "dalembert/expression/notation/sympy.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert::app {
namespace {

constexpr std::size_t longest_line = 100;

/// The words of a text that can be identifiers.
std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

}  // namespace

ExpressionNames names_in(const Vector& expressions) {
  ExpressionNames names;
  for (const Expr& expression : expressions) {
    if (expression.is_constant()) continue;
    const Graph& graph = *expression.graph();
    for (const NodeId id : reachable(graph, {expression.id()})) {
      const Node& node = graph.node(id);
      if (node.operation == Operation::symbol) names.symbols.insert(graph.name(id));
      if (node.operation == Operation::table) names.functions.insert(graph.table(id)->name());
      if (node.operation == Operation::function)
        names.functions.insert(graph.name(id).substr(0, graph.name(id).find('\'')));
    }
  }
  return names;
}

std::string import_text(const std::string& script) {
  const std::set<std::string> used = words_in(script);
  std::vector<std::string> names{"Function", "diff"};
  names.insert(names.end(), sympy_functions().begin(), sympy_functions().end());
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) {
    if (used.contains(name)) text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "\n" : "from sympy import " + text + "\n\n";
}

std::string symbol_text(const std::string& name, const std::string& facts) {
  return sympy_name(name) + " = Symbol(\"" + sympy_name(name) + "\", " + facts + ")\n";
}

std::string function_text(const std::string& name) {
  return sympy_name(name) + " = Function(\"" + sympy_name(name) + "\")\n";
}

std::string list_text(const std::string& name, const std::vector<std::string>& entries,
                      const std::string& comment) {
  const std::string after = comment.empty() ? "" : "  # " + comment;
  if (entries.empty()) return name + " = []" + after + "\n";
  const std::string line = name + " = [" + joined(entries) + "]" + after + "\n";
  if (line.size() <= longest_line) return line;
  std::string text = name + " = [" + after + "\n";
  for (const std::string& entry : entries) text += "    " + entry + ",\n";
  return text + "]\n";
}

std::vector<std::string> sympy_texts(const Vector& expressions) {
  std::vector<std::string> texts;
  for (const Expr& expression : expressions) texts.push_back(to_sympy(expression));
  return texts;
}

std::vector<std::string> sympy_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(sympy_name(name));
  return result;
}

}  // namespace dalembert::app
