#include "study_arguments.hpp"

#include <CLI/CLI.hpp>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

Study chosen_study(const StudyArguments& arguments) {
  const WaitingLine line("reading " + arguments.study);
  const AskedStudy& given = arguments;
  AskedStudy asked = given;
  asked.recomputed_multiplier = asked_plot({}, arguments.shown).shows_recomputed_multiplier();
  Study study = asked_study(asked);
  study.plot = asked_plot(study.plot, arguments.shown);
  return study;
}

void add_run_options(CLI::App& command, const RunOptionWords& words, StudyArguments& asked) {
  command.add_option("study", asked.study, words.study)->required();
  command.add_option("--set", asked.settings, words.set)->allow_extra_args(false);
  command.add_option("--method", asked.methods, words.method)->allow_extra_args(false);
  command.add_option("--start", asked.start, words.start);
  if (!words.threads.empty())
    command.add_option("--threads", asked.threads, words.threads)->check(CLI::Range(1, 1024));
  for (const auto& [name, sentence] : words.run) {
    OptionInfo key = run_page().key(name);
    if (!sentence.empty()) key.description = sentence;
    add_key_option(command, run_page(), key, asked.values);
  }
}

void add_study_options(CLI::App& command, StudyArguments& arguments) {
  add_run_options(
      command,
      {.set = "Change a value of the study, as run.step=0.05 or method.0.alpha=0.3 (of one method "
              "alone also method.alpha=0.3)",
       .method = "A method, as dla01 or \"dla(alpha=0.4)\", or auto, which chooses one (may be "
                 "repeated, or several with commas); of a study, in the place of its own",
       .threads = "Number of runs at the same time; of an ensemble: threads that share its "
                  "members"},
      arguments);
  command
      .add_option("--sweep", arguments.sweeps,
                  "Run everything for each of several values of a key, as "
                  "method.stages=[1,2,3] or initial.v.0={from=0,to=2,count=11} (may be repeated)")
      ->allow_extra_args(false);
  add_report_options(
      command, arguments,
      {.json = "results", .csv = "", .plot = "a picture", .out = "records and results"});
  command.add_option("--csv", arguments.csv,
                     "Write the records of each run to a CSV file in this directory");
  add_plot_options(command, arguments.shown);
  add_page_options(command, run_page(), arguments.values);
  command.get_option("--steps")->excludes("--until");
  command
      .add_option(
          "--lanes", arguments.lanes,
          "Of an ensemble: members in one vector register, 1, 4 or 8; chosen for the machine "
          "if not given. Neither threads nor lanes change a bit of the results")
      ->check(CLI::IsMember({1, 4, 8}));
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
