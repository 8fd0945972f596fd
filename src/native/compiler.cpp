#include "compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): some systems do not declare it

namespace dalembert {
namespace {

namespace fs = std::filesystem;

/// Where compilers keep their own files.
constexpr std::array<std::string_view, 3> folder_variables{"TMPDIR=", "TMP=", "TEMP="};

bool can_be_run(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// What a process that is started gets: no terminal and no open files, no ignored signals, a group
/// of its own.
class SpawnSettings {
 public:
  explicit SpawnSettings(const fs::path& input) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions_, output, "/dev/null", O_WRONLY, 0);
#ifdef __GLIBC__  // in a browser there is no such action
    // Files of other threads, as HDF5 has them, would stay locked as long as it runs.
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// The variables of this process, with a folder for temporary files.
std::vector<std::string> environment_with_folder(const fs::path& folder) {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool is_folder = std::ranges::any_of(
        folder_variables, [&](std::string_view name) { return text.starts_with(name); });
    if (!is_folder) variables.emplace_back(text);
  }
  for (const std::string_view name : folder_variables)
    variables.push_back(std::string(name) + folder.string());
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string::npos) {
    if (can_be_run(name)) return fs::path(name);
    return std::nullopt;
  }
  const char* search = std::getenv("PATH");
  std::istringstream directories(search == nullptr ? "" : search);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const fs::path path = fs::path(directory) / name;
    if (can_be_run(path)) return path;
  }
  return std::nullopt;
}

std::vector<std::string> native_flags(InstructionSet set, bool is_for_packs) {
  // GCC 12 fuses in spite of -ffp-contract=off where it vectorises straight code.
  std::vector<std::string> flags{
      "-O2", "-ffp-contract=off", "-fno-math-errno", "-fno-tree-slp-vectorize", "-fPIC", "-shared",
      "-w"};
  if (!is_for_packs) return flags;
  flags.emplace_back("-fno-tree-vectorize");
  if (set != InstructionSet::portable) flags.push_back("-march=" + std::string(to_string(set)));
  return flags;
}

std::string CompilerRun::compile(const fs::path& compiler, const std::vector<std::string>& flags,
                                 const fs::path& source, const fs::path& target,
                                 const fs::path& scratch) {
  std::vector<std::string> words{compiler.string()};
  words.insert(words.end(), flags.begin(), flags.end());
  // By standard input, so that no name of a file gets into the result.
  for (const std::string& word : {std::string("-x"), std::string("c"), std::string("-"),
                                  std::string("-o"), target.string(), std::string("-lm")})
    words.push_back(word);
  std::vector<std::string> variables = environment_with_folder(scratch);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  {
    const std::scoped_lock lock(mutex_);
    if (is_cancelled_) return "it was not needed any more";
    const SpawnSettings settings(source);
    const int problem = posix_spawn(&child_, compiler.c_str(), settings.actions(),
                                    settings.attributes(), arguments.data(), environment.data());
    if (problem != 0) {
      child_ = 0;
      return compiler.string() + " cannot be started: " + std::strerror(problem);
    }
  }
  const std::string failure = await();
  return failure.empty() ? "" : compiler.string() + " " + failure;
}

std::string CompilerRun::await() {
  // As long as it is not reaped, its number is nobody else's, and it can be cancelled.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) break;
  }
  const std::scoped_lock lock(mutex_);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(child_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  child_ = 0;
  // Where children are reaped by others, the result tells.
  if (ended < 0) return {};
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return {};
  return "failed with exit code " + std::to_string(WEXITSTATUS(status));
}

void CompilerRun::cancel() {
  const std::scoped_lock lock(mutex_);
  is_cancelled_ = true;
  if (child_ > 0) kill(-child_, SIGKILL);
}

}  // namespace dalembert
