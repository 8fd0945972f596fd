#include "dalembert/study/execution/cautions.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/measure/watch/multiplier_watch.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"

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
  text += more_than_round_off(*found.cautions[Caution::energy_off]);
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

/// Names that the multipliers of the steps have among those of all constraints.
std::vector<std::string> names_of_kept(const RunPlan& plan) {
  const std::vector<std::string> all = plan.stated_system().multiplier_names();
  if (!plan.redundancy) return all;
  std::vector<std::string> names;
  for (const std::size_t i : plan.redundancy->kept()) names.push_back(all[i]);
  return names;
}

std::string constraints_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const std::size_t worst = off_by_most(found.departures.constraints);
  return fmt::format(
      "constraints are violated by up to {:.3g}, that of {} by more than a thousandth of its "
      "terms ({:.3g}) from t = {:.6g} on",
      found.constraint_max, names_of_kept(plan)[worst], found.departures.constraints[worst].scale,
      *found.cautions[Caution::constraints_out_of_scale]);
}

std::string energy_sentence(const RunPlan& plan, const RunDiagnostics& found) {
  const auto moving = DepartureWatch::moving_energy(plan.system);
  return fmt::format(
      "the {}, which the motion keeps, is off by up to {:.3g}, by more than a tenth of its largest "
      "part ({:.3g}) from t = {:.6g} on",
      moving ? "moving energy" : "energy",
      (moving ? found.integrals[*moving] : found.energy).max_error, found.departures.energy.scale,
      *found.cautions[Caution::energy_out_of_scale]);
}

/// What follows a broken promise of a run that goes on as if nothing were.
std::string and_then(const RunOutcome& result, std::string sentence) {
  if (result.status == RunOutcome::Status::ok) sentence += "; nothing after that can be trusted";
  return sentence;
}

}  // namespace

std::set<std::string> cautions_before(const std::vector<RunPlan>& plans) {
  std::set<std::string> warnings;
  for (const RunPlan& plan : plans) {
    const Method& method = plan.program->method();
    if (const auto warning = method.warning()) warnings.insert(*warning);
    if (plan.redundancy) warnings.insert(plan.redundancy->sentence());
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

using Sentences = std::vector<std::string>;

Sentences contact_sentences(const RunPlan& plan, const RunOutcome& result) {
  Sentences sentences;
  const std::vector<ContactHistory>& contacts = result.diagnostics.contacts;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!contacts[k].ended) continue;
    sentences.push_back(contact_end_text(plan.contacts.names()[k], contacts[k]) +
                        "; nothing after that is the motion of the body");
  }
  return sentences;
}

Sentences rank_sentences(const RunOutcome& result, Caution caution, const char* what) {
  return {
      fmt::format("{} at t = {:.6g}, where the motion is not determined; what comes after that may "
                  "mean nothing",
                  what, *result.diagnostics.cautions[caution])};
}

/// Nothing where the motion or the method does not keep the energy.
Sentences lost_energy_sentences(const RunPlan& plan, const RunOutcome& result) {
  if (!plan.system.traits().is_conservative() || !plan.program->method().facts().exact_energy)
    return {};
  return {and_then(result, lost_energy_sentence(plan, result.diagnostics))};
}

/// Nothing where the method does not promise all constraints: those on positions are not told from
/// the others.
Sentences lost_constraint_sentences(const RunPlan& plan, const RunOutcome& result) {
  const Facts facts = plan.program->method().facts();
  const bool promised =
      facts.maps_constraint_set && !(facts.drifts_from_positions && plan.system.traits().holonomic);
  if (!promised) return {};
  const RunDiagnostics& found = result.diagnostics;
  return {and_then(result,
                   fmt::format("the method keeps the constraints, but they were violated by {:.3g}",
                               found.constraint_max) +
                       more_than_round_off(*found.cautions[Caution::constraint_off]))};
}

bool energy_is_kept(const RunPlan& plan) {
  if (plan.has_acting_events()) return false;
  const Conservation found = conservation(plan.system, plan.q, plan.v, plan.parameters);
  const auto moving = DepartureWatch::moving_energy(plan.system);
  return (moving ? found.integrals[*moving].kept : found.energy) == Conservation::Kept::yes;
}

void keep_earliest(std::optional<double>& first, const std::optional<double>& since) {
  if (since) first = first ? numeric::smaller(*first, *since) : *since;
}

