#include "lock.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace dalembert::python {
namespace {

std::atomic<bool> no_more_locks = false;
std::thread::id ending_thread;  // set before the former

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

}  // namespace

void give_no_more_locks() {
  ending_thread = std::this_thread::get_id();
  no_more_locks = true;
}

void wait_if_no_more_locks() {
  if (no_more_locks && ending_thread == std::this_thread::get_id()) return;
  while (no_more_locks || is_finalizing()) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace dalembert::python
