#include "native/closed_files.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

using namespace dalembert;

extern char** environ;  // NOLINT(readability-redundant-declaration): some systems do not declare it

namespace {

/// A file that a started process gets unless it is closed there.
class OpenFile {
 public:
  explicit OpenFile(int lowest = 0) {
    const int opened = open("/dev/null", O_RDONLY);
    number_ = fcntl(opened, F_DUPFD, lowest);
    close(opened);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(number_); }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

/// What a process does that is started.
class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t& get() { return actions_; }

  /// Whether a shell that is started so has the file.
  bool leave_open(int number) const {
    std::string shell = "sh", option = "-c",
                command = "test -e /proc/self/fd/" + std::to_string(number);
    const std::array<char*, 4> arguments{shell.data(), option.data(), command.data(), nullptr};
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, "/bin/sh", &actions_, nullptr, arguments.data(), environ) == 0);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) <= 1);
    return WEXITSTATUS(status) == 0;
  }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

TEST_CASE("without closing, a started process has the files of this one") {
  const OpenFile file, far(700);
  CHECK(far.number() >= 700);
  CHECK(Actions().leave_open(file.number()));
  CHECK(Actions().leave_open(far.number()));
}

TEST_CASE("a started process has no files but the first, at once or by number") {
  for (const Closing closing : {Closing::at_once, Closing::by_number}) {
    const OpenFile file, far(700);
    Actions actions;
    close_files_from(STDERR_FILENO + 1, actions.get(), closing);
    CHECK_FALSE(actions.leave_open(file.number()));
    CHECK_FALSE(actions.leave_open(far.number()));
    CHECK(actions.leave_open(STDERR_FILENO));
  }
}

TEST_CASE("files that were opened since are closed, too") {
  for (const Closing closing : {Closing::at_once, Closing::by_number}) {
    const OpenFile before;
    Actions actions;
    close_files_from(STDERR_FILENO + 1, actions.get(), closing);
    const OpenFile since, later;
    CHECK_FALSE(actions.leave_open(since.number()));
    CHECK_FALSE(actions.leave_open(later.number()));
  }
}

TEST_CASE("files that were closed since are no failure") {
  Actions actions;
  {
    const OpenFile file, far(700);
    close_files_from(STDERR_FILENO + 1, actions.get(), Closing::by_number);
  }
  CHECK(actions.leave_open(STDERR_FILENO));
}
