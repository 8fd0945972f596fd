#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A system of whose constraints some follow from the others along its motions, as those of a car
/// on four wheels, and the same system without these. Steps are those of the latter: methods know
/// nothing of the rest. Immutable.
class Redundancy {
 public:
  /// `kept` are indices of constraints of `all`, ascending; `shared` has an entry for each of all.
  Redundancy(System all, std::vector<std::size_t> kept, std::vector<bool> shared);

  const System& all() const { return all_; }          ///< system with all constraints
  const System& working() const { return working_; }  ///< system with those that are kept
  /// Constraints that are kept, and those that follow from them; indices from 0, ascending.
  const std::vector<std::size_t>& kept() const { return kept_; }
  const std::vector<std::size_t>& left_out() const { return left_out_; }  ///< the others
  /// True of each constraint whose multiplier is not determined by the motion: the reaction is, and
  /// several constraints share it.
  const std::vector<bool>& shared() const { return shared_; }
  std::vector<std::string> left_out_names() const;  ///< of multipliers
  std::vector<std::string> shared_names() const;    ///< of multipliers that are not determined
  /// "constraints b, d follow from the others; multipliers of a, b, c, d share reactions, ...".
  std::string sentence() const;

 private:
  System all_;
  std::vector<std::size_t> kept_, left_out_;
  std::vector<bool> shared_;
  System working_;
};

/// "constraint left", "constraints left, 3" of some constraints of a system: names where they have
/// them, else numbers from 1.
std::string constraint_list(const System& system, const std::vector<std::size_t>& which);

}  // namespace dalembert
