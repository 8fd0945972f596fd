#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/run/event/event.hpp"
#include "dalembert/step/point.hpp"

namespace dalembert {

/// Result of a run: its records, in contiguous rows, and its end. A run in which a step was
/// refused keeps everything up to there; its last record is the state before the refused step.
class Solution {
 public:
  /// End of the run: as asked or by an event, or at a refused step.
  enum class Status { ok, failed } status = Status::ok;
  std::string message = {};      ///< one sentence when it failed: step, time, residual
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through iteration loops
  double residual = 0.0;         ///< of a refused step
  Point point = {};  ///< the last state as the stepper holds it: enough to continue bit for bit

  /// Events that have happened, in the order of time.
  std::vector<EventOccurrence> events = {};
  /// Number of the event that has ended the run: its last record is then the state at the event,
  /// which is no node.
  std::optional<std::size_t> ended_by = {};

  /// True if no step was refused.
  bool ok() const { return status == Status::ok; }
  /// The number of records: the start, every `record_every` steps, and the last state.
  std::size_t size() const { return times_.size(); }

  /// All records, one after the other: t and energy [size], q (angles unwrapped)
  /// [size x storage_count], v [size x velocities], lambda [size x constraint_count], integrals
  /// [size x their number].
  std::span<const double> t() const { return times_; }
  std::span<const double> energy() const { return energies_; }             ///< [size]
  std::span<const double> q() const { return q_.values; }                  ///< positions
  std::span<const double> v() const { return v_.values; }                  ///< velocities
  std::span<const double> lambda() const { return lambda_.values; }        ///< multipliers
  std::span<const double> integrals() const { return integrals_.values; }  ///< of the system
  /// Largest violation of a constraint, [size].
  std::span<const double> constraint_error() const { return constraint_errors_; }

  /// Time of record i < size(). std::out_of_range or RequestError for others, here and below.
  double t(std::size_t i) const { return times_.at(i); }
  double energy(std::size_t i) const { return energies_.at(i); }         ///< at record i
  std::span<const double> q(std::size_t i) const { return row(q_, i); }  ///< [storage_count]
  std::span<const double> v(std::size_t i) const { return row(v_, i); }  ///< one for each velocity
  /// Multipliers at record i, [constraint_count].
  std::span<const double> lambda(std::size_t i) const { return row(lambda_, i); }
  /// Integrals of the system at record i, in its order.
  std::span<const double> integrals(std::size_t i) const { return row(integrals_, i); }

  /// Names that `column` knows, in the order of results on file: "t", coordinates, velocities as
  /// "x_dot", "lambda_1" or the multiplier's name, ..., "energy", "constraint", integrals.
  std::vector<std::string> names() const;
  /// One quantity over all records, [size]; RequestError with the nearest name if there is none.
  std::vector<double> column(std::string_view name) const;

 private:
  friend class SolutionWriter;
  struct Rows {
    std::vector<std::string> names = {};  ///< of the columns
    std::vector<double> values = {};      ///< row by row
  };
  std::span<const double> row(const Rows& rows, std::size_t i) const;

  std::vector<double> times_, energies_, constraint_errors_;
  Rows q_, v_, lambda_, integrals_;
};

}  // namespace dalembert
