#include "dalembert/measure/watch/multiplier_watch.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace dalembert {
namespace {

/// Of the kinetic energy: what round-off of a million steps puts into a multiplier does less work
/// than this in one step.
constexpr double no_work = 1e-9;

}  // namespace

MultiplierWatch::MultiplierWatch(const System& system, std::span<const double> parameters,
                                 double step, std::vector<Departure> before)
    : evaluator_(std::in_place, system, parameters),
      step_(step),
      found_(std::move(before)),
      motion_(system.constraint_count()) {
  found_.resize(system.nonholonomic_count());
}

void MultiplierWatch::see(double t, std::span<const double> q, std::span<const double> v,
                          std::span<const double> carried, const Departures& terms) {
  if (is_empty()) return;
  evaluator_->multiplier(t, q, v, motion_);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const double off = std::fabs(carried[k] - motion_[k]),
                 work = off * terms.constraints[k].scale * step_;
    const bool works = !(work <= no_work * terms.energy.scale);
    Departure& found = found_[k];
    const auto since = found.since;
    found.see(t, off, std::fabs(motion_[k]), allowed);
    if (!works) found.since = since;
  }
}

std::optional<std::size_t> furthest_multiplier(std::span<const Departure> found) {
  std::optional<std::size_t> worst;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!found[k].is_beyond(MultiplierWatch::allowed)) continue;
    const auto part = [&](std::size_t i) { return found[i].largest / found[i].scale; };
    if (!worst || part(k) > part(*worst)) worst = k;
  }
  return worst;
}

std::string left_multiplier_text(std::span<const std::string> names,
                                 std::span<const Departure> found) {
  const auto furthest = furthest_multiplier(found);
  if (!furthest) return "";
  const Departure& of = found[*furthest];
  std::array<char, 160> text{};
  if (of.scale > 0.0)
    std::snprintf(
        text.data(), text.size(),
        "%.3g times the largest that it has been): off by up to %.3g, by more than a tenth "
        "from t = %.6g on",
        of.largest / of.scale, of.largest, *of.since);
  else
    std::snprintf(text.data(), text.size(), "which is zero): off by up to %.3g, from t = %.6g on",
                  of.largest, *of.since);
  return "the carried multiplier " + names[*furthest] + " has left that of the motion (" +
         text.data() + "; lobatto, spark and dla01 carry none";
}

}  // namespace dalembert
