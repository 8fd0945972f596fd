#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "dalembert/step/later_kernel.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// How steps are compiled.
struct NativeOptions {
  /// A C compiler that takes the options of gcc and clang, by name or path. If empty, what the
  /// environment variable DALEMBERT_CC says, else cc.
  std::string compiler = {};
  /// Where compiled steps are kept for the next time. If empty, the folder dalembert in
  /// XDG_CACHE_HOME, else in ~/.cache. It must belong to the user and to nobody else.
  std::filesystem::path cache = {};
  bool compiles = true;  ///< else only what was compiled before is taken
  /// Of one trajectory, or of a block of a batch: what its `block_size()` is.
  /// Blocks have vectors of this instruction set, whatever the batch runs on until they are ready;
  /// one trajectory has them for the stages of a step that are found by sweeps, if there are four
  /// doubles in them.
  int members = 1;
  InstructionSet instruction_set = InstructionSet::portable;
};

/// The steps of a program compiled by the system's C compiler, with the bits of the interpreter:
/// for one trajectory, or for the blocks of a batch.
/// Compiling goes on beside the steps of whoever waits for it, in a thread and a process of its
/// own; what was compiled once is found again in a folder. Where that cannot be done, there is no
/// kernel, and `refusal` says why.
class NativeCode : public LaterKernel {
 public:
  /// Begins to compile, unless it is found. RequestError for members that are no whole vectors, and
  /// for an instruction set that is not among `available_instruction_sets()`.
  explicit NativeCode(std::shared_ptr<const StepProgram> program,
                      const NativeOptions& options = {});
  /// Ends a compiler that is still at work. Kernels must not be used any more.
  ~NativeCode() override;
  NativeCode(const NativeCode&) = delete;
  NativeCode& operator=(const NativeCode&) = delete;

  const Kernel* kernel() const override;
  bool is_settled() const override;
  /// Returns when it is settled, or soon after `cancelled` has become true.
  void wait(const std::atomic<bool>* cancelled = nullptr) const;
  /// Why there is no kernel, in a few words; empty if there is one, if it is not settled, or if it
  /// was not compiled before and was not to be.
  std::string refusal() const;

  /// Whether compiled steps can be faster than the interpreter's, which has the stages of a step in
  /// vectors: not where they would be one after the other.
  static bool is_faster(const StepProgram& program, const NativeOptions& options = {});

  /// How long so many steps of one trajectory, or of one member of a block, take the interpreter,
  /// and how long the compiler works, in seconds: estimates from the length of the tape.
  static double seconds_interpreted(const StepProgram& program, std::uint64_t steps,
                                    const NativeOptions& options = {});
  static double seconds_to_compile(const StepProgram& program, const NativeOptions& options = {});

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace dalembert
