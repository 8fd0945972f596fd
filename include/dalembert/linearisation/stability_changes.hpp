#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include "dalembert/linearisation/linearise.hpp"

namespace dalembert {

/// Value of a parameter at which steady motions become stable or unstable.
struct StabilityChange {
  double value = 0.0;  ///< of the parameter, to round-off
  Stability below = Stability::stable, above = Stability::stable;  ///< on both sides of it
  /// The root that crosses the imaginary axis, or leaves it, there; of a pair the one above the
  /// real axis: 0 where steady motions branch, as a bicycle capsizes, an imaginary one where an
  /// oscillation grows, as it weaves.
  std::complex<double> root;
};

/// The changes between steady motions that were found at the given values of a parameter, in order.
/// `motion_at` finds them at values between. Of several changes between two neighbours one is
/// found, or none; where one of the two failed none is looked for.
std::vector<StabilityChange> stability_changes(
    std::span<const double> values, std::span<const Linearisation> motions,
    const std::function<Linearisation(double)>& motion_at);

}  // namespace dalembert
