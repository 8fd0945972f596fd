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

}  // namespace

void add_analysis(CLI::App& app, Action& action, const Analysis& analysis) {
  auto all = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(analysis.page.name, analysis.page.title);
  add_run_options(*command, analysis.options, *all);
  if (looks_at_records(analysis.page))
    command->add_option_function<std::string>(
        "--every",
        [all, key = records_key(analysis.page)](const std::string& time) {
          all->give("run.every", "--every", time);
          all->values.emplace_back(key, DocumentNode{true, {"--every", 0}});
        },
        "Also at records with so much time between them (default: the end alone)");
  add_analysis_options(*command, analysis, *all);
  command->callback([all, &action, &analysis] {
    action = [all, &analysis] { return run_analysis(analysis, *all); };
  });
}

}  // namespace dalembert::app