const std::array kinds{
    CautionKind{.caution = Caution::constraints_out_of_scale,
                .group = "out_of_scale",
                .name = "constraints",
                .sentences = [](const RunPlan& plan, const RunOutcome& result) -> Sentences {
                  return {constraints_sentence(plan, result.diagnostics)};
                },
                .refusal = "the constraints are out of scale"},
    CautionKind{.caution = Caution::energy_out_of_scale,
                .group = "out_of_scale",
                .name = "energy",
                .sentences = [](const RunPlan& plan, const RunOutcome& result) -> Sentences {
                  return {energy_sentence(plan, result.diagnostics)};
                },
                .refusal = "the energy is out of scale"},
    CautionKind{.caution = Caution::multipliers_out_of_scale,
                .group = "out_of_scale",
                .name = "multipliers",
                .sentences = [](const RunPlan& plan, const RunOutcome& result) -> Sentences {
                  return {
                      left_multiplier_text(names_of_kept(plan), result.diagnostics.multipliers)};
                },
                .refusal = "the carried multiplier has left that of the motion"},
    CautionKind{.caution = Caution::contact_ended,
                .sentences = contact_sentences,
                .is_said_by_failure = true},
    CautionKind{.caution = Caution::dependent_constraints,
                .group = "rank_lost",
                .name = "constraints",
                .is_kept = true,
                .sentences =
                    [](const RunPlan&, const RunOutcome& result) {
                      return rank_sentences(result, Caution::dependent_constraints,
                                            "the constraints become dependent");
                    }},
    CautionKind{.caution = Caution::singular_mass,
                .group = "rank_lost",
                .name = "mass",
                .is_kept = true,
                .sentences =
                    [](const RunPlan& plan, const RunOutcome& result) {
                      return rank_sentences(
                          result, Caution::singular_mass,
                          plan.system.traits().ideal
                              ? "the mass becomes singular along the constraints"
                              : "the reactions can no longer hold the constraints (Painleve)");
                    }},
    CautionKind{.caution = Caution::energy_off,
                .group = "",
                .name = "energy_off",
                .is_kept = true,
                .sentences = lost_energy_sentences},
    CautionKind{.caution = Caution::constraint_off,
                .group = "",
                .name = "constraint_off",
                .is_kept = true,
                .sentences = lost_constraint_sentences},
    CautionKind{.caution = Caution::missed_tolerance,
                .sentences = [](const RunPlan&, const RunOutcome& result) -> Sentences {
                  return {missed_tolerance_text(*result.diagnostics.error)};
                },
                .refusal = "",
                .is_said_by_failure = true}};

}  // namespace

std::span<const CautionKind> caution_kinds() { return kinds; }

void find_cautions(const RunPlan& plan, RunOutcome& result) {
  RunDiagnostics& found = result.diagnostics;
  std::optional<double> constraints, energy, multipliers, contacts, tolerance;
  if (const auto furthest = furthest_multiplier(found.multipliers))
    multipliers = found.multipliers[*furthest].since;
  const Departures& departures = found.departures;
  if (departures.energy.is_beyond(DepartureWatch::energy_allowed) && energy_is_kept(plan))
    energy = departures.energy.since;
  for (const Departure& constraint : departures.constraints)
    if (constraint.is_beyond(DepartureWatch::constraint_allowed))
      keep_earliest(constraints, constraint.since);
  for (const ContactHistory& contact : found.contacts) keep_earliest(contacts, contact.ended);
  if (found.error && found.error->is_missed()) tolerance = found.error->kept_until;
  for (const auto& [caution, since] : {std::pair{Caution::constraints_out_of_scale, constraints},
                                       {Caution::energy_out_of_scale, energy},
                                       {Caution::multipliers_out_of_scale, multipliers},
                                       {Caution::contact_ended, contacts},
                                       {Caution::missed_tolerance, tolerance}})
    found.cautions[caution] = since;
}

std::string missed_tolerance_text(const ErrorEstimate& error) {
  if (std::isinf(error.largest))
    return fmt::format("the error cannot be estimated: with other steps runs fail after t = {:.6g}",
                       error.kept_until);
  return fmt::format(
      "the error is estimated to be {:.1e}, and the tolerance {} is kept up to t = "
      "{:.6g}; a smaller one is kept longer, on a chaotic motion not by much",
      error.largest, dalembert::to_string(error.asked), error.kept_until);
}

std::vector<std::string> run_cautions(const RunPlan& plan, const RunOutcome& result) {
  const bool failed_strictly = plan.strict && result.status == RunOutcome::Status::failed;
  std::vector<std::string> all;
  for (const CautionKind& kind : kinds) {
    if (!result.diagnostics.cautions[kind.caution]) continue;
    if (failed_strictly && kind.is_said_by_failure) continue;
    const Sentences sentences = kind.sentences(plan, result);
    all.insert(all.end(), sentences.begin(), sentences.end());
  }
  return all;
}

}  // namespace dalembert::study
