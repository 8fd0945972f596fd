#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/expression/tape/tape.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/step/kernel.hpp"

namespace dalembert {

/// Solver of the equations of a step.
enum class StepSolver {
  /// Stages by sweeps where the method says how; else, and where they do not converge, as `newton`.
  structured,
  /// Sweeps without the fallback, which is most of what there is to compile: a step whose sweeps do
  /// not converge is refused. As `structured` where stages are not swept.
  sweeps,
  newton,  ///< block by block; what follows from few unknowns is eliminated
  plain,   ///< one Newton iteration for all unknowns with the whole Jacobian: for comparison
};

/// Choices for the compilation of a step.
struct StepOptions {
  /// For long runs: q and v are compensated sums, Newton's iterations go on until there is nothing
  /// to correct, and the step size varies in its last digits (by at most 16 units, the same in
  /// every run; on average it is h), so that the rounding of products with it does not add up. What
  /// energy methods keep then wanders as a random walk does, without a bias.
  bool compensated = false;
  bool wrap_angles = true;                     ///< keep angles in [-pi, pi] and count their turns
  StepSolver solver = StepSolver::structured;  ///< method for implicit blocks
  /// Also compute the `watched_quantities` of the states that steps begin with, and the multiplier
  /// where the method has none of its own, where a stepper is told to; see Stepper::watch.
  bool watched = false;
  /// Further expressions in the symbols of the system and the step size that are computed likewise:
  /// watched last.
  std::function<Vector(const Symbols&, const Expr& h)> also_watched = {};
};

/// The equations of one step of a method on a system, in a frozen graph over that
/// of the system.
struct StepEquations {
  State before;                           ///< symbols
  Expr h;                                 ///< symbol of the step size
  std::vector<Unknowns::Group> unknowns;  ///< symbols, starts of iterations and values
  Equations equations;                    ///< in these symbols
};

/// A method on a system, compiled: the block lower triangular form of the step's equations as a
/// tape. Explicit and linear blocks are straight code; only truly implicit blocks iterate.
/// Immutable; shared by any number of steppers.
class StepProgram {
 public:
  /// One block of the equations, for people who want to know what is solved how.
  struct Block {
    /// `sweeps`: the rates of stages that have no fallback; else these have the blocks of that.
    enum class Kind { explicit_assignment, linear, newton, secant, sweeps } kind;
    std::vector<std::string> unknowns;  ///< names, as "k[1]"
    std::size_t system_size;            ///< of the linear system that is left after elimination
  };

  /// Throws RequestError with the reason where the method does not fit the system, or
  /// where the equations of the step do not determine the new state.
  static std::shared_ptr<const StepProgram> compile(const System& system, const Method& method,
                                                    const StepOptions& options = {});

  const System& system() const { return system_; }              ///< as given to `compile`
  const Method& method() const { return method_; }              ///< as given to `compile`
  const StepOptions& options() const { return options_; }       ///< as given to `compile`
  const Tape& tape() const { return tape_; }                    ///< instructions of a step
  const std::vector<Block>& blocks() const { return blocks_; }  ///< in the order of their solution
  /// Equations that the tape stands for, symbolically.
  const StepEquations& equations() const { return equations_; }
  /// Number of slots that an interpreter needs: those of the tape, then turns and carries.
  std::size_t slot_count() const { return slot_count_; }
  /// Numbers of workspace that a kernel needs for each trajectory.
  std::size_t workspace_size() const {
    return newton_memory_ + stage_memory_ + tape_.largest_solve * (tape_.largest_solve + 2);
  }
  StepView view() const;  ///< valid as long as the program lives
  /// Interpreter that runs the steps of one trajectory in double.
  const Kernel& kernel() const { return *kernel_; }

  std::size_t dof() const { return system_.dof(); }  ///< dimension of the configuration space
  /// The entries of q; see System::storage_count.
  std::size_t storage_count() const { return system_.storage_count(); }
  /// As many as dof(); none for a system in skew-gradient form.
  std::size_t velocity_count() const { return system_.velocity_count(); }
  /// Multipliers in the state: the number of constraints, or 0 where the method reports the
  /// continuous multiplier.
  std::size_t lambda_count() const { return lambda_count_; }
  /// Number of entries that a state carries to the next step, beside q, v and lambda.
  std::size_t carried_count() const { return carried_count_; }
  std::size_t error_count() const { return error_count_; }  ///< estimates of a step's errors
  std::size_t dense_count() const { return dense_count_; }  ///< numbers for dense output
  /// Numbers for Newton's first guesses.
  std::size_t history_count() const { return history_count_; }
  /// The slots of the setup inputs: parameters.
  const std::vector<std::uint32_t>& parameter_slots() const { return parameter_slots_; }
  /// q, v, lambda, carried, error_estimate, dense, history.
  const std::vector<StateEntry>& entries() const { return entries_; }
  std::uint32_t step_size_slot() const { return step_size_slot_; }  ///< slot of h
  /// Slot of the time of step number 0.
  std::uint32_t start_time_slot() const { return start_time_slot_; }
  /// The `watched_quantities`, in their order, then the continuous multiplier where the method
  /// reports that, then StepOptions::also_watched; none unless asked for.
  const std::vector<WatchedEntry>& watched() const { return watched_; }
  /// Slot of 1 while watching, else 0.
  std::uint32_t is_watching_slot() const { return is_watching_slot_; }

 private:
  StepProgram(System system, Method method, StepOptions options)
      : system_(std::move(system)), method_(std::move(method)), options_(std::move(options)) {}
  void place_state(const Tape& tape);
  void place_stages();

  System system_;
  Method method_;
  StepOptions options_;
  Tape tape_;
  std::vector<Block> blocks_;
  StepEquations equations_;
  std::vector<StateEntry> entries_;
  std::vector<WatchedEntry> watched_;
  std::vector<std::uint32_t> parameter_slots_;
  const Kernel* kernel_ = &number_kernel();
  std::vector<StageView> stages_;
  std::size_t slot_count_ = 0, newton_memory_ = 0, stage_memory_ = 0;
  std::size_t lambda_count_ = 0, carried_count_ = 0, error_count_ = 0, dense_count_ = 0,
              history_count_ = 0;
  bool has_rest_ = false;  ///< Equations::velocity_rest
  std::uint32_t step_size_slot_ = 0, time_slot_ = 0, start_time_slot_ = 0, is_watching_slot_ = 0;
};

}  // namespace dalembert
