#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/problem_values.hpp"
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
  std::string problem, out;
  std::vector<std::string> symmetry, settings;
  std::string multiplier;
  bool hamiltonize = false, reconstruct = false, force = false;
};

int reduce(const ReduceArguments& arguments) {
  const ProblemFile file = read_problem_of(arguments.problem);
  const ReductionChoice choice{
      .symmetry = arguments.symmetry,
      .multiplier = arguments.multiplier,
      .hamiltonize = arguments.hamiltonize || !arguments.multiplier.empty(),
      .reconstruct = arguments.reconstruct};
  const Problem problem = load_problem(arguments.problem, load_options(file, arguments.settings));
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
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag(
      "--hamiltonize", arguments->hamiltonize,
      "In the time tau of the problem's reducing multiplier N, d tau = N dt, in which "
      "nothing is left of the constraints");
  command->add_option("--multiplier", arguments->multiplier,
                      "N as an expression of coordinates and parameters; with it --hamiltonize");
  command->add_flag("--reconstruct", arguments->reconstruct,
                    "Keep the symmetric coordinates, and the time, as coordinates that follow");
  command
      ->add_option("--set", arguments->settings, "A parameter or a size, as k=0 (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "Write to a file in the place of standard output");
  command->add_flag("--force", arguments->force, "Replace a file that was not made by dalembert");
  command->footer(
      "Examples: dalembert reduce particle-free > reduced.toml\n"
      "          dalembert reduce particle-harmonic --hamiltonize --reconstruct --out tau.toml\n"
      "          dalembert run tau.toml --method spark --step 0.1 --until 1000");
  command->callback([arguments, &action] { action = [arguments] { return reduce(*arguments); }; });
}

}  // namespace dalembert::app
