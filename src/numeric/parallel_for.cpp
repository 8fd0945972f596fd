#include "dalembert/numeric/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace dalembert::detail {

void parallel_for(std::size_t threads, std::size_t count, void* task, IndexedTask call) {
  // Tasks from `end` on are not begun. A task below it is, whatever a later one has thrown, so that
  // it is the lowest that throws.
  std::atomic<std::size_t> next = 0, end = count;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto work = [&](std::size_t thread) {
    for (std::size_t i = next++; i < end; i = next++) {
      try {
        call(task, i, thread);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (i > end) continue;  // a lower one has thrown meanwhile
        end = i;
        problem = std::current_exception();
      }
    }
  };
#ifdef __cpp_lib_jthread
  std::vector<std::jthread> workers;
  try {
    for (std::size_t thread = 1; thread < std::min(threads, count); ++thread)
      workers.emplace_back(work, thread);
  } catch (const std::system_error&) {
    // The system gives no more of them: those that there are do the work. No result changes.
  }
  work(0);
  workers.clear();  // waits for them
#else
  // In a browser, where there are no threads. Their number changes no result.
  static_cast<void>(threads);
  work(0);
#endif
  if (problem) std::rethrow_exception(problem);
}

}  // namespace dalembert::detail
