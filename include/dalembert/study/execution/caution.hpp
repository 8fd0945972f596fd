#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace dalembert::study {

/// Reasons to distrust the numbers of a run. What each of them is called in results, and its
/// sentence, is a row of `caution_kinds`.
enum class Caution {
  constraints_out_of_scale,  ///< off by a visible part of their terms; see DepartureWatch
  energy_out_of_scale,       ///< likewise, of an energy that the motion keeps
  multipliers_out_of_scale,  ///< a carried one has left that of the motion; see MultiplierWatch
  contact_ended,             ///< see ContactWatch
  dependent_constraints,     ///< see RankWatch
  singular_mass,             ///< along the constraints; see RankWatch
  energy_off,        ///< by more than its terms up to then explain, whatever is promised; see
                     ///< breaks_promise
  constraint_off,    ///< likewise
  missed_tolerance,  ///< by more than estimates are off; see ErrorEstimate
};

/// The time of each caution from which on it holds; nothing where there is no reason for it.
class CautionTimes {
 public:
  std::optional<double>& operator[](Caution caution) { return since_[index(caution)]; }
  /// Likewise.
  const std::optional<double>& operator[](Caution caution) const { return since_[index(caution)]; }

 private:
  static constexpr std::size_t index(Caution caution) { return static_cast<std::size_t>(caution); }

  std::array<std::optional<double>, 1 + static_cast<std::size_t>(Caution::missed_tolerance)> since_;
};

}  // namespace dalembert::study
