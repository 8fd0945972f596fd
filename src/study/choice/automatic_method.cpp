#include "automatic_method.hpp"

#include <algorithm>

#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/study/choice/method_advice.hpp"

namespace dalembert::study {
namespace {

/// Those of a start with the first values that the study gives.
std::vector<double> first_parameters(const Study& study, const StartEntry& start) {
  std::vector<double> parameters = start_parameters(study.problem, start);
  const std::vector<std::string> names = study.problem.parameter_names();
  for (const ParameterChoice& choice : study.parameters) {
    const auto at = std::ranges::find(names, choice.name) - names.begin();
    parameters[static_cast<std::size_t>(at)] = parse_constant(choice.values.front());
  }
  return parameters;
}

MethodAdvice first_advice(const Study& study, const DocumentNode& name) {
  Sizes chosen = study.starts.empty() ? Sizes{} : study.starts.front().sizes;
  for (const auto& [size, value] : study.sizes) chosen[size] = value;
  const Sizes sizes = complete_sizes(study.problem, chosen);
  const System system = make_system(study.problem, sizes);
  Start near;
  std::vector<double> parameters;
  if (!study.starts.empty()) {
    const StartEntry& first = study.starts.front();
    parameters = first_parameters(study, first);
    near = prepare_start(system, evaluate_start(study.problem, first, system, sizes, parameters),
                         parameters);
  }
  const std::vector<MethodAdvice> advice = advise_methods(
      system, near, make_events(study.events, study.problem, system, sizes), parameters);
  if (advice.empty()) name.refuse("is \"auto\", but no method fits the problem");
  return advice.front();
}

/// The name of a method in a study, if it is "auto".
DocumentNode* automatic(DocumentNode& method) {
  DocumentNode* name = method.is_table() ? method.find("name") : nullptr;
  const bool is_automatic = name != nullptr && name->is_text() && as_text(*name) == "auto";
  return is_automatic ? name : nullptr;
}

}  // namespace

void choose_automatic_methods(Study& study, DocumentNode& document) {
  DocumentNode* methods = document.find("method");
  if (methods == nullptr) return;
  const auto choose = [&](DocumentNode& method) {
    DocumentNode* name = automatic(method);
    if (name == nullptr) return;
    const MethodAdvice advice = first_advice(study, *name);
    study.notes.push_back("method auto is " + advice.method + ": " + advice.reason);
    name->value = advice.method;
  };
  if (!methods->is_array()) return choose(*methods);
  for (DocumentNode& method : methods->array()) choose(method);
}

}  // namespace dalembert::study
