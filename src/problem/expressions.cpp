// Expressions in problem and study files: with names, with each(), with a place for complaints.
#include "dalembert/problem/expressions.hpp"

#include <cctype>
#include <cmath>
#include <optional>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"

namespace dalembert::study {
namespace {

/// Runs `action`; what it throws about an expression or a system becomes a RequestError at the
/// node.
template <class Action>
auto at_place(const DocumentNode& node, Action action) {
  try {
    return action();
  } catch (const ParseError& error) {
    node.refuse(std::string("is wrong: ") + error.what());
  } catch (const NodeLimitError& error) {
    node.refuse(std::string("asks for too much: ") + error.what());
  }
}

/// The parts of "each(index, first, last, body)".
struct Each {
  std::string index, first, last, body;
};

std::optional<Each> read_each(const DocumentNode& node) {
  if (!node.is_text()) return std::nullopt;
  const std::string& text = as_text(node);
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos || !text.substr(begin).starts_with("each(")) return std::nullopt;
  std::vector<std::string> parts(1);
  int depth = 1;
  std::size_t at = begin + 5;
  for (; at < text.size() && depth > 0; ++at) {
    const char c = text[at];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 1 && parts.size() < 4) {
      parts.emplace_back();
    } else if (depth > 0) {
      parts.back() += c;
    }
  }
  if (depth > 0 || parts.size() != 4 || text.find_first_not_of(" \t\n", at) != std::string::npos) {
    node.refuse(
        "is wrong: a repeated entry is written as each(i, first, last, expression), alone in its "
        "text");
  }
  std::string index = parts[0];
  std::erase_if(index, [](unsigned char c) { return std::isspace(c); });
  return Each{index, parts[1], parts[2], parts[3]};
}

}  // namespace

Expr parse_expression(const DocumentNode& node, const Scope& scope) {
  if (node.is_number()) return as_number(node);
  if (!node.is_text()) node.refuse("must be a number or an expression, not " + node.found());
  return at_place(node, [&] { return parse(as_text(node), scope); });
}

Vector parse_vector_expression(const DocumentNode& node, const Scope& scope) {
  if (!node.is_text()) node.refuse("must be a vector, not " + node.found());
  return at_place(node, [&] { return parse_vector(as_text(node), scope); });
}

Vector parse_expressions(const std::vector<DocumentNode>& nodes, const Scope& scope) {
  const NodeBudget budget;
  Vector result;
  for (const DocumentNode& node : nodes) {
    const std::optional<Each> each = read_each(node);
    if (!each) {
      result.push_back(parse_expression(node, scope));
      continue;
    }
    at_place(node, [&] {
      const long first = parse_whole(each->first, scope), last = parse_whole(each->last, scope);
      if (last - first > 10000) node.refuse("repeats more than 10000 times");
      if (scope.names.contains(each->index) || scope.sizes.contains(each->index)) {
        node.refuse("uses the index \"" + each->index +
                    "\", which is already the name of something else");
      }
      Scope inner = scope;
      for (long i = first; i <= last; ++i) {
        inner.sizes[each->index] = i;
        result.push_back(parse_expression(DocumentNode{each->body, node.place, node.key}, inner));
      }
    });
  }
  return result;
}

bool is_repeated(const DocumentNode& node) { return read_each(node).has_value(); }

double parse_constant(const DocumentNode& node, const Scope& scope) {
  const Expr value = parse_expression(node, scope);
  if (!value.is_constant()) node.refuse("must be a constant");
  const double number = value.constant().high;
  if (!std::isfinite(number))
    node.refuse("is " + to_string(number) + "; it must be a finite number");
  return number;
}

long parse_whole_number(const DocumentNode& node, const Scope& scope) {
  return at_place(node, [&] { return parse_whole(as_text(node), scope); });
}

}  // namespace dalembert::study
