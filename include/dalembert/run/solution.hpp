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

/// What came of a run: its records, in contiguous rows, and how it ended. A run that the numbers
/// refused keeps everything up to there; its last record is the state before the refused step.
class Solution {
 public:
  enum class Status { ok, failed } status = Status::ok;
  std::string message = {};      ///< one sentence when it failed: step, time, residual
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through iteration loops
  double residual = 0.0;         ///< of a refused step
  Point point = {};  ///< the last state as the stepper holds it: enough to continue bit for bit

  /// What has happened on the way, in the order of time, and the number of the event that has ended
  /// the run: its last record is then the state at the event, which is no node.
  std::vector<EventOccurrence> events = {};
  std::optional<std::size_t> ended_by = {};

  bool ok() const { return status == Status::ok; }
  /// The number of records: the start, every `record_every` steps, and the last state.
  std::size_t size() const { return times_.size(); }

  /// All records, one after the other: t and energy [size], q (angles unwrapped) [size x dof],
  /// v [size x dof], lambda [size x constraint_count], integrals [size x their number].
  std::span<const double> t() const { return times_; }
  std::span<const double> energy() const { return energies_; }
  std::span<const double> q() const { return q_.values; }
  std::span<const double> v() const { return v_.values; }
  std::span<const double> lambda() const { return lambda_.values; }
  std::span<const double> integrals() const { return integrals_.values; }
  /// Largest violation of a constraint, [size].
  std::span<const double> constraint_error() const { return constraint_errors_; }

  /// One record; i < size().
  double t(std::size_t i) const { return times_.at(i); }
  double energy(std::size_t i) const { return energies_.at(i); }
  std::span<const double> q(std::size_t i) const { return row(q_, i); }
  std::span<const double> v(std::size_t i) const { return row(v_, i); }
  std::span<const double> lambda(std::size_t i) const { return row(lambda_, i); }
  std::span<const double> integrals(std::size_t i) const { return row(integrals_, i); }

  /// What `column` knows, in the order of results on file: "t", coordinates, velocities as "x_dot",
  /// "lambda_1" or the multiplier's name, ..., "energy", "constraint", integrals.
  std::vector<std::string> names() const;
  /// One quantity over all records, [size]; RequestError with the nearest name if there is none.
  std::vector<double> column(std::string_view name) const;

 private:
  friend class SolutionWriter;
  struct Rows {
    std::vector<std::string> names = {};
    std::vector<double> values = {};
  };
  std::span<const double> row(const Rows& rows, std::size_t i) const;

  std::vector<double> times_, energies_, constraint_errors_;
  Rows q_, v_, lambda_, integrals_;
};

}  // namespace dalembert
