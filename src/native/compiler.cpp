#include "compiler.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <thread>
#include <vector>

#include "closed_files.hpp"

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
  explicit SpawnSettings(const fs::path& input) : SpawnSettings() {
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    close_others();
  }
  /// With an open file as the input.
  explicit SpawnSettings(int input) : SpawnSettings() {
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    close_others();
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
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions_);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions_, output, "/dev/null", O_WRONLY, 0);
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
  /// Files of other threads, as HDF5 has them, would stay locked as long as it runs.
  void close_others() { close_files_from(STDERR_FILENO + 1, actions_); }

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

constexpr double usual_seconds = 120.0;

/// Longest time of a compiler: DALEMBERT_COMPILER_SECONDS, or two minutes.
std::chrono::duration<double> longest_time() {
  const char* text = std::getenv("DALEMBERT_COMPILER_SECONDS");
  const double seconds = text == nullptr ? 0.0 : std::strtod(text, nullptr);
  return std::chrono::duration<double>(seconds > 0.0 && std::isfinite(seconds) ? seconds
                                                                               : usual_seconds);
}

}  // namespace

/// A process that ends a group of processes when this one is no more, whatever has ended it: it
/// waits for the end of a pipe of which this process has the other side.
class CompilerRun::Guard {
 public:
  explicit Guard(pid_t group) {
    std::array<int, 2> ends{-1, -1};
    if (pipe(ends.data()) != 0) return;
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    pipe_ = ends[1];
    const SpawnSettings settings(ends[0]);
    std::vector<std::string> words{"sh", "-c", "read _; kill -s KILL -- \"-$1\"", "sh",
                                   std::to_string(group)};
    const std::vector<char*> arguments = pointers_to(words);
    if (posix_spawn(&guard_, "/bin/sh", settings.actions(), settings.attributes(), arguments.data(),
                    environ) != 0)
      guard_ = 0;
    close(ends[0]);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    if (guard_ > 0) {
      kill(guard_, SIGKILL);
      while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
    }
    if (pipe_ >= 0) close(pipe_);
  }

 private:
  int pipe_ = -1;
  pid_t guard_ = 0;
};

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

std::vector<std::string> native_flags(InstructionSet set) {
  // GCC 12 fuses in spite of -ffp-contract=off where it vectorises.
  std::vector<std::string> flags{"-O2",
                                 "-ffp-contract=off",
                                 "-fno-math-errno",
                                 "-fno-tree-slp-vectorize",
                                 "-fno-tree-vectorize",
                                 "-fPIC",
                                 "-shared",
                                 "-w"};
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
  const Guard guard(child_);
  const std::string failure = await();
  return failure.empty() ? "" : compiler.string() + " " + failure;
}

std::string CompilerRun::await() {
  // As long as it is not reaped, its number is nobody else's, and it can be cancelled.
  using Clock = std::chrono::steady_clock;
  const auto last = Clock::now() + std::chrono::duration_cast<Clock::duration>(longest_time());
  bool is_late = false;
  for (siginfo_t info{};; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
    const int problem =
        waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOWAIT | WNOHANG);
    if ((problem == 0 && info.si_pid != 0) || (problem != 0 && errno != EINTR)) break;
    if (is_late || Clock::now() < last) continue;
    is_late = true;
    kill(-child_, SIGKILL);
  }
  const std::scoped_lock lock(mutex_);
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(child_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  child_ = 0;
  if (is_late) return "did not end within " + std::to_string(int(longest_time().count())) + " s";
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
