#include <CLI/CLI.hpp>
#include <memory>

#include "app/arguments/study_arguments.hpp"
#include "app/ranks/ranked_commands.hpp"
#include "app/ranks/started_ranks.hpp"
#include "app/stored/stored_outputs.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/table.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "command_ensemble.hpp"
#include "commands.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/result/hdf5/run_writer.hpp"
#include "dalembert/result/run_table.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// The study in a result file, with a later end if one is given.
Study study_to_resume(const std::string& file, const std::string& until) {
  const WaitingLine line("reading " + file);
  return continued_study(read_hdf5_study(file), file, until);
}

struct ResumeArguments {
  std::string file, until, instruction_set;
  std::size_t threads = 1;
  StoredRequest outputs;  ///< of the whole result, when it is there
};

/// What the file holds when everything is done, also in other forms.
int with_outputs(int code, const Study& study, const ResumeArguments& arguments) {
  write_stored_outputs(study, arguments.file, arguments.outputs);
  return code;
}

int resume(const ResumeArguments& arguments) {
  const std::string &file = arguments.file, &until = arguments.until;
  if (const std::unique_ptr<Ranks> ranks = started_ranks()) {
    return on_ranks(*ranks, [&] {
      return resume_on_ranks(
          *ranks, {file, until, arguments.instruction_set, arguments.threads, arguments.outputs});
    });
  }
  const std::optional<InstructionSet> instruction_set =
      chosen_instruction_set(arguments.instruction_set);
  // A file that is no result is said to be that, before anything is written beside it.
  static_cast<void>(read_hdf5_study(file));
  ResultLock lock(file);
  const Study study = study_to_resume(file, until);
  claim_stored_outputs(study, file, arguments.outputs);
  if (study.ensemble) {
    return with_outputs(
        resume_ensemble(study, std::move(lock), !until.empty(), arguments.threads, instruction_set),
        study, arguments);
  }
  // Methods that were refused have left nothing to go on from.
  auto [plans, refused] = plan_fitting_with_progress(study);
  ExecutionOptions options;
  options.threads = arguments.threads;
  options.instruction_set = instruction_set;
  options.resume_from = read_hdf5_results(
      file, plans,
      {.with_records = false, .has_other_end = !until.empty(), .record_every = study.record_every});
  for (std::size_t i = 0; i < plans.size() && !until.empty(); ++i)
    refuse_earlier_end(study, plans[i], options.resume_from[i].final.t);
  std::vector<RunResult> results;
  {
    Hdf5Sink sink(std::move(lock), study, plans);
    options.sinks = {&sink};
    results = execute_with_progress(plans, options);
    sink.write_table(run_table(study, plans, results, refused));
    sink.close();
  }
  tell_results(plans, results);
  print_table(result_table(study, plans, results), arguments.outputs.outputs.json == "-");
  print_cautions(plans, results);
  print_false_claims(study, plans, results);
  return with_outputs(conclude(results, file), study, arguments);
}

}  // namespace

void add_resume(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ResumeArguments>();
  CLI::App* command = app.add_subcommand(
      "resume", "Continue an interrupted run, or a finished one to a later time");
  command
      ->add_option("file", arguments->file,
                   "A result of dalembert run --out; it is extended in place")
      ->required();
  command->add_option("--until", arguments->until, "The final time, if later than before");
  command->add_option("--threads", arguments->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024));
  add_stored_outputs(*command, arguments->outputs);
  add_verbosity_options(*command, "systems, methods as compiled, starts, each run");
  add_instruction_set_option(*command, arguments->instruction_set);
  command->footer("Example: dalembert resume result.h5 --until 5000 --csv rows --plot energy.svg");
  command->callback([arguments, &action] { action = [arguments] { return resume(*arguments); }; });
}

}  // namespace dalembert::app
