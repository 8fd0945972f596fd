#pragma once

#include <stdexcept>
#include <string>

namespace dalembert {

/// The request was wrong: a key, a name, a value, a pair that does not fit. `what()` is one
/// sentence with the place (file and line), the key, what was found and what is allowed. The
/// command line exits with 2.
class RequestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file could not be read or written, or a program needed for it is missing. The command line
/// exits with 4.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dalembert
