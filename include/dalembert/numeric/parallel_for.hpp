#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace dalembert {

namespace detail {
/// Call of a task behind a pointer.
using IndexedTask = void (*)(void* task, std::size_t i, std::size_t thread);
/// parallel_for on a task behind a pointer, so that a call neither copies nor allocates it.
void parallel_for(std::size_t threads, std::size_t count, void* task, IndexedTask call);
}  // namespace detail

/// Calls task(i, thread) once for each i = 0, ..., count - 1, on up to `threads` threads (the
/// calling one is thread 0, and the only one if `threads` is 0 or 1); a thread takes the next i
/// when it is free. The exception that a single thread would have met, of the lowest i whose task
/// throws, is thrown again here after all threads have ended; later tasks that have not begun by
/// then are left out. Allocates for its threads only.
template <class Task>
void parallel_for(std::size_t threads, std::size_t count, Task&& task) {
  using Callee = std::remove_reference_t<Task>;
  void* place = const_cast<void*>(static_cast<const void*>(std::addressof(task)));
  detail::parallel_for(threads, count, place, [](void* callee, std::size_t i, std::size_t thread) {
    (*static_cast<Callee*>(callee))(i, thread);
  });
}

}  // namespace dalembert
