#pragma once
// Where the records of an ensemble stand. Only for the sources of this room.

#include <cstdint>
#include <vector>

#include "dalembert/run/ensemble.hpp"

namespace dalembert {

/// Where the records of an ensemble stand.
class RecordGrid {
 public:
  RecordGrid(const EnsembleOptions& options, double h);

  /// Records that the members have passed after so many steps.
  std::uint64_t passed(std::uint64_t steps) const;
  struct Place {
    std::uint64_t node;  ///< after so many steps, or between the node before and this one
    bool is_node;
    double t;
  };
  Place place(std::uint64_t record) const;
  /// Steps after which a window may end: where a record stands, if they are some steps apart.
  std::uint64_t unit() const { return times_.steps(); }
  double node_time(std::uint64_t step) const { return start_ + static_cast<double>(step) * h_; }

 private:
  RecordTimes times_;
  std::uint64_t steps_;
  double start_, h_;
  bool records_end_;
};

/// Records first, ..., first + count - 1, all between two numbers of steps, and where their values
/// go.
struct RecordWindow {
  std::uint64_t first = 0, from_step = 0, to_step = 0;
  std::size_t count = 0, quantities = 0, members = 0;
  std::vector<double> values, times;

  double& at(std::size_t record, std::size_t quantity, std::size_t member) {
    return values[(record * quantities + quantity) * members + member];
  }
};

}  // namespace dalembert
