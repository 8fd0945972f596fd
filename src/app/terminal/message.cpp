#include "message.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "app/exit_code.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/study/false_claims.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

using namespace study;

void complain(const std::string& sentence) { fmt::print(stderr, "dalembert: {}\n", sentence); }

void print(const std::string& text) {
  const bool is_written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!is_written)
    throw OutputError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int conclude(const std::vector<RunResult>& results, const std::string& file) {
  const auto count = [&](RunResult::Status status) {
    return std::count_if(results.begin(), results.end(),
                         [status](const RunResult& r) { return r.status == status; });
  };
  const auto with = [](RunResult::Status status) {
    return [status](const RunResult& r) { return r.status == status; };
  };
  if (count(RunResult::Status::interrupted) > 0) {
    complain(fmt::format("interrupted with {} of {} runs unfinished; {}",
                         count(RunResult::Status::interrupted), results.size(),
                         file.empty() ? "without --out nothing was kept to go on from"
                                      : "continue with: dalembert resume " + file));
    return interrupted;
  }
  const auto failed = std::find_if(results.begin(), results.end(), with(RunResult::Status::failed));
  if (failed == results.end()) return success;
  complain(fmt::format("{} of {} runs failed; {}", count(RunResult::Status::failed), results.size(),
                       failed->message));
  return numbers_refused;
}

void print_notes(const Study& study) {
  for (const std::string& note : study.notes) complain(note);
}

int conclude_refused(const std::vector<RefusedRun>& refused, int code) {
  std::set<std::string> reasons;
  for (const RefusedRun& run : refused)
    if (reasons.insert(run.reason).second) complain(run.reason);
  return refused.empty() || code == interrupted ? code : bad_request;
}

void print_warnings(const std::vector<RunPlan>& plans) {
  std::set<std::string> warnings;
  for (const RunPlan& plan : plans) {
    const Method& method = plan.program->method();
    if (const auto warning = method.warning()) warnings.insert(*warning);
    if (plan.lambda && method.facts().carries_multiplier) {
      warnings.insert(fmt::format(
          "the start of method \"{}\" has a multiplier of its own: whatever it differs by from the "
          "exact one stays, with alternating sign, since the method does not damp this mode; leave "
          "lambda out for the exact one",
          method.name()));
    }
  }
  for (const RunPlan& plan : plans) {
    const double end = plan.end();
    // The product and a decimal number that was meant to be it differ by their round-off.
    if (!plan.until || std::fabs(end - *plan.until) <= 1e-12 * end) continue;
    warnings.insert(
        fmt::format("until = {:.15g} is no multiple of the step {:.15g}, and method {} carries "
                    "data of steps of "
                    "one size: the run ends at t = {:.15g}",
                    *plan.until, plan.step, plan.method.label, end));
  }
  for (const std::string& warning : warnings) complain("warning: " + warning);
}

namespace {

void warn_of(const RunPlan& plan, const std::string& what) {
  complain(fmt::format("warning: run {}, {}: {}",
                       plan.label.empty() ? plan.system.name() : plan.label, plan.method.label,
                       what));
}

void complain_of(const RunPlan& plan, const RunResult& result, const std::string& what) {
  warn_of(
      plan,
      what + (result.status == RunResult::Status::ok ? "; nothing after that can be trusted" : ""));
}

/// The nodes of quadrature that a method, or a base of it, was given; nothing where it has no such
/// option.
std::optional<OptionValue> quadrature_of(const MethodSpec& spec) {
  const auto own = spec.options.find("quadrature");
  if (own != spec.options.end()) return own->second;
  for (const auto& [name, value] : spec.options) {
    if (const auto* base = std::get_if<std::shared_ptr<const MethodSpec>>(&value))
      if (const auto found = quadrature_of(**base)) return found;
  }
  return std::nullopt;
}

/// Where the energy of a method that keeps it went: into the quadrature along a step.
std::string lost_energy_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const std::optional<OptionValue> nodes = quadrature_of(plan.program->method().spec());
  std::string text =
      "the method keeps the energy where the quadrature along a step is exact, but it "
      "was off by " +
      fmt::format("{:.3g}", found.energy.max_error);
  if (found.energy_off)
    text += fmt::format(", by more than round-off from t = {:.6g} on", *found.energy_off);
  text += ": there the step is too long for this energy; take a smaller one";
  if (nodes) text += " or more nodes (quadrature = " + option_text(*nodes) + " here)";
  return text;
}

}  // namespace

