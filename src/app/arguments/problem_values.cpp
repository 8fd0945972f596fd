#include "problem_values.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/document/toml.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::app {

using namespace study;

namespace {

long whole_size(const std::string& name, const DocumentNode& value) {
  constexpr double too_large = 1e15;
  const double number = parse_constant(value);
  if (number != std::floor(number) || std::fabs(number) > too_large)
    value.refuse("is the size " + name + ", a whole number, and not " + value.found());
  return static_cast<long>(number);
}

}  // namespace

ProblemValues problem_values(const ProblemFile& problem, const std::vector<std::string>& settings) {
  ProblemValues result;
  for (const std::string& text : settings) {
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == std::string::npos)
      throw RequestError(
          "--set takes a size or a parameter of the problem with its value, as n=5, not \"" + text +
          "\"");
    std::string name = text.substr(0, sign);
    for (const std::string table : {"parameters.", "sizes."})
      if (name.starts_with(table)) name = name.substr(table.size());
    DocumentNode document{DocumentNode::Table{}};
    apply_setting(document, "value" + text.substr(sign));
    DocumentNode value = *document.find("value");
    value.key = name;
    value.place = {"--set " + text, 0};
    if (std::ranges::find(problem.sizes, name, &SizeEntry::name) != problem.sizes.end()) {
      result.sizes[name] = whole_size(name, value);
      continue;
    }
    std::vector<std::string> names = problem.parameter_names();
    if (std::ranges::find(names, name) == names.end()) {
      for (const SizeEntry& size : problem.sizes) names.push_back(size.name);
      throw RequestError("--set " + text + ": \"" + name +
                         "\" is neither a parameter nor a size of problem \"" + problem.name +
                         "\"" + suggestion(name, names));
    }
    std::erase_if(result.parameters,
                  [&](const ParameterChoice& known) { return known.name == name; });
    result.parameters.push_back({name, as_values(value)});
  }
  return result;
}

LoadOptions load_options(const ProblemFile& problem, const std::vector<std::string>& settings) {
  const ProblemValues chosen = problem_values(problem, settings);
  LoadOptions options{.sizes = chosen.sizes};
  for (const ParameterChoice& parameter : chosen.parameters) {
    if (parameter.values.size() != 1)
      parameter.values.front().refuse("has several values; one is needed here");
    options.parameters[parameter.name] = parse_constant(parameter.values.front());
  }
  return options;
}

}  // namespace dalembert::app
