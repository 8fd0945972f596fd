// A command for each analysis of the library: its options come from a page, its outputs are views.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "conduct.hpp"
#include "dalembert/analysis/analysis.hpp"

namespace dalembert::app {

using namespace study;

namespace {

constexpr const char* records = "records";

/// Whether a key of the page asks for the records of runs.
bool looks_at_records(const PageInfo& page) {
  return std::ranges::find(page.keys, records, &OptionInfo::name) != page.keys.end();
}

std::string records_key(const PageInfo& page) { return page.name + "." + records; }

int run_analysis(const Analysis& analysis, StudyArguments asked) {
  if (analysis.complete) analysis.complete(asked);
  // A picture shows what comes between start and end.
  if (!asked.plot.empty() && looks_at_records(analysis.page))
    asked.values.emplace_back(records_key(analysis.page), DocumentNode{true, {"--plot", 0}});
  return conduct(analysis, chosen_study(asked), asked);
}

/// Options of a command, each with the words of its help; none without words.
void add_run_options(CLI::App& command, const RunOptionWords& words, StudyArguments& asked) {
  command.add_option("study", asked.study, words.study)->required();
  command.add_option("--set", asked.settings, words.set)->allow_extra_args(false);
  command.add_option("--method", asked.methods, words.method)->allow_extra_args(false);
  command.add_option("--start", asked.start, words.start);
  if (!words.step.empty()) command.add_option("--step", asked.step, words.step);
  if (!words.until.empty()) command.add_option("--until", asked.until, words.until);
  if (!words.steps.empty()) command.add_option("--steps", asked.steps, words.steps);
  if (!words.threads.empty())
    command.add_option("--threads", asked.threads, words.threads)->check(CLI::Range(1, 1024));
  if (!words.native.empty())
    command.add_option("--native", asked.native, words.native)
        ->check(CLI::IsMember({"off", "require"}));
}

}  // namespace

void add_analysis(CLI::App& app, Action& action, const Analysis& analysis) {
  auto all = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(analysis.page.name, analysis.page.title);
  add_run_options(*command, analysis.options, *all);
  if (looks_at_records(analysis.page))
    command->add_option_function<std::string>(
        "--every",
        [all, key = records_key(analysis.page)](const std::string& time) {
          all->every = time;
          all->values.emplace_back(key, DocumentNode{true, {"--every", 0}});
        },
        "Also at records with so much time between them (default: the end alone)");
  add_analysis_options(*command, analysis, *all);
  command->callback([all, &action, &analysis] {
    action = [all, &analysis] { return run_analysis(analysis, *all); };
  });
}

}  // namespace dalembert::app
