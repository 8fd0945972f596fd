#pragma once

#include <atomic>

namespace dalembert::app {

/// Set by SIGINT, SIGTERM and SIGHUP once `catch_interrupts` was called. A signal that comes a
/// second or more after the first ends the program; an earlier one belongs to the first, since
/// `timeout` and terminals send one to the process and another to its group.
std::atomic<bool>& interrupt_flag();
void catch_interrupts();

}  // namespace dalembert::app
