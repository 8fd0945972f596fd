#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "app/terminal/progress.hpp"
#include "app/terminal/waiting_line.hpp"
#include "command_ensemble.hpp"
#include "commands.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "exit_code.hpp"
#include "output_claims.hpp"
#include "study/plot_request.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct PlotArguments {
  std::string file, plot;
  PlotRequest request;
  bool error = false, force = false, equal = false, no_equal = false;
};

/// What the study asks for, shown in the way that the command line asks for.
PlotRequest with_changes(PlotRequest shown, const PlotRequest& asked) {
  if (asked.running_mean > 0.0) shown.running_mean = asked.running_mean;
  if (asked.error) shown.error = asked.error;
  if (asked.equal) shown.equal = asked.equal;
  if (asked.from) shown.from = asked.from;
  if (asked.to) shown.to = asked.to;
  shown.together = shown.together || asked.together;
  if (const std::string reason = contradiction(shown); !reason.empty()) throw RequestError(reason);
  return shown;
}

Study study_in(const std::string& file) {
  const WaitingLine line("reading " + file);
  return read_study(parse_document(read_hdf5_study(file), file));
}

int plot(const PlotArguments& arguments) {
  const Study study = study_in(arguments.file);
  OutputClaims({arguments.file}, arguments.force).claim("--plot", arguments.plot);
  PlotRequest request = arguments.request;
  if (const std::string reason = contradiction(request); !reason.empty())
    throw RequestError(reason);
  if (request.section.empty() && !request.x.empty())
    request.paths.push_back({std::exchange(request.x, ""), std::exchange(request.y, "")});
  if (arguments.error) request.error = true;
  if (arguments.equal || arguments.no_equal) request.equal = arguments.equal;
  const bool as_the_study_says = !request.names_something();
  const auto complete = [&](const PlotRequest& from_study) {
    if (as_the_study_says) request = with_changes(from_study, request);
  };
  if (study.ensemble) {
    complete(study.plot);
    plot_ensemble(study, arguments.file, arguments.plot, request);
    return success;
  }
  std::vector<RunPlan> plans = plan_fitting_with_progress(study).plans;
  complete(shown_by(study, plans));
  check_plot(arguments.plot, request, plans);
  write_plot(arguments.plot, request, study.title, plans,
             read_hdf5_results(arguments.file, plans, {.record_every = study.record_every}));
  return success;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* command = app.add_subcommand("plot", "Draw a picture from a result file");
  command->add_option("file", arguments->file, "A result of dalembert run --out")->required();
  command->add_option("--plot", arguments->plot, "The picture: a file ending in .svg, .png or .pdf")
      ->required();
  command
      ->add_option(
          "--quantity", arguments->request.quantities,
          "energy, constraint, an integral, a coordinate, a velocity or lambda_1; of an ensemble: "
          "variance, mean_square, constraint.max, ... (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--section", arguments->request.section,
                      "A Poincare section of the study, drawn in the plane of --x and --y");
  command->add_option("--x", arguments->request.x,
                      "A coordinate, a velocity or t; without --section a path in the plane of two "
                      "expressions, as R[1,3]");
  command->add_option("--y", arguments->request.y, "The same for the other axis");
  command->add_flag("--equal", arguments->equal,
                    "Of a path: a unit is as long on both axes, as it is anyway where both are "
                    "positions");
  command->add_flag("--no-equal", arguments->no_equal, "Of a path: axes of different scales")
      ->excludes("--equal");
  command->add_option("--from", arguments->request.from, "Only what is recorded from this time on");
  command->add_option("--to", arguments->request.to, "Only what is recorded up to this time");
  command->add_flag("--together", arguments->request.together,
                    "All starts, parameters and steps in one panel");
  command->add_option("--final", arguments->request.final,
                      "A value at the end of each run, or its largest error, as energy_error; "
                      "with --against");
  command->add_option("--against", arguments->request.against,
                      "The parameter that --final is drawn against, or step");
  command->add_option("--log", arguments->request.logarithmic,
                      "Logarithmic axes of --final: x, y or xy");
  command
      ->add_option("--histogram", arguments->request.histograms,
                   "Of an ensemble: how the members at the end spread in energy_error, an integral "
                   "or an expression of the state (may be repeated)")
      ->allow_extra_args(false);
  command->add_flag("--error", arguments->error, "Show the absolute difference from the start");
  command
      ->add_option("--running-mean", arguments->request.running_mean,
                   "Average over a window, in units of time")
      ->check(CLI::NonNegativeNumber);
  add_force_option(*command, arguments->force);
  command->footer(
      "Examples: dalembert plot result.h5 --plot energy.svg --quantity energy --error "
      "--running-mean 30\n"
      "          dalembert plot result.h5 --plot path.svg --x x --y y --from 10 --to 20\n"
      "          dalembert plot sweep.h5 --plot sweep.svg --final energy_error --against epsilon "
      "--log xy\n"
      "          dalembert plot ensemble.h5 --plot spread.svg --histogram energy_error");
  command->callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

}  // namespace dalembert::app
