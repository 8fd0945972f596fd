#pragma once
// What is measured of a block of members at a record. Only for the sources of this room.

#include <optional>
#include <span>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/step/batch_function.hpp"
#include "member_stepper.hpp"
#include "record_grid.hpp"

namespace dalembert {

/// Energy, largest error of a constraint and integrals of members, as an `Evaluator` gives them: in
/// lanes, or one member after the other.
class BlockMeasures {
 public:
  /// For states that lie as those of a batch, or on one number where it is nullptr.
  BlockMeasures(const Evaluator& evaluator, const BatchStepper* batch);

  std::span<const double> parameters() const { return evaluator_.parameters(); }
  /// The states of some members, which lie in `at` in their order, but for those that are skipped.
  void measure(const MemberStepper& at, std::span<const std::size_t> members,
               const std::vector<bool>& skipped, RecordWindow& window, std::size_t record);
  void measure(const Point& point, std::size_t member, RecordWindow& window, std::size_t record);

 private:
  void find_largest_constraint();

  Evaluator evaluator_;
  std::optional<BatchFunction> watched_;
  std::vector<double> integrals_, values_, largest_;
};

}  // namespace dalembert
