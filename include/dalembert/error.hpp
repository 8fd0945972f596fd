#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace dalembert {

/// Text as a terminal may show it: question marks in the place of control characters, which it
/// would obey, but for the ends of lines and tabs, and of bytes that are no UTF-8.
std::string without_controls(std::string text);
/// The same, and no longer than some screens: what is in the middle of a longer text is left out.
std::string readable(const std::string& sentence);

/// Whatever dalembert refuses, as one sentence for people in `what()`, whatever strangers' texts it
/// quotes. What programs need to know stands in the parts of the classes below, so that nobody has
/// to look for words in a sentence.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(readable(sentence)) {}
};

/// The request was wrong: a name, a key, a value, a size, a pair that does not fit. The sentence
/// says what was found and what is allowed. The command line exits with 2.
class RequestError : public Error {
 public:
  using Error::Error;
  /// `place: sentence`.
  RequestError(const std::string& place, const std::string& sentence)
      : Error(place + ": " + sentence), place_(place) {}

  /// Where the request stands, as "file:line" or "file:line: start \"circle\""; empty if unknown.
  const std::string& place() const { return place_; }
  /// The same error with a place, unless it has one.
  RequestError at(const std::string& place) const {
    return place_.empty() ? RequestError(place, what()) : *this;
  }

 private:
  std::string place_;
};

/// A file could not be read or written, or a program needed for it is missing. The command line
/// exits with 4.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// The numbers refused a step, where a caller asked for an exception. Within a run a refusal is a
/// returned report.
class StepError : public Error {
 public:
  StepError(const std::string& sentence, std::uint64_t at_step, double time, double left)
      : Error(sentence), step(at_step), t(time), residual(left) {}

  std::uint64_t step;  ///< number of the refused step, from 1
  double t;            ///< time before it
  double residual;     ///< largest entry of the residual of the step's equations
};

}  // namespace dalembert
