#pragma once

#include <cstddef>
#include <functional>

namespace dalembert {

/// Calls task(i, thread) once for each i = 0, ..., count - 1, on up to `threads` threads (the
/// calling one is thread 0); a thread takes the next i when it is free. The first exception that a
/// task throws is thrown again here, after all threads have ended; tasks not begun by then are left
/// out.
void parallel_for(std::size_t threads, std::size_t count,
                  const std::function<void(std::size_t i, std::size_t thread)>& task);

}  // namespace dalembert
