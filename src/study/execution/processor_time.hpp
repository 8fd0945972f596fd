#pragma once
// Processor time of the calling thread. Only for the sources of this room.

#include <chrono>
#include <ctime>

namespace dalembert::study {

/// Seconds of processor time that the calling thread has taken, so that what else the machine does
/// is no part of it; seconds of a clock where a system does not tell.
inline double processor_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace dalembert::study
