#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dalembert {

/// Processes that compute together, of which this is one: as those of MPI, numbered from zero. All
/// functions but the first two are collective: every rank calls them, in the same order.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual std::size_t rank() const = 0;   ///< number of this process, from 0
  virtual std::size_t count() const = 0;  ///< number of processes
  /// Bytes that each rank gives, by rank, at rank 0; nothing at the others.
  virtual std::vector<std::vector<std::byte>> gather(std::span<const std::byte> own) = 0;
  /// Bytes that rank 0 gives, at every rank.
  virtual std::vector<std::byte> broadcast(std::vector<std::byte> of_first) = 0;
  /// Bytes that rank 0 gives for each rank, at that rank.
  virtual std::vector<std::byte> scatter(std::vector<std::vector<std::byte>> of_first) = 0;
  /// Ends the processes of all ranks, also those that wait for this one: for errors at one of them.
  /// Not collective.
  [[noreturn]] virtual void end_all(int exit_code) = 0;
};

}  // namespace dalembert
