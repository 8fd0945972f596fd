#include "dalembert/problem/load_problem.hpp"

#include <algorithm>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/start_entry.hpp"

namespace dalembert {
namespace {

/// Makes a value the default; no start sets the parameter any more.
void override_parameter(study::ProblemFile& problem, const std::string& name, double value) {
  const auto found = std::ranges::find(problem.parameters, name, &Parameter::name);
  if (found == problem.parameters.end()) {
    throw RequestError("\"" + name + "\" is not a parameter of problem \"" + problem.name + "\"" +
                       suggestion(name, problem.parameter_names()));
  }
  if (!found->admits(value)) {
    throw RequestError("parameter \"" + name + "\" of problem \"" + problem.name + "\" is " +
                       to_string(value) + "; it must be " + found->range_text());
  }
  found->value = value;
  for (study::StartEntry& start : problem.starts) start.parameters.erase(name);
}

}  // namespace

Problem load_problem(const std::string& name_or_path, const LoadOptions& options) {
  const LocalLimits local(options.limits.value_or(limits()));
  study::ProblemFile problem = study::read_problem_file(study::find_problem(name_or_path));
  for (const auto& [name, value] : options.parameters) override_parameter(problem, name, value);
  return study::make_problem(problem, options.sizes);
}

}  // namespace dalembert
