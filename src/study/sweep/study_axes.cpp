#include "dalembert/study/sweep/study_axes.hpp"

#include <algorithm>
#include <optional>

#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/sweep/swept_key.hpp"

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

StudyAxis axis_of_values(const std::string& name, const std::vector<DocumentNode>& values) {
  StudyAxis axis{name, {}};
  for (const DocumentNode& value : values) {
    axis.texts.push_back(compact(value));
    if (const auto number = number_in(value)) axis.numbers.push_back(*number);
  }
  if (axis.numbers.size() != axis.size()) axis.numbers.clear();
  return axis;
}

/// Labels of methods, or their names where a swept option is part of the label.
StudyAxis method_axis(const Study& study) {
  StudyAxis axis{"method", {}};
  for (std::size_t i = 0; i < study.methods.size(); ++i) {
    const MethodChoice& method = study.methods[i];
    const bool is_same = std::ranges::all_of(study.variants, [&](const Study& variant) {
      return variant.methods[i].label == method.label;
    });
    axis.texts.push_back(is_same ? method.label : method.spec.name);
  }
  return axis;
}

}  // namespace

SweptValue swept_value(const SweptKey& key, std::size_t index) {
  const DocumentNode& value = key.values[index];
  return {key.name, compact(value), number_in(value)};
}

std::vector<StudyAxis> study_axes(const Study& study) {
  std::vector<StudyAxis> axes;
  for (const SweptKey& key : study.sweep) axes.push_back(axis_of_values(key.name, key.values));
  if (!study.ensemble) {
    StudyAxis starts{"start", {}};
    for (const StartEntry& start : study.starts) starts.texts.push_back(start.name);
    axes.push_back(std::move(starts));
  }
  for (const ParameterChoice& choice : study.parameters) {
    const bool is_swept = std::ranges::any_of(
        study.sweep, [&](const SweptKey& key) { return key.key == "parameters." + choice.name; });
    if (!is_swept) axes.push_back(axis_of_values(choice.name, choice.values));
  }
  axes.push_back(method_axis(study));
  const bool is_step_swept =
      std::ranges::any_of(study.sweep, [](const SweptKey& key) { return key.key == "run.step"; });
  if (study.tolerance || is_step_swept) return axes;
  StudyAxis steps{"step", {}, study.steps};
  for (const double step : study.steps) steps.texts.push_back(to_string(step));
  axes.push_back(std::move(steps));
  return axes;
}

std::vector<std::size_t> place_of(std::size_t index, const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> place(counts.size());
  for (std::size_t i = counts.size(); i-- > 0;) {
    place[i] = index % counts[i];
    index /= counts[i];
  }
  return place;
}

}  // namespace dalembert::study
