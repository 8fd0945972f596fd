#pragma once

#include <atomic>

namespace dalembert::app {

/// Set by SIGINT, SIGTERM and SIGHUP once `catch_interrupts` was called; a second signal ends the
/// program.
std::atomic<bool>& interrupt_flag();
void catch_interrupts();

}  // namespace dalembert::app
