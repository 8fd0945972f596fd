#include "verbosity.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "message.hpp"

namespace dalembert::app {
namespace {

/// Of the whole program, which runs one command; set while the command line is read.
struct Verbosity {
  bool is_quiet = false, is_verbose = false;
};

Verbosity& verbosity() {
  static Verbosity chosen;
  return chosen;
}

}  // namespace

void add_verbosity_options(CLI::App& command, const std::string& told) {
  CLI::Option* quiet = command.add_flag("--quiet", verbosity().is_quiet,
                                        "No tables and no progress; warnings and errors remain");
  command
      .add_flag("--verbose", verbosity().is_verbose, "Say on standard error what is done: " + told)
      ->excludes(quiet);
}

std::size_t terminal_width() {
  winsize size{};
  const bool is_terminal =
      isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_terminal ? size.ws_col : 0;
}

bool shows_tables_and_progress() { return !verbosity().is_quiet; }

bool tells_what_is_done() { return verbosity().is_verbose; }

void tell(const std::string& text) {
  if (tells_what_is_done()) std::fputs((text + "\n").c_str(), stderr);
}

void print_table(const std::string& text, bool is_output_taken) {
  if (!shows_tables_and_progress()) return;
  if (is_output_taken) {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
}

}  // namespace dalembert::app
