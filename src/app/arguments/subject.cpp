#include "subject.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/terminal/waiting_line.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/study/method_text.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

std::optional<MethodSubject> find_method(const std::string& name) {
  const MethodEntry* entry = dalembert::find_method(name.substr(0, name.find('(')));
  if (entry == nullptr) return std::nullopt;
  return MethodSubject{entry, make_method(parse_method(name))};
}

bool is_study(const std::string& name) {
  const std::vector<std::string> names = study_names();
  if (std::ranges::find(names, name) != names.end()) return true;
  return name.ends_with(".toml") && std::filesystem::is_regular_file(name) &&
         read_document(name).find("run") != nullptr;
}

bool is_named_problem(const std::string& name) {
  const std::vector<std::string> names = problem_names();
  return std::ranges::find(names, name) != names.end();
}

bool may_be_problem(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml") || is_named_problem(name);
}

void refuse_study(const std::string& name, const std::string& option) {
  if (!is_study(name)) return;
  throw RequestError(option + " is for problems and methods; \"" + name +
                     "\" is a study of the problem \"" +
                     read_study_file(find_study(name)).problem.name + "\"");
}

ProblemFile read_problem_of(const std::string& name) {
  if (!may_be_problem(name)) refuse_unknown_subject(name);
  const WaitingLine line("reading " + name);
  ProblemFile problem = read_problem_file(find_problem(name));
  // Wrong equations have no page; wrong starts are looked up in it.
  static_cast<void>(make_system(problem));
  return problem;
}

void refuse_unknown_subject(const std::string& name) {
  std::vector<std::string> names = problem_names();
  for (const MethodEntry& method : methods()) {
    names.push_back(method.name);
    for (const Alias& alias : method.aliases) names.push_back(alias.name);
  }
  throw RequestError("there is no problem or method \"" + name + "\"" + suggestion(name, names));
}

}  // namespace dalembert::app
