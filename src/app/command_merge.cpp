#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/stored/stored_outputs.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "command_ensemble.hpp"
#include "commands.hpp"
#include "dalembert/result/hdf5/part_reader.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct MergeArguments {
  std::vector<std::string> files;
  StoredRequest outputs;  ///< with --out
};

PartFiles found_parts(const std::vector<std::string>& files) {
  const WaitingLine line("reading " + files.front());
  return find_parts({files.begin(), files.end()});
}

std::vector<EnsembleResult> merged(const PartFiles& parts, std::vector<EnsemblePlan>& plans) {
  const WaitingLine line("merging " + std::to_string(parts.files.size()) + " parts");
  return read_parts(parts, plans);
}

/// Says where quantiles are left out.
void print_lost_quantiles(const std::vector<EnsembleResult>& results) {
  const bool are_lost = std::ranges::any_of(results, [](const EnsembleResult& result) {
    return std::ranges::any_of(result.quantities, [](const QuantityStatistics& quantity) {
      return std::ranges::any_of(quantity.records, [](const SampleStatistics& record) {
        return record.count > 0 && std::isnan(record.quantiles.front());
      });
    });
  });
  if (are_lost) {
    complain(
        "quantiles are left out: parts keep the values of all members where an ensemble has at "
        "most 2^25 of them, and these have more; all other statistics are those of the whole");
  }
}

int merge(const MergeArguments& arguments) {
  const PartFiles parts = found_parts(arguments.files);
  Study study = parts.whole.study;
  study.files = parts.files;
  study.plot = asked_plot(study.plot, arguments.outputs.outputs.shown);
  std::vector<EnsemblePlan> plans = plan_ensembles_with_progress(study);
  std::vector<RunPlan> runs;
  for (const EnsemblePlan& plan : plans) runs.push_back(plan.run);
  claim_outputs(arguments.outputs.outputs, study, runs);
  std::vector<EnsembleResult> results = merged(parts, plans);
  print_lost_quantiles(results);
  return compute_ensembles(study, plans, std::move(results), arguments.outputs.outputs);
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = app.add_subcommand(
      "merge", "Put the parts of an ensemble together, to the result of a run of the whole");
  command
      ->add_option("files", arguments->files,
                   "The results of dalembert ensemble --part K/N --out, one for each part")
      ->required();
  command->add_option("--out", arguments->outputs.outputs.out,
                      "Write the whole result to an HDF5 file, which can be resumed");
  add_stored_outputs(*command, arguments->outputs);
  add_verbosity_options(*command, "systems, methods as compiled, starts, each run");
  command->footer(
      "Numbers have the bits of a run of the whole; quantiles need the values of all members, "
      "which "
      "parts keep where they are not too many.\n"
      "Example: dalembert merge part-*.h5 --out all.h5");
  command->callback([arguments, &action] { action = [arguments] { return merge(*arguments); }; });
}

}  // namespace dalembert::app
