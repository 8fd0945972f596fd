#pragma once
// Starting a C compiler and waiting for it.

#include <sys/types.h>

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/step/instruction_set.hpp"

namespace dalembert {

/// The file that a command's name means, by PATH; nothing where there is none that can be run.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// The options with which steps are compiled for an instruction set; none of them may change a bit.
std::vector<std::string> native_flags(InstructionSet set);

/// One compiler at work, in a process group of its own. `cancel` comes from another thread.
class CompilerRun {
 public:
  /// Makes a library that can be loaded from a file of C; the compiler's own files are in
  /// `scratch`, a folder. Why it failed, empty if it did not.
  std::string compile(const std::filesystem::path& compiler, const std::vector<std::string>& flags,
                      const std::filesystem::path& source, const std::filesystem::path& target,
                      const std::filesystem::path& scratch);
  /// Ends the compiler and what it has started, now and later.
  void cancel();

 private:
  class Guard;
  std::string await();

  std::mutex mutex_;
  pid_t child_ = 0;
  bool is_cancelled_ = false;
};

}  // namespace dalembert
