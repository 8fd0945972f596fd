// The processes that mpirun has started, as Ranks: a module of its own, which the program loads
// where it was started by mpirun, so that nobody else needs MPI. Only the interface of MPI for C is
// used. Errors of MPI end all processes, which is its default.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "dalembert/run/ranks.hpp"

namespace dalembert::mpi {
namespace {

using Message = std::vector<std::byte>;

/// MPI counts by int; what is larger goes in pieces.
constexpr std::size_t most_at_once = std::size_t{1} << 30U;

void check(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
}

class MpiRanks : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided));
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
    check(MPI_Comm_size(MPI_COMM_WORLD, &count_));
  }
  ~MpiRanks() override { MPI_Finalize(); }

  std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
  std::size_t count() const override { return static_cast<std::size_t>(count_); }

  std::vector<Message> gather(std::span<const std::byte> own) override {
    std::vector<Message> all;
    if (rank_ != 0) {
      send(own, 0);
      return all;
    }
    all.emplace_back(own.begin(), own.end());
    for (int rank = 1; rank < count_; ++rank) all.push_back(receive(rank));
    return all;
  }

  Message broadcast(Message of_first) override {
    std::uint64_t size = of_first.size();
    check(MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD));
    of_first.resize(size);
    for (std::size_t at = 0; at < size; at += most_at_once) {
      const auto count = static_cast<int>(std::min<std::size_t>(most_at_once, size - at));
      check(MPI_Bcast(of_first.data() + at, count, MPI_BYTE, 0, MPI_COMM_WORLD));
    }
    return of_first;
  }

  Message scatter(std::vector<Message> of_first) override {
    if (rank_ != 0) return receive(0);
    for (int rank = 1; rank < count_; ++rank) send(of_first[static_cast<std::size_t>(rank)], rank);
    return of_first.front();
  }

  [[noreturn]] void end_all(int exit_code) override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::abort();
  }

 private:
  static void send(std::span<const std::byte> bytes, int to) {
    const std::uint64_t size = bytes.size();
    check(MPI_Send(&size, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD));
    for (std::size_t at = 0; at < size; at += most_at_once) {
      const auto count = static_cast<int>(std::min<std::size_t>(most_at_once, size - at));
      check(MPI_Send(bytes.data() + at, count, MPI_BYTE, to, 0, MPI_COMM_WORLD));
    }
  }

  static Message receive(int from) {
    std::uint64_t size = 0;
    check(MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    Message bytes(size);
    for (std::size_t at = 0; at < size; at += most_at_once) {
      const auto count = static_cast<int>(std::min<std::size_t>(most_at_once, size - at));
      check(
          MPI_Recv(bytes.data() + at, count, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    return bytes;
  }

  int rank_ = 0, count_ = 1;
};

}  // namespace

/// The ranks of this process; the caller owns them.
extern "C" Ranks* dalembert_open_ranks() { return new MpiRanks; }

}  // namespace dalembert::mpi
