#include "dalembert/study/execution/cautions.hpp"

#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/measure/watch/multiplier_watch.hpp"
#include "dalembert/method/library.hpp"

namespace dalembert::study {

namespace {

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

std::string more_than_round_off(double since) {
  return fmt::format(", by more than round-off from t = {:.6g} on", since);
}

/// Where the energy of a method that keeps it went: into the quadrature along a step.
std::string lost_energy_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const std::optional<OptionValue> nodes = quadrature_of(plan.program->method().spec());
  std::string text =
      "the method keeps the energy where the quadrature along a step is exact, but it "
      "was off by " +
      fmt::format("{:.3g}", found.energy.max_error);
  text += more_than_round_off(*found.energy_off);
  text += ": there the step is too long for this energy; take a smaller one";
  if (nodes) text += " or more nodes (quadrature = " + option_text(*nodes) + " here)";
  return text;
}

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

/// What follows a broken promise of a run that goes on as if nothing were.
std::string and_then(const RunResult& result, std::string sentence) {
  if (result.status == RunResult::Status::ok) sentence += "; nothing after that can be trusted";
  return sentence;
}

}  // namespace

std::set<std::string> cautions_before(const std::vector<RunPlan>& plans) {
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
  for (const RunPlan& plan : plans) {
    const double last = plan.record_times.last_of_list();
    if (last <= plan.end() * (1.0 + 1e-12)) continue;  // the same but for round-off
    warnings.insert(fmt::format(
        "the run ends at t = {:.15g}, and nothing is recorded at t = {:.15g}, unless it "
        "goes on to a later end",
        plan.end(), last));
  }
  return warnings;
}

std::string run_title(const RunPlan& plan) {
  return fmt::format("run {}, {}", plan.label.empty() ? plan.system.name() : plan.label,
                     plan.method.label);
}

namespace {

std::vector<std::string> out_of_scale_cautions(const RunPlan& plan, const RunResult& result) {
  std::vector<std::string> sentences;
  const RunDiagnostics& found = result.diagnostics;
  if (found.constraints_out_of_scale) sentences.push_back(constraints_sentence(plan, found));
  if (found.energy_out_of_scale) sentences.push_back(energy_sentence(plan, found));
  if (found.multipliers_out_of_scale)
    sentences.push_back(left_multiplier_text(plan.system, found.multipliers));
  if (plan.strict && result.status == RunResult::Status::failed) return sentences;  // it says so
  for (std::size_t k = 0; k < found.contacts.size(); ++k) {
    if (!found.contacts[k].ended) continue;
    sentences.push_back(contact_end_text(plan.contacts.names()[k], found.contacts[k]) +
                        "; nothing after that is the motion of the body");
  }
  return sentences;
}

std::vector<std::string> rank_loss_cautions(const RunResult& result) {
  std::vector<std::string> sentences;
  const auto add = [&](const std::optional<double>& t, const char* what) {
    if (!t) return;
    sentences.push_back(
        fmt::format("{} at t = {:.6g}, where the motion is not determined; what comes after that "
                    "may mean nothing",
                    what, *t));
  };
  add(result.diagnostics.dependent_constraints, "the constraints become dependent");
  add(result.diagnostics.singular_mass, "the mass becomes singular along the constraints");
  return sentences;
}

std::vector<std::string> broken_promise_cautions(const RunPlan& plan, const RunResult& result) {
  std::vector<std::string> sentences;
  const Facts facts = plan.program->method().facts();
  const RunDiagnostics& found = result.diagnostics;
  const SystemTraits traits = plan.system.traits();
  const bool kept_by_motion = !traits.time_dependent && !traits.forced;
  if (kept_by_motion && facts.exact_energy && found.energy_off)
    sentences.push_back(and_then(result, lost_energy_sentence(plan, found)));
  // What is off may be constraints on positions, which are not told from the others.
  const bool promised =
      facts.maps_constraint_set && !(facts.drifts_from_positions && traits.holonomic);
  if (promised && found.constraint_off) {
    sentences.push_back(and_then(
        result, fmt::format("the method keeps the constraints, but they were violated by {:.3g}",
                            found.constraint_max) +
                    more_than_round_off(*found.constraint_off)));
  }
  return sentences;
}

/// A strict run that has failed by it says so.
std::vector<std::string> missed_tolerance_cautions(const RunPlan& plan, const RunResult& result) {
  const std::optional<ErrorEstimate>& error = result.diagnostics.error;
  const bool is_said = plan.strict && result.status == RunResult::Status::failed;
  if (!error || !error->is_missed() || is_said) return {};
  return {missed_tolerance_text(*error)};
}

}  // namespace

std::string missed_tolerance_text(const ErrorEstimate& error) {
  if (std::isinf(error.largest))
    return fmt::format("the error cannot be estimated: with other steps runs fail after t = {:.6g}",
                       error.kept_until);
  return fmt::format(
      "the error is estimated to be {:.1e}, and the tolerance {} is kept up to t = "
      "{:.6g}; a smaller one is kept longer, on a chaotic motion not by much",
      error.largest, dalembert::to_string(error.asked), error.kept_until);
}

std::vector<std::string> run_cautions(const RunPlan& plan, const RunResult& result) {
  std::vector<std::string> all = out_of_scale_cautions(plan, result);
  for (const auto& more : {rank_loss_cautions(result), broken_promise_cautions(plan, result),
                           missed_tolerance_cautions(plan, result)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace dalembert::study
