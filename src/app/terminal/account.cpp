#include "account.hpp"

#include <fmt/core.h>

#include <set>
#include <string>

#include "dalembert/expression/printer.hpp"
#include "verbosity.hpp"

namespace dalembert::app {

using namespace study;

namespace {

std::string system_account(const System& system) {
  std::string names;
  for (const Coordinate& coordinate : system.description().coordinates)
    names += (names.empty() ? "" : ", ") + coordinate.name;
  return fmt::format("system {}: coordinates {}; {} constraints on velocities, {} on positions",
                     system.name(), names, system.nonholonomic_count(),
                     system.constraint_count() - system.nonholonomic_count());
}

std::string program_account(const RunPlan& plan) {
  std::string blocks;
  for (const StepProgram::Block& block : plan.program->blocks()) {
    if (block.kind == StepProgram::Block::Kind::explicit_assignment) continue;
    const bool iterates = block.kind == StepProgram::Block::Kind::newton;
    blocks += fmt::format("; {} {} x {} {}", iterates ? "iterates on" : "solves", block.system_size,
                          block.system_size, iterates ? "equations" : "linear equations");
  }
  return fmt::format("method {}: a step of {} instructions{}", plan.method.label,
                     plan.program->tape().code.size(), blocks);
}

std::string listed(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return "(" + text + ")";
}

std::string start_account(const RunPlan& plan) {
  const std::string name = plan.start.empty() ? "start" : "start " + plan.start;
  if (plan.q.empty()) return name + ": drawn for each member";
  return name + ": q = " + listed(plan.q) + (plan.v.empty() ? "" : ", v = " + listed(plan.v));
}

}  // namespace

void tell_plans(const std::vector<RunPlan>& plans, double seconds) {
  if (!tells_what_is_done()) return;
  std::set<std::string> told;
  for (const RunPlan& plan : plans) {
    for (const std::string& line :
         {system_account(plan.system), program_account(plan), start_account(plan)})
      if (told.insert(line).second) tell(line);
  }
  tell(fmt::format("{} run{} planned and compiled in {:.3g} s", plans.size(),
                   plans.size() == 1 ? "" : "s", seconds));
}

void tell_results(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunResult& result = results[i];
    tell(fmt::format("run {}: {}{}: {}, {} steps to t = {}, {} iterations of Newton, {:.3g} s",
                     i + 1, plans[i].label.empty() ? "" : plans[i].label + ", ",
                     plans[i].method.label, status_text(result.status), result.steps,
                     to_string(result.final.t), result.newton_iterations, result.seconds));
  }
}

}  // namespace dalembert::app
