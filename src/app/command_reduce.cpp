#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/subject.hpp"
#include "app/terminal/message.hpp"
#include "commands.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/reduction/reduced_problem.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ReduceArguments {
  std::string problem, start, out;
  std::vector<std::string> symmetry, settings;
  std::string multiplier;
  bool hamiltonize = false, reconstruct = false, force = false;
};

/// "k=0" as a parameter and its value.
NamedValues named_values(const std::vector<std::string>& settings) {
  NamedValues values;
  for (const std::string& setting : settings) {
    const std::size_t sign = setting.find('=');
    std::size_t read = 0;
    try {
      if (sign != std::string::npos)
        values[setting.substr(0, sign)] = std::stod(setting.substr(sign + 1), &read);
    } catch (const std::exception&) {
      read = 0;
    }
    if (sign == std::string::npos || read == 0 || sign + 1 + read != setting.size())
      throw RequestError("--set " + setting + ": expected a parameter and a number, as k=0");
  }
  return values;
}

int reduce(const ReduceArguments& arguments) {
  const ProblemFile file = read_problem_of(arguments.problem);
  ReductionChoice choice{.symmetry = arguments.symmetry,
                         .multiplier = arguments.multiplier,
                         .hamiltonize = arguments.hamiltonize || !arguments.multiplier.empty(),
                         .reconstruct = arguments.reconstruct};
  choice.load.parameters = named_values(arguments.settings);
  const Problem problem = load_problem(arguments.problem, choice.load);
  OutputClaims claims({}, arguments.force);
  claims.claim("--out", arguments.out);
  const std::string text =
      reduced_problem_text(file, problem, reduce_problem(file, problem, choice));
  if (arguments.out.empty()) {
    print(text);
    return success;
  }
  OutputFile(arguments.out).write(text);
  return success;
}

}  // namespace

void add_reduce(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ReduceArguments>();
  CLI::App* command = app.add_subcommand(
      "reduce", "Write a problem without the coordinates along which it is symmetric");
  command->add_option("problem", arguments->problem, "A problem, by name or file")->required();
  command
      ->add_option("--symmetry", arguments->symmetry,
                   "The symmetric coordinates, as x or x,y (default: those of its [reduction])")
      ->delimiter(',');
  command->add_flag(
      "--hamiltonize", arguments->hamiltonize,
      "In the time tau of the problem's reducing multiplier N, d tau = N dt, in which "
      "nothing is left of the constraints");
  command->add_option("--multiplier", arguments->multiplier,
                      "N as an expression of coordinates and parameters; with it --hamiltonize");
  command->add_flag("--reconstruct", arguments->reconstruct,
                    "Keep the symmetric coordinates, and the time, as coordinates that follow");
  command->add_option("--set", arguments->settings, "Change a parameter, as k=0 (may be repeated)");
  command->add_option("--out", arguments->out, "Write to a file in the place of standard output");
  command->add_flag("--force", arguments->force, "Replace a file that was not made by dalembert");
  command->footer(
      "Examples: dalembert reduce particle-free > reduced.toml\n"
      "          dalembert reduce particle-harmonic --hamiltonize --reconstruct --out tau.toml\n"
      "          dalembert run tau.toml --method spark --step 0.1 --until 1000");
  command->callback([arguments, &action] { action = [arguments] { return reduce(*arguments); }; });
}

}  // namespace dalembert::app
