#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace dalembert {

/// Text as a terminal may show it. Question marks take the place of bytes that are not UTF-8 and of
/// control characters, which a terminal would obey; ends of lines and tabs stay.
std::string without_controls(std::string text);
/// Text `without_controls` that is no longer than some screens: of more than 3000 bytes the middle
/// is left out.
std::string readable(const std::string& sentence);

/// Base of all errors of dalembert. `what()` is one sentence for people, made `readable` whatever
/// strangers' texts it quotes. Facts that programs need are members of the classes below, so that
/// nobody has to look for words in a sentence.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(readable(sentence)) {}
};

/// Error for a wrong request: a name, a key, a value, a size, a pair that does not fit. The
/// sentence says what was found and what is allowed. The command line exits with 2.
class RequestError : public Error {
 public:
  /// Error with this sentence and no place.
  using Error::Error;
  /// Error with the sentence `place: sentence`.
  RequestError(const std::string& place, const std::string& sentence)
      : Error(place + ": " + sentence), place_(place) {}

  /// Place of the request, as "file:line" or "file:line: start \"circle\""; empty if unknown.
  const std::string& place() const { return place_; }
  /// Error with the same sentence and a place, unless it has one.
  RequestError at(const std::string& place) const {
    return place_.empty() ? RequestError(place, what()) : *this;
  }

 private:
  std::string place_;
};

/// Error for a file that could not be read or written, or for a missing program that it needs. The
/// command line exits with 4.
class OutputError : public Error {
 public:
  /// Error with this sentence.
  using Error::Error;
};

/// Error for a step that failed, where a caller asked for an exception. Within a run a failed step
/// is a returned report.
class StepError : public Error {
 public:
  StepError(const std::string& sentence, std::uint64_t at_step, double time, double left)
      : Error(sentence), step(at_step), t(time), residual(left) {}

  std::uint64_t step;  ///< number of the failed step, from 1
  double t;            ///< time before it
  double residual;     ///< largest entry of the residual of the step's equations
};

}  // namespace dalembert
