#pragma once

#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

/// A part of the equations of a system.
enum class SystemPart {
  coordinates,
  lagrangian,
  constraints,  ///< on velocities, on positions, or all of them together
  force,
  reversal,
  skew_gradient
};

/// The equations of a system make no sense; says which part of them, for those who know where it
/// was written.
class SystemError : public RequestError {
 public:
  SystemError(SystemPart part, const std::string& sentence) : RequestError(sentence), part_(part) {}
  SystemPart part() const { return part_; }  ///< faulty part of the equations

 private:
  SystemPart part_;
};

/// Some constraints follow from others, for every state or at a start, where they are to be
/// independent.
class DependentConstraints : public SystemError {
 public:
  explicit DependentConstraints(const std::string& sentence)
      : SystemError(SystemPart::constraints, sentence) {}
};

}  // namespace dalembert
