#include "program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/version.hpp"
#include "unknown_words.hpp"

namespace dalembert::app {
namespace {

constexpr std::size_t most_of_a_limit = 1'000'000'000;  // nodes have numbers of 32 bits

/// An empty name of a file, as an unset variable of a shell leaves it, would be no file in silence.
void refuse_empty_names(CLI::App& program) {
  for (CLI::App* command : program.get_subcommands({})) {
    for (const char* name : {"--out", "--json", "--csv", "--plot", "--html", "--markdown"}) {
      CLI::Option* option = command->get_option_no_throw(name);
      if (option == nullptr) continue;
      option->check([](const std::string& text) {
        return text.empty() ? std::string("is an empty text; it must name a file") : std::string();
      });
    }
  }
}

/// Refuses nan and infinity as numbers of options.
void refuse_infinite_values(CLI::App& program) {
  const auto is_finite = [](const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end == text.c_str() || std::isfinite(value) ? std::string()
                                                       : "is \"" + text + "\"; it must be finite";
  };
  for (CLI::App* command : program.get_subcommands({})) {
    for (CLI::Option* option : command->get_options())
      if (option->get_type_name().find("FLOAT") != std::string::npos) option->check(is_finite, "");
  }
}

/// Options for larger texts than strangers' may be, at each command that reads some.
void add_limit_options(CLI::App& program) {
  for (CLI::App* command : program.get_subcommands({})) {
    const std::string name = command->get_name();
    if (name == "list" || name == "completion") continue;
    const auto add = [&](const char* option, std::size_t& limit, const char* what) {
      command->add_option(option, limit, what)->check(CLI::Range(std::size_t{1}, most_of_a_limit));
    };
    add("--most-nodes", limits().nodes,
        "Largest number of terms, written out, of a problem and of a method's step on it "
        "(default: 1500000)");
    add("--most-coordinates", limits().coordinates,
        "Largest number of coordinates in arrays of a problem (default: 1200)");
    if (name != "describe" && name != "plot")
      add("--most-runs", limits().runs,
          "Largest number of runs of a study, and of values in a range (default: 10000)");
  }
}

/// A standard stream that is closed would give its number to the next file, and messages would go
/// there.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF)
      static_cast<void>(open("/dev/null", O_RDWR));
  }
}

bool asks_for_help(int argc, char** argv) {
  return argc == 1 || std::string_view(argv[1]) == "help";
}

/// `dalembert` alone and `dalembert help` are `dalembert --help`, `dalembert help run` is
/// `dalembert run --help`.
std::vector<char*> with_help(int argc, char** argv) {
  static char help[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (!asks_for_help(argc, argv)) return words;
  words = {argv[0]};
  if (argc > 2) words.push_back(argv[2]);
  words.push_back(help);
  return words;
}

int run_program(int argc, char** argv, const AddCommands& add_commands) {
  limits().every_graph = true;
  CLI::App program{"Simulation of mechanical systems with nonholonomic constraints", "dalembert"};
  program.set_version_flag("--version", "dalembert " + version());
  program.require_subcommand(1);
  program.footer(
      "Example: dalembert run modin-verdier-2020/figure-6 --json results.json\n"
      "Exit codes: 0 success, 1 a check failed, 2 wrong request, 3 the numbers refused, 4 input or "
      "output, "
      "130 interrupted.");
  Action action;
  add_commands(program, action);
  add_limit_options(program);
  refuse_empty_names(program);
  refuse_infinite_values(program);
  if (!asks_for_help(argc, argv))
    refuse_unknown_words(program, {argv, static_cast<std::size_t>(argc)});
  const std::vector<char*> words = with_help(argc, argv);
  try {
    program.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& request) {  // --help and --version
    std::ostringstream text;
    const int code = program.exit(request, text);
    print(text.str());
    return code;
  } catch (const CLI::ExtrasError& error) {
    complain(std::string(error.what()) +
             "; several methods are given as --method a,b, and what contains blanks in quotes");
    return bad_request;
  } catch (const CLI::ParseError& error) {
    complain(std::string(error.what()) + "; see dalembert --help");
    return bad_request;
  }
  return action();
}

}  // namespace

int run_commands(int argc, char** argv, const AddCommands& add_commands) {
  // A file that may not grow is an error of its write, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  open_standard_streams();
  try {
    return run_program(argc, argv, add_commands);
  } catch (const RequestError& error) {
    complain(error.what());
    return bad_request;
  } catch (const OutputError& error) {
    complain(error.what());
    return input_output;
  } catch (const std::bad_alloc&) {
    complain("not enough memory; a larger record_every keeps fewer records");
    return input_output;
  } catch (const std::system_error& error) {  // of files and folders, or of threads
    complain(std::string("the system refuses: ") + error.what());
    return input_output;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return internal_error;
  }
}

}  // namespace dalembert::app
