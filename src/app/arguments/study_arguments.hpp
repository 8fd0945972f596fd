#pragma once
// What `run` and `ensemble` have in common: which study, with which changes, and where results go.

#include <optional>
#include <string>

#include "app/arguments/plot_options.hpp"
#include "app/arguments/report_outputs.hpp"
#include "dalembert/analysis/analysis.hpp"
#include "dalembert/step/instruction_set.hpp"
#include "dalembert/study/choice/asked_study.hpp"
#include "dalembert/study/study_file.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

struct StudyArguments : study::AskedStudy, ReportPaths {
  std::size_t threads = 1;
  int lanes = 0;
  std::string instruction_set;
  bool force = false;
  OptionValues shown;  ///< of [plot]
};

/// Adds options that say what is run, each with the words of its help; none without words.
void add_run_options(CLI::App& command, const study::RunOptionWords& words,
                     StudyArguments& arguments);
/// Adds the options of a study and of its results to a subcommand.
void add_study_options(CLI::App& command, StudyArguments& arguments);

void add_instruction_set_option(CLI::App& command, std::string& name);
/// The set of the option --instruction-set, if it was given. RequestError if the machine lacks it.
std::optional<InstructionSet> chosen_instruction_set(const std::string& name);

/// The study that the arguments name, or that they make up of a problem and methods; see
/// `asked_study`. Its picture is the one that they ask for.
study::Study chosen_study(const StudyArguments& arguments);

}  // namespace dalembert::app
