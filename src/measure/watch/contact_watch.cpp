#include "dalembert/measure/watch/contact_watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

/// Of the weight: below that a normal force is the round-off of what it is made of.
constexpr double pull_allowed = 1e-6;

/// A wheel whose axis comes as near to the normal as this, in radians, lies flat.
constexpr double flat_below = 1e-6;

/// How near the way from one lean to the next comes to none, as a part of its length. A wheel that
/// spins about the normal leads its lean around on a circle, by less than two radians between two
/// looks: it keeps away by cos(1) / (2 sin(1)) = 0.32 of the way. One that falls on its other
/// side goes straight through.
constexpr double goes_through = 0.1;

using Lean = std::array<double, 3>;

double product(const Lean& a, const Lean& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool passes_through_flat(const Lean& before, const Lean& now) {
  const Lean way{now[0] - before[0], now[1] - before[1], now[2] - before[2]};
  const double square = product(way, way);
  if (!(square > 0.0)) return false;
  const double part = numeric::smaller(1.0, numeric::larger(0.0, -product(before, way) / square));
  const Lean nearest{before[0] + part * way[0], before[1] + part * way[1],
                     before[2] + part * way[2]};
  const double distance = product(nearest, nearest);
  return distance < goes_through * goes_through * square && part > 0.0 && part < 1.0;
}

bool lies_flat(ContactHistory& history, const Lean& now) {
  const Lean before = std::exchange(history.lean, now);
  const bool had = std::exchange(history.has_lean, true);
  return product(now, now) < flat_below * flat_below || (had && passes_through_flat(before, now));
}

void end(ContactHistory& history, double t, ContactEnd how) {
  if (history.ended) return;
  history.ended = t;
  history.how = how;
}

}  // namespace

ContactWatch::ContactWatch(const System& system, const Symbols& symbols,
                           const std::vector<SurfaceContact>& contacts,
                           std::span<const double> parameters)
    : found_(contacts.size()) {
  Vector outputs;
  for (const SurfaceContact& contact : contacts) {
    names_.push_back(contact.name);
    layouts_.push_back({outputs.size(), !contact.lean.empty(), contact.normal_force.has_value()});
    outputs = concatenate({outputs, Vector{contact.height, contact.depth}, contact.lean});
    value_names_.push_back(contact.name + "_gap");
    if (!contact.normal_force) continue;
    outputs = concatenate({outputs, Vector{*contact.normal_force, contact.weight}});
    value_names_.push_back(contact.name + "_normal_force");
  }
  values_.resize(value_names_.size());
  if (!outputs.empty()) function_ = StateFunction<double>(system, symbols, outputs, parameters);
}

void ContactWatch::see(double t, std::span<const double> q, std::span<const double> v) {
  if (is_empty()) return;
  const std::span<const double> outputs = function_(t, q, v);
  auto value = values_.begin();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    ContactHistory& history = found_[i];
    const double* next = outputs.data() + layouts_[i].first;
    const double height = *next++, depth = *next++, gap = height - depth;
    *value++ = gap;
    history.gap.see(t, std::fabs(gap), std::fabs(height) + std::fabs(depth), gap_allowed);
    if (layouts_[i].has_lean) {
      if (lies_flat(history, {next[0], next[1], next[2]})) end(history, t, ContactEnd::lies_flat);
      next += 3;
    }
    if (history.gap.since) end(history, t, gap > 0.0 ? ContactEnd::leaves : ContactEnd::passes);
    if (!layouts_[i].has_force) continue;
    const double force = *next++, weight = *next++;
    *value++ = force;
    history.least_normal_force = numeric::smaller(history.least_normal_force, force);
    if (force < -pull_allowed * weight) end(history, t, ContactEnd::pulls);
  }
}

void ContactWatch::go_on_from(std::vector<ContactHistory> before) {
  if (before.size() == found_.size()) found_ = std::move(before);
}

bool ContactWatch::has_ended() const {
  return std::ranges::any_of(found_, [](const ContactHistory& of) { return of.ended.has_value(); });
}

const char* contact_end_word(ContactEnd how) {
  switch (how) {
    case ContactEnd::lies_flat:
      return "lies flat";
    case ContactEnd::leaves:
      return "leaves";
    case ContactEnd::passes:
      return "passes";
    case ContactEnd::pulls:
      break;
  }
  return "pulls";
}

namespace {

std::string to_three_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

}  // namespace

std::string contact_end_text(const std::string& name, const ContactHistory& history) {
  const auto reason = [&]() -> std::string {
    switch (history.how) {
      case ContactEnd::lies_flat:
        return "the wheel lies flat, where it touches with more than a point and its lowest point "
               "changes sides";
      case ContactEnd::leaves:
        return "the body is above its surface, by up to " + to_three_digits(history.gap.largest);
      case ContactEnd::passes:
        return "the body has passed through its surface, by up to " +
               to_three_digits(history.gap.largest);
      case ContactEnd::pulls:
        break;
    }
    return "the surface would have to pull the body, with a force of up to " +
           to_three_digits(-history.least_normal_force);
  };
  return "contact \"" + name + "\" ended at t = " + to_string(*history.ended) + ": " + reason();
}

Expr force_along_normal(const System& system, const Symbols& symbols, const Vector& normal,
                        const Vector& momentum, const Expr& pull) {
  const Vector along = system.left_jacobian(momentum, symbols.q, symbols.v, symbols.t) * symbols.v,
               acceleration = system.eliminated(symbols.q, symbols.v, symbols.t).acceleration,
               by_velocity = jacobian(momentum, symbols.v) * acceleration;
  Vector rate;
  for (std::size_t i = 0; i < momentum.size(); ++i)
    rate.push_back(along[i] + by_velocity[i] + gradient(momentum[i], {symbols.t}).front());
  return dot(normal, rate) + pull;
}

}  // namespace dalembert
