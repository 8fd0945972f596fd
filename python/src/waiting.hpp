#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace dalembert::python {

/// What a piece of work and the thread that waits for it tell each other.
class Work {
 public:
  std::atomic<bool> cancelled = false;  ///< by a signal or an exception: stop after this step
  std::atomic<std::uint64_t> done = 0;  ///< steps
  std::atomic<double> total = 0.0;      ///< steps; 0 before it is known

  /// What is being done now, for people.
  void say(const std::string& stage);
  std::string stage() const;
  /// Throws Interrupted if the work is cancelled.
  void check() const;

 private:
  mutable std::mutex mutex_;
  std::string stage_;
};

/// The work was cancelled before there was anything to return: KeyboardInterrupt in Python.
class Interrupted {};

/// For the end of the interpreter: cancels all works, and lets them end; those that do not within
/// some seconds are left to the end of the process.
void end_all_works();

/// Does the work on a thread of its own, without the interpreter's lock. The calling thread looks
/// for signals every 50 ms and calls `progress(stage, done, total)` unless it is None. Ctrl-C
/// cancels the work, which returns what there is; so does an exception of `progress` or of a
/// signal's handler, which then goes on. Exceptions of the work are thrown here.
void wait_for(Work& work, const pybind11::object& progress, const std::function<void()>& task);

}  // namespace dalembert::python
