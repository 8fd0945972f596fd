#include "reproduce_arguments.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/verbosity.hpp"

namespace dalembert::app {

void add_reproduce(CLI::App& app, Action& action,
                   const std::function<int(const ReproduceArguments&)>& perform) {
  auto arguments = std::make_shared<ReproduceArguments>();
  CLI::App* command = app.add_subcommand(
      "reproduce", "Rerun published experiments: pictures, data and a verdict on each claim");
  command->add_option("what", arguments->what,
                      "A paper, as modin-verdier-2020 (or its number, 000), one experiment of it, "
                      "as modin-verdier-2020/figure-6, or the experiment that measures a claim, as "
                      "000-D.2; everything if not given");
  command->add_flag("--quick", arguments->quick,
                    "Shorter runs and smaller ensembles, with bounds of their own");
  command->add_flag("--check", arguments->check,
                    "Exit with 1 if a verdict differs from the recorded one");
  command
      ->add_option("--out", arguments->out,
                   "Directory for index.html, a page per paper, pictures and data")
      ->capture_default_str();
  command->add_option("--json", arguments->json,
                      "Write the claims as JSON to a file, or to standard output with -");
  command->add_option("--threads", arguments->threads, "Number of runs at the same time")
      ->check(CLI::Range(1, 1024));
  add_force_option(*command, arguments->force);
  add_verbosity_options(*command, "each experiment with its time and verdicts");
  command->footer(
      "Examples: dalembert reproduce --quick\n"
      "          dalembert reproduce modin-verdier-2020/figure-6 --out pages --threads 2");
  command->callback([arguments, perform, &action] {
    action = [arguments, perform] { return perform(*arguments); };
  });
}

}  // namespace dalembert::app
