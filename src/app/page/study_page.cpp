#include "study_page.hpp"

#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/study/sweep/study_axes.hpp"
#include "page_text.hpp"

namespace dalembert::app {

using namespace study;

namespace {

std::string numbers_text(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(to_string(number));
  return joined(words);
}

std::string starts_of(const Study& study) {
  if (study.ensemble) return "an ensemble of random ones";
  std::vector<std::string> names;
  for (const StartEntry& start : study.starts)
    names.push_back(start.name.empty() ? "one of its own" : start.name);
  return joined(names);
}

std::string values_text(const ParameterChoice& choice) {
  std::vector<std::string> values;
  for (const DocumentNode& value : choice.values)
    values.push_back(value.is_text() ? as_text(value) : value.found());
  return joined(values);
}

std::string followed_text(const DiagnosticChoices& choices) {
  std::vector<std::string> names;
  for (const QuantityChoice& choice : choices.quantities) names.push_back(choice.name);
  for (const auto& [name, expression] : choices.expressions) names.push_back(name);
  for (const SectionChoice& choice : choices.sections) names.push_back("section " + choice.name);
  for (const ReportChoice& choice : choices.reports)
    names.push_back(choice.kind + " of " + choice.of);
  return joined(names);
}

}  // namespace

std::string study_page(const Study& study) {
  std::vector<std::string> methods;
  for (const MethodChoice& method : study.methods) methods.push_back(method.label);
  std::string text = (study.title.empty() ? "A study" : study.title) + "\n" + heading("Runs");
  const auto line = [&text](const std::string& name, const std::string& value) {
    if (!value.empty()) text += wrapped(name + ": " + value, "  ");
  };
  line("problem", study.problem.name);
  const std::vector<StudyAxis> axes = study_axes(study);
  for (std::size_t i = 0; i < study.sweep.size(); ++i)
    line(study.sweep[i].key, joined(axes[i].texts));
  line("starts", starts_of(study));
  for (const ParameterChoice& choice : study.parameters) line(choice.name, values_text(choice));
  line("methods", joined(methods));
  line("step", study.tolerance ? "chosen for an error of " + to_string(*study.tolerance)
                               : numbers_text(study.steps));
  line("end", study.until ? "t = " + to_string(*study.until)
                          : std::to_string(*study.step_count) + " steps");
  line("followed", followed_text(study.diagnostics));
  return text + "\n" +
         wrapped("dalembert run runs it; dalembert describe " + study.problem.name +
                     " is the page of its problem",
                 "");
}

}  // namespace dalembert::app
