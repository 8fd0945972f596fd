#pragma once
// The interpreter's lock. At its end the interpreter ends every thread that asks for the lock, in
// the middle of C++, which ends the process: such a thread waits for the end of the process
// instead.

#include <pybind11/pybind11.h>

namespace dalembert::python {

/// From now on threads that ask for the lock wait for the end of the process, but for this one.
void give_no_more_locks();
/// Waits for the end of the process where the interpreter is at its end.
void wait_if_no_more_locks();

/// While one lives, this thread is without the lock.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() {
    wait_if_no_more_locks();
    PyEval_RestoreThread(state_);
  }

 private:
  PyThreadState* state_;
};

/// While one lives, this thread has the lock.
class Locked {
  struct Wait {
    Wait() { wait_if_no_more_locks(); }
  };
  Wait wait_;  // before the lock
  pybind11::gil_scoped_acquire lock_;
};

}  // namespace dalembert::python
