#include "study_arguments.hpp"

#include <CLI/CLI.hpp>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

Study chosen_study(const StudyArguments& arguments) {
  const WaitingLine line("reading " + arguments.study);
  const AskedStudy& given = arguments;
  AskedStudy asked = given;
  asked.recomputed_multiplier = asked_plot({}, arguments.shown).shows_recomputed_multiplier();
  return asked_study(asked);
}

void add_study_options(CLI::App& command, StudyArguments& arguments) {
  command
      .add_option(
          "study", arguments.study,
          "Study file, name of a published study, or (with --method) a problem's name or file")
      ->required();
  command
      .add_option(
          "--set", arguments.settings,
          "Change a value of the study, as run.step=0.05 or method.0.alpha=0.3 (of one method "
          "alone also method.alpha=0.3)")
      ->allow_extra_args(false);
  command
      .add_option("--sweep", arguments.sweeps,
                  "Run everything for each of several values of a key, as "
                  "method.stages=[1,2,3] or initial.v.0={from=0,to=2,count=11} (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--out", arguments.out, "Write records and results to an HDF5 file");
  command.add_option("--json", arguments.json,
                     "Write results as JSON to a file, or to standard output with -");
  command.add_option("--csv", arguments.csv,
                     "Write the records of each run to a CSV file in this directory");
  command.add_option("--plot", arguments.plot,
                     "Draw a picture: a file ending in .svg, .png or .pdf");
  add_plot_options(command, arguments.shown);
  command
      .add_option("--threads", arguments.threads,
                  "Number of runs at the same time; of an ensemble: threads that share its members")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--method", arguments.methods,
                  "A method, as dla01 or \"dla(alpha=0.4)\", or auto, which chooses one (may be "
                  "repeated, or several with commas); of a study, in the place of its own")
      ->allow_extra_args(false);
  command.add_option("--step", arguments.step,
                     "The step size (a number or an expression such as pi/10)");
  command.add_option("--tolerance", arguments.tolerance,
                     "Instead of a step: the error of q and v that the run is to keep, as 1e-8; "
                     "without a method it chooses that, too");
  command.add_option("--until", arguments.until, "The final time");
  command.add_option("--steps", arguments.steps, "Instead of --until: the number of steps")
      ->excludes("--until");
  command.add_option("--every", arguments.every,
                     "Record every so much time, as 0.02, whatever the step is");
  command.add_option("--at", arguments.at, "Record at these times, as 0.5,1,\"pi/2\"");
  command.add_option("--start", arguments.start,
                     "The name of the start (default: the problem's first)");
  command
      .add_option(
          "--lanes", arguments.lanes,
          "Of an ensemble: members in one vector register, 1, 4 or 8; chosen for the machine "
          "if not given. Neither threads nor lanes change a bit of the results")
      ->check(CLI::IsMember({1, 4, 8}));
  command.add_flag("--strict", arguments.strict,
                   "A run whose contact ends stops there, and one that comes out of all scale "
                   "fails (exit code 3), instead of a warning");
  // After --set, whose words are taken first.
  command.add_flag_callback(
      "--no-events",
      [&settings = arguments.settings] { settings.emplace_back("run.no_events=true"); },
      "Leave out the events of the problem and of the study");
  command
      .add_option(
          "--native", arguments.native,
          "Whether the system's C compiler makes the steps of a run or an ensemble faster: auto, "
          "for long ones, off or require (default: what DALEMBERT_NATIVE says, else auto). No "
          "choice "
          "changes a bit of the results")
      ->check(CLI::IsMember({"auto", "off", "require"}));
  add_instruction_set_option(command, arguments.instruction_set);
  add_force_option(command, arguments.force);
  add_verbosity_options(command, "systems, methods as compiled, starts, each run");
}

void add_instruction_set_option(CLI::App& command, std::string& name) {
  command.add_option(
      "--instruction-set", name,
      "What steps are run with: portable, v2, v3 or v4 (of x86-64). An ensemble takes "
      "the best of the machine if not given, and so does a run whose stages lie side by side in "
      "vectors; another single run is portable. No choice changes a bit of the results");
}

std::optional<InstructionSet> chosen_instruction_set(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return instruction_set_of(name);
}

}  // namespace dalembert::app
