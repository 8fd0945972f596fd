#include "dalembert/report/run_audit.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "dalembert/audit/equilibrium.hpp"
#include "dalembert/audit/exactness.hpp"
#include "dalembert/audit/orders.hpp"
#include "dalembert/audit/switches.hpp"
#include "dalembert/audit/volume/passenger_volume.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/method/variants.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/run/settle_quadrature.hpp"
#include "dalembert/study/pieces_text.hpp"
#include "dalembert/study/run_result.hpp"
#include "study/extended.hpp"

namespace dalembert::study {
namespace {

/// Does all jobs on one or more threads; those not begun when it is cancelled are left out.
void do_all(const std::vector<std::function<void()>>& jobs, const AuditOptions& options) {
  parallel_for(options.threads, jobs.size(), [&](std::size_t i, std::size_t) {
    if (options.cancelled != nullptr && *options.cancelled) return;
    jobs[i]();
    if (options.done != nullptr) ++*options.done;
  });
}

/// What is known of a problem before any method: how long its equations are smooth along the motion
/// (or why they are not), reference solutions and the flow's volume.
struct Preparation {
  std::string unmeasured = {};
  double time = 0.0;
  std::unique_ptr<const OrderAudit<Extended>> orders = {};
  bool keeps_volume = false;
  std::optional<StableEquilibrium> equilibrium = {};
};

/// Shortens the time in which a problem is measured until it ends before the first switch between
/// pieces of its equations; why that is not possible, or nothing.
std::string stay_between_switches(const AuditCase& data, AuditProblem& problem) {
  constexpr int most_halvings = 4;
  constexpr double coarsest_steps = 8.0;  // of those that orders are measured with
  std::optional<Switch> found;
  for (int k = 0; k <= most_halvings; ++k) {
    found = first_switch(problem, problem.time, problem.time / coarsest_steps);
    if (!found) return "";
    if (k < most_halvings) problem.time *= 0.5;
  }
  return pieces_text(data.file, *found);
}

Preparation prepare(const AuditCase& data) {
  AuditProblem problem = data.make();
  Preparation result{stay_between_switches(data, problem), problem.time};
  if (!result.unmeasured.empty()) return result;
  try {
    result.orders = std::make_unique<const OrderAudit<Extended>>(problem);
    result.keeps_volume = flow_keeps_volume<Extended>(problem.system, problem.parameters, problem.q,
                                                      problem.v, problem.time);
    result.equilibrium = stable_equilibrium(problem);
    return result;
  } catch (const NodeLimitError& error) {
    throw NodeLimitError("the audit's own solution of " + data.label +
                         " asks for too much: " + error.what());
  }
}

/// Other methods may fit well where the step of one is too large.
std::string too_large(const NodeLimitError& error) {
  return std::string("its step asks for too much: ") + error.what();
}

/// Why a method cannot be used on a problem or from its start; nothing if it can.
std::optional<std::string> misfit_of(const Method& method, const AuditProblem& problem) {
  auto misfit = method.misfit(problem.system);
  return misfit ? misfit : method.start_misfit(problem.v);
}

ProblemAudit audit(const Method& method, const AuditCase& data, const Preparation& prepared) {
  if (std::count(data.leave_out.begin(), data.leave_out.end(), method.name()) > 0)
    return {"left out, because its code for this problem is large", {}};
  AuditProblem problem = data.make();
  problem.keeps_volume = prepared.keeps_volume;
  problem.time = prepared.time;
  if (const auto misfit = misfit_of(method, problem)) return {*misfit, {}};
  if (!prepared.unmeasured.empty()) return {"", {}, prepared.unmeasured, prepared.time};
  try {
    ProblemAudit result{"", prepared.orders->findings(problem, method), "", prepared.time};
    const Method settled = settle_quadrature(method, problem.system, problem.parameters, problem.q,
                                             problem.v, problem.time / DefectGrid::steps_per_time);
    for (AuditFinding& finding : audit_exactness<Extended>(problem, settled))
      result.findings.push_back(std::move(finding));
    for (AuditFinding& finding : audit_passenger_volume<Extended>(problem, settled))
      result.findings.push_back(std::move(finding));
    if (prepared.equilibrium)
      result.findings.push_back(
          audit_equilibrium<Extended>(problem, settled, *prepared.equilibrium));
    return result;
  } catch (const NodeLimitError& error) {
    return {too_large(error), {}};
  } catch (const RequestError& error) {
    return {error.what(), {}};
  }
}

/// Whether a run lost the energy that its method promises to keep, and the promise holds there:
/// nothing integrates an energy along a step that comes over a switch.
bool loses_energy(const LongRun& run, const Method& method, const DriftFinding& finding) {
  if (finding.quantity != "energy" || !method.facts().exact_energy || !finding.failure.empty())
    return false;
  return finding.off &&
         !first_switch(run.problem, run.step * static_cast<double>(run.steps), run.step);
}

LongRunAudit audit(const Method& method, const LongRunCase& data, bool full) {
  const LongRun run = data.make(full);
  if (const auto misfit = misfit_of(method, run.problem)) return {*misfit, {}};
  try {
    const AuditProblem& problem = run.problem;
    const Method settled = settle_quadrature(method, problem.system, problem.parameters, problem.q,
                                             problem.v, run.step);
    LongRunAudit result{"", audit_long_run(run, settled), false, run.step, run.steps};
    result.breaks_energy = std::any_of(
        result.findings.begin(), result.findings.end(),
        [&](const DriftFinding& finding) { return loses_energy(run, method, finding); });
    return result;
  } catch (const NodeLimitError& error) {
    return {too_large(error), {}};
  } catch (const RequestError& error) {
    return {error.what(), {}};
  }
}

}  // namespace

std::string audit_precision_name() { return extended_name; }

std::uint64_t audit_size(std::size_t methods, const AuditSet& set) {
  return set.problems.size() + methods * (set.problems.size() + set.long_runs.size());
}

std::vector<AuditMethod> audit_methods(bool variants) {
  std::vector<AuditMethod> methods;
  for (const MethodSpec& spec :
       method_variants(variants ? Variants::each_option : Variants::defaults))
    methods.push_back({make_method(spec), label(spec)});
  return methods;
}

AuditReport run_audit(std::vector<AuditMethod> methods, AuditSet set, const AuditOptions& options) {
  AuditReport report{std::move(set), options, {}};
  const AuditSet& cases = report.set;
  std::vector<Preparation> prepared(cases.problems.size());
  std::vector<std::function<void()>> first, second;
  for (std::size_t i = 0; i < cases.problems.size(); ++i)
    first.emplace_back([&, i] { prepared[i] = prepare(cases.problems[i]); });
  for (AuditMethod& entry : methods) {
    report.methods.push_back({std::move(entry.method), std::move(entry.label),
                              std::vector<ProblemAudit>(cases.problems.size()),
                              std::vector<LongRunAudit>(cases.long_runs.size())});
  }
  for (MethodAudit& entry : report.methods) {
    for (std::size_t i = 0; i < cases.problems.size(); ++i)
      second.emplace_back(
          [&, i] { entry.problems[i] = audit(entry.method, cases.problems[i], prepared[i]); });
    for (std::size_t i = 0; i < cases.long_runs.size(); ++i)
      second.emplace_back(
          [&, i] { entry.long_runs[i] = audit(entry.method, cases.long_runs[i], options.full); });
  }
  do_all(first, options);
  do_all(second, options);
  report.is_complete = options.cancelled == nullptr || !*options.cancelled;
  return report;
}

}  // namespace dalembert::study
