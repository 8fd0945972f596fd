#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/problem_values.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/subject.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/report/linearisation/linearisation_report.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct LineariseArguments : ReportPaths {
  std::string problem, at, start;
  std::vector<std::string> settings, keep;
  LookOptions look;
  bool force = false;
};

const StartEntry& start_of(const ProblemFile& problem, const std::string& name) {
  if (const StartEntry* found = problem.find_start(name)) return *found;
  throw RequestError("problem \"" + problem.name + "\" has no start \"" + name + "\"" +
                     suggestion(name, problem.start_names()));
}

LinearisationRequest request_of(const ProblemFile& problem, const LineariseArguments& arguments) {
  const ProblemValues chosen = problem_values(problem, arguments.settings);
  LinearisationRequest request{.sizes = chosen.sizes, .parameters = chosen.parameters};
  request.keep = words_of(arguments.keep);
  request.cancelled = &interrupt_flag();
  const bool at_steady = arguments.at == "steady";
  if (!arguments.at.empty() && !at_steady) {
    if (!arguments.start.empty())
      throw RequestError("--at " + arguments.at +
                         " is a start already; --start is for --at steady, which looks near it");
    request.start = start_of(problem, arguments.at);
    request.search = false;
  } else if (!arguments.start.empty()) {
    request.start = start_of(problem, arguments.start);
  } else if (at_steady && !problem.starts.empty()) {
    request.start = problem.starts.front();
  }
  return request;
}

/// What is wrong with motions that were not found, one sentence for the first of them.
int conclude_linearised(const LinearisedProblem& result) {
  std::size_t failed = 0;
  for (std::size_t i = result.motions.size(); i-- > 0;)
    if (!result.motions[i].ok()) failed = i + 1;
  if (failed == 0) return success;
  const std::string of =
      result.varied.empty() ? ""
                            : " at " + result.varied + " = " + to_string(result.values[failed - 1]);
  complain(result.problem + (result.start.empty() ? "" : ", start \"" + result.start + "\"") + of +
           ": " + result.motions[failed - 1].message);
  return numbers_refused;
}

int linearise_of(const LineariseArguments& arguments) {
  refuse_study(arguments.problem, "linearise");
  if (find_method(arguments.problem))
    throw RequestError("linearise takes a problem, and \"" + arguments.problem + "\" is a method");
  const ProblemFile problem = read_problem_of(arguments.problem);
  const LinearisationRequest request = request_of(problem, arguments);
  const PictureLook look = asked_look(arguments.look);
  ReportOutputs outputs(arguments, problem.files, arguments.force);
  LinearisedProblem result;
  show_progress(0.0,
                [&](std::atomic<std::uint64_t>&) { result = linearise_problem(problem, request); });
  if (interrupt_flag()) {
    complain("interrupted; nothing is shown of what was found up to there");
    return interrupted;
  }
  outputs.write(
      {.text = linearisation_table(result, terminal_width()),
       .json = [&] { return linearisation_json(result); },
       .csv = [&] { return linearisation_csv(result); },
       .plot = [&](auto& path) { write_picture(path, linearisation_picture(result), look); }});
  return conclude_linearised(result);
}

}  // namespace

void add_linearise(CLI::App& app, Action& action) {
  auto all = std::make_shared<LineariseArguments>();
  CLI::App* command = app.add_subcommand(
      "linearise", "Linearise a problem about a steady motion: its roots, and where it is stable");
  command->add_option("problem", all->problem, "A problem's name or file")->required();
  command
      ->add_option("--at", all->at,
                   "A start that is a steady motion, or steady: the steady motion near the start "
                   "(default: the first start that is one, or else near the first)")
      ->option_text("START|steady");
  command->add_option("--start", all->start,
                      "The start near which a steady motion is looked for (default: the first)");
  command
      ->add_option("--set", all->settings,
                   "A parameter or a size, as speed=5; one parameter may have several values, as "
                   "\"speed={from=0, to=10, count=101}\"")
      ->allow_extra_args(false);
  command
      ->add_option("--keep", all->keep,
                   "Expressions that keep their values while a steady motion is looked for, as "
                   "\"x_dot, energy\"")
      ->allow_extra_args(false);
  add_report_options(*command, *all,
                     {.json = "motion, matrix and roots",
                      .csv = "a line for each root",
                      .plot = "the roots, along the parameter if there are several values"});
  add_look_options(*command, all->look);
  add_force_option(*command, all->force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Examples: dalembert linearise bicycle --set speed=5\n"
      "          dalembert linearise bicycle --set \"speed={from=0.5, to=8, count=76}\" --plot "
      "weave.svg\n"
      "          dalembert linearise spherical-pendulum --at steady --keep z");
  command->callback([all, &action] { action = [all] { return linearise_of(*all); }; });
}

}  // namespace dalembert::app