void print_broken_promises(const std::vector<RunPlan>& plans,
                           const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const Facts facts = plans[i].program->method().facts();
    const RunDiagnostics& found = results[i].diagnostics;
    const double size = 1.0 + std::fabs(found.energy.initial);
    const SystemTraits traits = plans[i].system.traits();
    const bool kept_by_motion = !traits.time_dependent && !traits.forced;
    if (kept_by_motion && facts.exact_energy && !(found.energy.max_error <= broken_promise * size))
      complain_of(plans[i], results[i], lost_energy_sentence(plans[i], found));
    if (facts.maps_constraint_set && !(found.constraint_max <= broken_promise * size)) {
      complain_of(plans[i], results[i],
                  fmt::format("the method keeps the constraints, but they were violated by {:.3g}",
                              found.constraint_max));
    }
  }
}

namespace {

/// The constraint that is off by most, against its terms.
std::size_t off_by_most(const std::vector<Departure>& constraints) {
  std::size_t most = 0;
  const auto part = [&](std::size_t i) { return constraints[i].largest / constraints[i].scale; };
  for (std::size_t i = 1; i < constraints.size(); ++i)
    if (part(i) > part(most)) most = i;
  return most;
}

std::string constraints_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const std::size_t worst = off_by_most(found.departures.constraints);
  return fmt::format(
      "constraints are violated by up to {:.3g}, that of {} by more than a thousandth of its "
      "terms ({:.3g}) from t = {:.6g} on",
      found.constraint_max, plan.system.multiplier_names()[worst],
      found.departures.constraints[worst].scale, *found.constraints_out_of_scale);
}

std::string energy_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const auto moving = DepartureWatch::moving_energy(plan.system);
  return fmt::format(
      "the {}, which the motion keeps, is off by up to {:.3g}, by more than a tenth of its largest "
      "part ({:.3g}) from t = {:.6g} on",
      moving ? "moving energy" : "energy",
      (moving ? found.integrals[*moving] : found.energy).max_error, found.departures.energy.scale,
      *found.energy_out_of_scale);
}

}  // namespace

void print_out_of_scale(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const RunDiagnostics& found = results[i].diagnostics;
    const auto complain_that = [&](const std::string& sentence) { warn_of(plans[i], sentence); };
    if (found.constraints_out_of_scale) complain_that(constraints_sentence(plans[i], found));
    if (found.energy_out_of_scale) complain_that(energy_sentence(plans[i], found));
    if (plans[i].strict && results[i].status == RunResult::Status::failed) continue;  // it says so
    for (std::size_t k = 0; k < found.contacts.size(); ++k) {
      if (!found.contacts[k].ended) continue;
      complain_that(contact_end_text(plans[i].contacts.names()[k], found.contacts[k]) +
                    "; nothing after that is the motion of the body");
    }
  }
}

void print_rank_losses(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto complain_at = [&](const std::optional<double>& t, const char* what) {
      if (!t) return;
      warn_of(plans[i],
              fmt::format("{} at t = {:.6g}, where the motion is not determined; what comes after "
                          "that may mean nothing",
                          what, *t));
    };
    complain_at(results[i].diagnostics.dependent_constraints, "the constraints become dependent");
    complain_at(results[i].diagnostics.singular_mass,
                "the mass becomes singular along the constraints");
  }
}

void print_false_claims(const Study& study, const std::vector<RunPlan>& plans,
                        const std::vector<RunResult>& results) {
  for (const std::string& claim : false_claims(study, plans, results))
    complain("warning: " + claim);
}

}  // namespace dalembert::app
