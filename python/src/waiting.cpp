#include "waiting.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <optional>
#include <set>
#include <thread>

#include "lock.hpp"

namespace dalembert::python {

namespace py = pybind11;

void Work::say(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

std::string Work::stage() const {
  const std::lock_guard lock(mutex_);
  return stage_;
}

void Work::check() const {
  if (cancelled) throw Interrupted();
}

namespace {

std::mutex works_mutex;
std::condition_variable no_works;
std::set<Work*> works;

/// While one lives, its work is ended with the interpreter.
class Registered {
 public:
  explicit Registered(Work& work) : work_(&work) {
    const std::lock_guard lock(works_mutex);
    works.insert(work_);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() {
    const std::lock_guard lock(works_mutex);
    works.erase(work_);
    no_works.notify_all();
  }

 private:
  Work* work_;
};

/// A task on a thread of its own, and whether it has ended.
class Running {
 public:
  explicit Running(const std::function<void()>& task)
      : thread_([this, &task] {
          try {
            task();
          } catch (...) {
            error_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          has_ended_ = true;
          ended_.notify_all();
        }) {}

  /// Whether it has ended, after some time at most.
  bool ends_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return has_ended_; });
  }
  void join() { thread_.join(); }
  std::exception_ptr error() const { return error_; }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

/// Lets signals come in, and shows how far it is. Ctrl-C is taken as the wish to stop; other
/// exceptions are returned.
std::optional<py::error_already_set> look_around(Work& work, const py::object& progress) {
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none() && !work.cancelled)
      progress(work.stage(), work.done.load(), work.total.load());
  } catch (py::error_already_set& error) {
    work.cancelled = true;
    if (!error.matches(PyExc_KeyboardInterrupt)) return error;
  }
  return std::nullopt;
}

}  // namespace

void end_all_works() {
  constexpr std::chrono::seconds longest{5};
  {
    const Unlocked unlocked;
    std::unique_lock lock(works_mutex);
    for (Work* work : works) work->cancelled = true;
    no_works.wait_for(lock, longest, [] { return works.empty(); });
  }
  give_no_more_locks();
}

void wait_for(Work& work, const py::object& progress, const std::function<void()>& task) {
  constexpr std::chrono::milliseconds between_looks{50};
  const Registered registered(work);
  std::optional<py::error_already_set> error;
  std::exception_ptr of_task;
  {
    Unlocked unlocked;
    Running running(task);
    while (!running.ends_within(between_looks)) {
      const Locked locked;
      if (auto found = look_around(work, progress); found && !error) error = std::move(found);
    }
    running.join();
    of_task = running.error();
  }
  if (error) throw std::move(*error);
  try {
    if (of_task) std::rethrow_exception(of_task);
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  if (!progress.is_none() && !work.cancelled)
    progress(work.stage(), work.done.load(), work.total.load());
}

}  // namespace dalembert::python
