#pragma once

namespace dalembert::app {

/// Exit codes that other programs rely on.
enum ExitCode : int {
  success = 0,
  check_failed = 1,
  bad_request = 2,
  numbers_refused = 3,
  input_output = 4,
  internal_error = 70,
  interrupted = 130
};

}  // namespace dalembert::app
