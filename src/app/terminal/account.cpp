#include "account.hpp"

#include <fmt/core.h>

#include <set>
#include <string>

#include "dalembert/expression/printer.hpp"
#include "report/text_table.hpp"
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
  using Kind = StepProgram::Block::Kind;
  std::string blocks;
  for (const TapeStages& stages : plan.program->tape().stages) {
    blocks +=
        fmt::format("; sweeps {} stages of {} numbers", stages.nodes.size(), stages.before.size());
    if (!stages.fallback.empty()) blocks += " (with a fallback)";
  }
  for (const StepProgram::Block& block : plan.program->blocks()) {
    if (block.kind == Kind::explicit_assignment || block.kind == Kind::sweeps) continue;
    const bool iterates = block.kind == Kind::newton || block.kind == Kind::secant;
    blocks += fmt::format("; {} {} x {} {}", iterates ? "iterates on" : "solves", block.system_size,
                          block.system_size, iterates ? "equations" : "linear equations");
  }
  return fmt::format("method {}: a step of {} instructions{}", plan.method.label,
                     plan.program->tape().further.begin, blocks);
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

/// "3 orders measured", or why nothing was.
template <class Audited>
std::string audited(const Audited& one, const char* what) {
  if (!one.misfit.empty()) return "does not fit: " + one.misfit;
  return fmt::format("{} {} measured", one.findings.size(), what);
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
  if (!tells_what_is_done()) return;
  std::vector<std::vector<std::string>> rows{{"run", "method", "steps", "to t", "evaluations",
                                              "iterations", "rejected", "seconds", "code",
                                              "status"}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunPlan& plan = plans[i];
    const RunResult& result = results[i];
    const bool divides = plan.program->method().tolerance() > 0.0;
    rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                    std::to_string(result.steps), to_string(result.final.t),
                    std::to_string(result.evaluations()),
                    divides ? "-" : std::to_string(result.newton_iterations),
                    divides ? std::to_string(result.rejected_substeps) : "-",
                    fmt::format("{:.3g}", result.seconds), code_text(result.native),
                    status_text(result.status)});
  }
  std::set<std::string> told;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string& refusal = results[i].native_refusal;
    if (!refusal.empty() && told.insert(refusal).second)
      tell("steps of " + plans[i].method.label + " are interpreted: " + refusal);
  }
  constexpr std::size_t run_and_method = 2;
  tell(aligned(rows, run_and_method) +
       "evaluations: passes through the equations of a step; iterations: those of Newton's method; "
       "rejected: substeps whose estimated error was above the tolerance");
}

void tell_ensembles(const std::vector<EnsemblePlan>& plans,
                    const std::vector<EnsembleResult>& results) {
  if (!tells_what_is_done()) return;
  std::vector<std::vector<std::string>> rows{
      {"run", "method", "steps of members", "iterations", "seconds", "code", "status"}};
  std::set<std::string> told;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunPlan& plan = plans[i].run;
    const EnsembleResult& result = results[i];
    rows.push_back({plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                    std::to_string(result.member_steps), std::to_string(result.newton_iterations),
                    fmt::format("{:.3g}", result.seconds), code_text(result.native),
                    status_text(result.status)});
    const std::string& refusal = result.native_refusal;
    if (!refusal.empty() && told.insert(refusal).second)
      tell("steps of " + plan.method.label + " are interpreted: " + refusal);
  }
  constexpr std::size_t run_and_method = 2;
  tell(aligned(rows, run_and_method));
}

void tell_audit(const AuditReport& report, double seconds) {
  if (!tells_what_is_done()) return;
  for (const MethodAudit& method : report.methods) {
    for (std::size_t i = 0; i < method.problems.size(); ++i)
      tell(fmt::format("{} on {}: {}", method.label, report.set.problems[i].label,
                       audited(method.problems[i], "properties")));
    for (std::size_t i = 0; i < method.long_runs.size(); ++i)
      tell(fmt::format("{} for long on {}: {}", method.label, report.set.long_runs[i].problem.label,
                       audited(method.long_runs[i], "drifts")));
  }
  tell(fmt::format("audited in {:.3g} s", seconds));
}

}  // namespace dalembert::app
