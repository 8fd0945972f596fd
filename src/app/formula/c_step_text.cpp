#include "c_step_text.hpp"

#include <utility>

#include "app/arguments/problem_values.hpp"
#include "app/arguments/subject.hpp"
#include "dalembert/error.hpp"
#include "dalembert/native/c_step.hpp"
#include "dalembert/problem/load_problem.hpp"

namespace dalembert::app {

using namespace study;

namespace {

void refuse_method(const std::string& problem) {
  if (!may_be_problem(problem) && find_method(problem))
    throw RequestError("--c takes a method and a problem, and \"" + problem + "\" is a method");
}

}  // namespace

std::string CStepRequest::complaint_without_c() const {
  if (!problem.empty())
    return "\"" + problem + "\" is a second name; a method and a problem are for --c";
  const std::string option = !values.empty()   ? "--set"
                             : !prefix.empty() ? "--prefix"
                                               : "--compensated";
  return option + " is for --c";
}

void add_c_step(CLI::App& command, CStepRequest& request) {
  command.add_option("problem", request.problem, "With --c: the problem, by name or file");
  command.add_option("--set", request.values,
                     "With --c: a size or a parameter of the problem, as n=5 (may be repeated)");
  command.add_option("--prefix", request.prefix,
                     "With --c: what all names begin with (default: method and problem)");
  command.add_flag("--compensated", request.compensated,
                   "With --c: sums keep the digits that rounding loses, for long runs");
}

std::string c_step_text(const std::string& first, const CStepRequest& request) {
  if (request.problem.empty()) {
    throw RequestError(
        "--c prints the steps of a method on a problem; give both, as in dalembert "
        "export leapfrog pendulum-cvt --c");
  }
  const std::string *method_name = &first, *problem_name = &request.problem;
  std::optional<MethodSubject> method = find_method(*method_name);
  if (!method) {
    method = find_method(*problem_name);
    std::swap(method_name, problem_name);
  }
  if (!method) {
    // It says which names are near.
    const std::string& meant = may_be_problem(first) ? request.problem : first;
    static_cast<void>(method_entry(meant.substr(0, meant.find('('))));
  }
  refuse_method(*problem_name);
  refuse_study(*problem_name, "--c");
  const ProblemFile file = read_problem_of(*problem_name);
  return c_step(load_problem(*problem_name, load_options(file, request.values)), method->method,
                {.prefix = request.prefix, .step = {.compensated = request.compensated}});
}

}  // namespace dalembert::app
