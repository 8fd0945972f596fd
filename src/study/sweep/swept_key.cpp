#include "dalembert/study/sweep/swept_key.hpp"

#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

/// Without spaces, so that it can stand in the label of a run.
std::string compact(const DocumentNode& node) {
  if (node.is_text()) return as_text(node);
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&node.value)) return to_string(*number);
  if (const auto* boolean = std::get_if<bool>(&node.value)) return *boolean ? "true" : "false";
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ",") + part; };
  if (node.is_array()) {
    for (const DocumentNode& entry : node.array()) add(compact(entry));
    return "[" + text + "]";
  }
  for (const auto& [name, entry] : node.table()) add(name + "=" + compact(entry));
  return "{" + text + "}";
}

std::optional<double> number_in(const DocumentNode& node) {
  if (node.is_number()) return as_number(node);
  if (!node.is_text()) return std::nullopt;
  try {
    return parse_constant(node);
  } catch (const RequestError&) {
    return std::nullopt;  // the name of a method, say
  }
}

}  // namespace

SweptValue swept_value(const std::string& name, const DocumentNode& value) {
  return {name, compact(value), number_in(value)};
}

}  // namespace dalembert::study
