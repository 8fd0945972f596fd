#include "interrupt.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace dalembert::app {
namespace {

constexpr std::int64_t second = 1'000'000'000;  // nanoseconds

std::atomic<bool> was_interrupted = false;
std::atomic<std::int64_t> first_signal = 0;  ///< when it came; 0 before
static_assert(std::atomic<bool>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler sets them");

/// Nanoseconds since the machine started; a handler may ask.
std::int64_t now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return second * time.tv_sec + time.tv_nsec;
}

extern "C" void on_signal(int signal) {
  was_interrupted = true;
  std::int64_t first = 0;
  const std::int64_t time = now();
  if (first_signal.compare_exchange_strong(first, time) || time - first < second) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

std::atomic<bool>& interrupt_flag() { return was_interrupted; }

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGHUP, on_signal);
}

}  // namespace dalembert::app
