#include "dalembert/mechanics/start.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"

namespace dalembert {
namespace {

std::string start_text(const Start& start) {
  return " of the start" + (start.name.empty() ? "" : " \"" + start.name + "\"");
}

/// `names()` follows the number that is wanted, where a message needs it.
template <class Names>
void check_entries(const Start& start, const char* what, std::span<const double> values,
                   std::size_t wanted, Names names) {
  if (values.size() != wanted) {
    throw RequestError(what + start_text(start) + " has " + std::to_string(values.size()) +
                       " entries; it needs " + std::to_string(wanted) + names());
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    if (std::isfinite(values[i])) continue;
    throw RequestError("entry " + std::to_string(i + 1) + " of " + what + start_text(start) +
                       " is " + to_string(values[i]) + "; it must be a finite number");
  }
}

std::string name_list(const std::vector<std::string>& all) {
  std::string names;
  for (const std::string& name : all) names += (names.empty() ? " (" : ", ") + name;
  return names + ")";
}

std::vector<std::string> stored_names(const System& system) {
  std::vector<std::string> names;
  for (const Coordinate& number : system.configuration().storage()) names.push_back(number.name);
  return names;
}

constexpr double unit_tolerance = 1e-6;

/// Brings every unit quaternion to length 1: what was typed with a few digits as it stands, what is
/// farther off only with `project`. RequestError with the length otherwise.
void normalise_quaternions(const System& system, Start& start) {
  for (const Configuration::Factor& factor : system.configuration().factors()) {
    if (!factor.group.is_stored_as_quaternion()) continue;
    const std::span<double> quaternion = std::span(start.q).subspan(factor.storage, 4);
    double square = 0.0;
    for (const double entry : quaternion) square += entry * entry;
    const double length = std::sqrt(square);
    if (!(length > 0.0) || (!start.project && std::fabs(length - 1.0) > unit_tolerance)) {
      throw RequestError("the quaternion of \"" + factor.name + "\"" + start_text(start) +
                         " has length " + to_string(length) +
                         "; it must have length 1, or ask for a projection with project = true");
    }
    // One that is as near as round-off allows stays as it is, so that a state that was stored
    // starts with the same bits.
    if (std::fabs(length - 1.0) <= 4.0 * std::numeric_limits<double>::epsilon()) continue;
    for (double& entry : quaternion) entry /= length;
  }
}

void check_velocities(const System& system, const Start& start) {
  const auto whose = [&] { return start_text(start) + " for system \"" + system.name() + "\""; };
  const auto names = [&] {
    return name_list(system.traits().has_groups ? system.configuration().velocity_names()
                                                : stored_names(system));
  };
  const bool has_momenta = start.p.has_value(), has_velocities = !start.v.empty();
  if (system.is_skew_gradient()) {
    if (has_momenta || has_velocities)
      throw RequestError("v or p" + whose() + ": a system in skew-gradient form has none");
    return;
  }
  if (has_momenta && has_velocities)
    throw RequestError("v and p" + whose() + " are both given; give one of them");
  if (has_momenta) {
    check_entries(start, "p", *start.p, system.dof(), names);
  } else {
    check_entries(start, "v", start.v, system.dof(), names);
  }
}

void check_shapes(const System& system, const Start& start) {
  check_entries(start, "q", start.q, system.storage_count(),
                [&] { return name_list(stored_names(system)); });
  check_velocities(system, start);
  if (start.lambda)
    check_entries(start, "lambda", *start.lambda, system.constraint_count(),
                  [] { return std::string(); });
}

}  // namespace

Start prepare_start(Evaluator& evaluator, const Start& start, double t) {
  const System& system = evaluator.system();
  check_shapes(system, start);
  Start ready = start;
  ready.p.reset();
  normalise_quaternions(system, ready);
  ready.project = false;
  if (start.p) {
    // The velocity is what the momentum makes of it: until it is known, only q can be looked at.
    evaluator.check_position(t, ready.q);
    ready.v = evaluator.velocity_of_momentum(t, ready.q, *start.p);
  }
  if (start.project && !system.is_skew_gradient()) {
    evaluator.check_regular(t, ready.q, ready.v, true);
    std::tie(ready.q, ready.v) = evaluator.consistent_state(t, ready.q, ready.v);
  }
  evaluator.check_regular(t, ready.q, ready.v);
  return ready;
}

Start prepare_start(const System& system, const Start& start, std::span<const double> parameters,
                    double t) {
  Evaluator evaluator(system, parameters.empty()
                                  ? named_parameter_values(system, start.parameters)
                                  : std::vector<double>(parameters.begin(), parameters.end()));
  return prepare_start(evaluator, start, t);
}

}  // namespace dalembert
