#pragma once
// Runs that a step or a method is chosen by. Only for the sources of this room.

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/step/step_program.hpp"
#include "step_cost.hpp"

namespace dalembert::study {

/// States of a run at some of its nodes.
struct Trace {
  std::vector<double> states;         ///< rows of q, angles unwrapped, and v
  std::vector<std::uint64_t> groups;  ///< of nodes, up to each row
  std::size_t width = 0;              ///< of a row
  double reached = 0.0;               ///< time
  double cost = 0.0;                  ///< counted: see StepCost
  double steps = 0.0;                 ///< or substeps that were taken
  bool complete = false;              ///< up to the end, or to an event that ends the run
  bool ended = false;                 ///< by such an event
  bool iterates = false;
};

/// The largest difference of two traces row by row, relative to one plus the size; infinite where
/// they have no common row.
struct Difference {
  double first_half = std::numeric_limits<double>::infinity(),
         whole = std::numeric_limits<double>::infinity();
  double kept = 0.0;  ///< the part of the rows before the first with more than a limit
};
Difference difference(const Trace& a, const Trace& b, double limit);

/// Steps of one size, in groups: see next_compared.
struct TrialSteps {
  double size = 0.0;
  std::uint64_t groups = 0, nodes_in_group = 1;
  std::uint64_t every = 1;  ///< groups between rows
  double tolerance = 0.0;   ///< of substeps, where the method controls them
  double most_cost = std::numeric_limits<double>::infinity();  ///< ends where it would be above
};

/// A method from one start, in steps of several sizes. Events that end runs end these.
class Trial {
 public:
  /// `divides`: whether steps are divided by their estimated error; only where the method can.
  Trial(std::shared_ptr<const StepProgram> program, Start start, std::vector<double> parameters,
        std::vector<Event> events, bool divides);

  Trace run(const TrialSteps& steps);
  const StepProgram& program() const { return *program_; }
  double order() const { return program_->method().facts().order; }
  bool divides() const { return divides_; }
  /// What all runs have cost.
  double spent() const { return spent_; }

 private:
  std::shared_ptr<const StepProgram> program_;
  Start start_;
  std::vector<double> parameters_;
  std::vector<Event> events_;
  bool divides_;
  StepCost cost_;
  double spent_ = 0.0;
};

}  // namespace dalembert::study
