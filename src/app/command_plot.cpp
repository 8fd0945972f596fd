#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "command_ensemble.hpp"
#include "commands.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "exit_code.hpp"
#include "output_claims.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct PlotArguments {
  std::string file, plot;
  PlotRequest request;
  bool error = false, force = false;
};

int plot(const PlotArguments& arguments) {
  const Study study = read_study(parse_document(read_hdf5_study(arguments.file), arguments.file));
  OutputClaims({arguments.file}, arguments.force).claim("--plot", arguments.plot);
  PlotRequest request = arguments.request;
  const bool is_section = !request.section.empty();
  if (request.x.empty() != request.y.empty() || (is_section && request.x.empty())) {
    throw RequestError(
        "--x and --y stand together: the axes of a path, or with --section of a Poincare section");
  }
  if (!is_section && !request.x.empty())
    request.paths.push_back({std::exchange(request.x, ""), std::exchange(request.y, "")});
  const bool as_the_study_says = request.quantities.empty() && request.paths.empty() && !is_section;
  const auto complete = [&](PlotRequest from_study) {
    if (!as_the_study_says) return;
    request = std::move(from_study);
    if (arguments.request.running_mean > 0.0) request.running_mean = arguments.request.running_mean;
    if (arguments.error) request.error = true;
  };
  if (arguments.error) request.error = true;
  if (study.ensemble) {
    complete(study.plot);
    plot_ensemble(study, arguments.file, arguments.plot, request);
    return success;
  }
  std::vector<RunPlan> plans = plan_runs(study);
  complete(shown_by(study, plans));
  check_plot(arguments.plot, request, plans);
  write_plot(arguments.plot, request, study.title, plans,
             read_hdf5_results(arguments.file, plans, true));
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
  command->add_flag("--error", arguments->error, "Show the absolute difference from the start");
  command
      ->add_option("--running-mean", arguments->request.running_mean,
                   "Average over a window, in units of time")
      ->check(CLI::NonNegativeNumber);
  add_force_option(*command, arguments->force);
  command->footer(
      "Example: dalembert plot result.h5 --plot energy.svg --quantity energy --error "
      "--running-mean 30");
  command->callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

}  // namespace dalembert::app
