#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include "dalembert/step/later_kernel.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// Options of the compilation of steps.
struct NativeOptions {
  /// C compiler that takes the options of gcc and clang, by name or path. If empty, the value of
  /// the environment variable DALEMBERT_CC, else cc.
  std::string compiler = {};
  /// Folder in which compiled steps are kept for the next time. If empty, the folder dalembert in
  /// XDG_CACHE_HOME, else in ~/.cache. It must belong to the user and to nobody else.
  std::filesystem::path cache = {};
  bool compiles = true;  ///< false: takes only steps that were compiled before
  /// Members that a kernel advances together: 1 for one trajectory, the `block_size()` of a batch
  /// for its blocks.
  int members = 1;
  /// Instruction set of the code and of its vectors. Blocks have them whatever the batch runs on
  /// until they are ready. One trajectory has vectors for the stages of a step that are found by
  /// sweeps, if there are at least four doubles in them.
  InstructionSet instruction_set = InstructionSet::portable;
};

/// The steps of a program compiled by the system's C compiler, for one trajectory or for the blocks
/// of a batch. Results are bitwise identical to those of the interpreter.
///
/// The compiler works in a thread and a process of its own while steps go on. A folder keeps
/// compiled steps, where later runs find them. If steps cannot be compiled, there is no
/// kernel, and `refusal` gives the reason.
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
  /// Reason why there is no kernel, in a few words; empty if there is one, if it is not settled, or
  /// if it was not compiled before and was not to be.
  std::string refusal() const;

  /// True if compiled steps can be faster than the interpreter's, which has the stages of a step in
  /// vectors. False if the compiled stages would be one after the other.
  static bool is_faster(const StepProgram& program, const NativeOptions& options = {});

  /// Estimated time [s] of so many steps of one trajectory, or of one member of a block, by the
  /// interpreter, from the length of the tape.
  static double seconds_interpreted(const StepProgram& program, std::uint64_t steps,
                                    const NativeOptions& options = {});
  /// Estimated time [s] of the compiler, from the number of lines that it compiles.
  static double seconds_to_compile(const StepProgram& program, const NativeOptions& options = {});

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace dalembert
