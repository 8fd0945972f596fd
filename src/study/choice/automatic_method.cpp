#include "automatic_method.hpp"

#include <algorithm>
#include <utility>

#include "dalembert/document/toml.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/study/choice/method_advice.hpp"
#include "dalembert/study/choice/method_search.hpp"

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

/// The system of a study with its first start.
struct FirstRun {
  System system;
  AskedRun run;
};

FirstRun first_run(const Study& study) {
  Sizes chosen = study.starts.empty() ? Sizes{} : study.starts.front().sizes;
  for (const auto& [size, value] : study.sizes) chosen[size] = value;
  const Sizes sizes = complete_sizes(study.problem, chosen);
  FirstRun first{make_system(study.problem, sizes), {}};
  AskedRun& run = first.run;
  run.until = study.tolerance_until.value_or(study.until.value_or(0.0));
  run.tolerance = study.tolerance.value_or(0.0);
  run.events = make_events(study.events, study.problem, first.system, sizes);
  if (study.starts.empty()) return first;
  const StartEntry& start = study.starts.front();
  run.parameters = first_parameters(study, start);
  const Start asked = evaluate_start(study.problem, start, first.system, sizes, run.parameters);
  IndependentStart found = independent_start(first.system, asked, run.parameters);
  first.system = std::move(found.system);
  run.start = std::move(found.start);
  return first;
}

/// The first method that is advised, or the cheapest that keeps the tolerance.
MethodAdvice chosen_method(const Study& study, const DocumentNode& name) {
  const auto [system, run] = first_run(study);
  if (study.tolerance) {
    const std::vector<TriedMethod> tried = search_methods(system, run);
    if (!tried.empty()) return {tried.front().method, reason_of(tried)};
  }
  const std::vector<MethodAdvice> advice =
      advise_methods(system, run.start, run.events, run.parameters);
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
  if (study.tolerance && document.find("method") == nullptr) {
    DocumentNode automatic = parse_document("[[method]]\nname = \"auto\"\n", "tolerance");
    document.table().push_back({"method", std::move(*automatic.find("method"))});
  }
  DocumentNode* methods = document.find("method");
  if (methods == nullptr) return;
  const auto choose = [&](DocumentNode& method) {
    DocumentNode* name = automatic(method);
    if (name == nullptr) return;
    const MethodAdvice advice = chosen_method(study, *name);
    study.notes.push_back("method auto is " + advice.method + ": " + advice.reason);
    name->value = advice.method;
  };
  if (!methods->is_array()) return choose(*methods);
  for (DocumentNode& method : methods->array()) choose(method);
}

}  // namespace dalembert::study
