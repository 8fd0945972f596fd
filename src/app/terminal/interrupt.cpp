#include "interrupt.hpp"

#include <csignal>

namespace dalembert::app {
namespace {

std::atomic<bool> was_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void on_signal(int signal) {
  was_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

std::atomic<bool>& interrupt_flag() { return was_interrupted; }

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGHUP, on_signal);
}

}  // namespace dalembert::app
