#include "dalembert/study/sweep/study_axes.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/study/sweep/swept_key.hpp"

namespace dalembert::study {
namespace {

StudyAxis axis_of_values(const std::string& name, const std::vector<DocumentNode>& values) {
  StudyAxis axis{name, {}};
  for (const DocumentNode& value : values) {
    const SweptValue shown = swept_value(name, value);
    axis.texts.push_back(shown.text);
    if (shown.number) axis.numbers.push_back(*shown.number);
  }
  if (axis.numbers.size() != axis.size()) axis.numbers.clear();
  return axis;
}

/// Labels of methods, or numbers of those that are swept.
StudyAxis method_axis(const Study& study) {
  StudyAxis axis{"method", {}};
  for (std::size_t i = 0; i < study.methods.size(); ++i) {
    const std::string& label = study.methods[i].label;
    const bool is_same = std::ranges::all_of(
        study.variants, [&](const Study& variant) { return variant.methods[i].label == label; });
    axis.texts.push_back(is_same ? label : "method " + std::to_string(i + 1));
  }
  return axis;
}

/// A name for a direction that none of the others has, and nothing else in a result.
std::string free_axis_name(std::string name, const std::vector<StudyAxis>& others) {
  const auto is_taken = [&] {
    return name == "start" || name == "method" || name == "step" || name == "runs" ||
           std::ranges::any_of(others, [&](const StudyAxis& axis) { return axis.name == name; });
  };
  while (is_taken()) name += "_";
  return name;
}

}  // namespace

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
    if (!is_swept) axes.push_back(axis_of_values(free_axis_name(choice.name, axes), choice.values));
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

std::size_t checked_run_count(const Study& study) {
  const double starts = study.ensemble ? 1.0 : static_cast<double>(study.starts.size());
  double count = starts * static_cast<double>(study.methods.size()) *
                 static_cast<double>(std::max<std::size_t>(1, study.steps.size())) *
                 static_cast<double>(std::max<std::size_t>(1, study.variants.size()));
  for (const ParameterChoice& choice : study.parameters)
    count *= static_cast<double>(choice.values.size());
  if (count <= static_cast<double>(limits().runs)) return static_cast<std::size_t>(count);
  throw RequestError("the study has " + to_string(count) + " runs (" +
                     (study.sweep.empty() ? "" : "swept values x ") +
                     "starts x parameters x methods x steps); at most " +
                     std::to_string(limits().runs) + " are planned, --most-runs N allows more");
}

}  // namespace dalembert::study
