#include "dalembert/linearisation/stability_changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {
namespace {

/// The mode that grows most when as many neutral ones are left out as there are on both sides: one
/// more is that which crosses.
const LinearMode* leading_mode(const Linearisation& motion, std::size_t neutral) {
  const LinearMode* leading = nullptr;
  std::size_t left_out = 0;
  for (const LinearMode& mode : motion.modes) {
    if (mode.value == 0.0 && left_out++ < neutral) continue;
    if (leading == nullptr || mode.value.real() > leading->value.real()) leading = &mode;
  }
  return leading;
}

bool grows(const Linearisation& motion, std::size_t neutral) {
  const LinearMode* leading = leading_mode(motion, neutral);
  return leading != nullptr && leading->value.real() > 0.0;
}

}  // namespace

std::vector<StabilityChange> stability_changes(
    std::span<const double> values, std::span<const Linearisation> motions,
    const std::function<Linearisation(double)>& motion_at) {
  std::vector<StabilityChange> changes;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const Linearisation &first = motions[i], &second = motions[i + 1];
    if (!first.ok() || !second.ok() || first.stability == second.stability) continue;
    const std::size_t neutral = std::min<std::size_t>(first.neutral, second.neutral);
    // Between decay and growth a root crosses the axis, and its sign tells the side; where roots
    // lie on the axis, they have left it when they are further from it than round-off.
    const bool by_sign =
        first.stability != Stability::undecided && second.stability != Stability::undecided;
    const auto is_second = [&](const Linearisation& motion) {
      return by_sign ? grows(motion, neutral) == grows(second, neutral)
                     : motion.stability != first.stability;
    };
    double from = values[i], to = values[i + 1];
    Linearisation last = second;
    bool is_found = true;
    // Bisection ends where no double lies between.
    for (int iteration = 0; iteration < 60; ++iteration) {
      const double middle = 0.5 * (from + to);
      if (middle == from || middle == to) break;
      Linearisation motion = motion_at(middle);
      if (!motion.ok()) {
        is_found = false;
        break;
      }
      if (is_second(motion)) {
        to = middle;
        last = std::move(motion);
      } else {
        from = middle;
      }
    }
    if (!is_found) continue;
    StabilityChange change{to, first.stability, second.stability, 0.0};
    if (const LinearMode* mode = leading_mode(last, neutral))
      change.root = {0.0, std::fabs(mode->value.imag())};
    changes.push_back(change);
  }
  return changes;
}

}  // namespace dalembert
