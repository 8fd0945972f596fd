#include <CLI/CLI.hpp>
#include <memory>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
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

namespace dalembert::app {

using namespace study;

namespace {

struct PlotArguments {
  std::string file, plot;
  OptionValues shown;
  bool force = false;
};

Study study_in(const std::string& file) {
  const WaitingLine line("reading " + file);
  return read_study(parse_document(read_hdf5_study(file), file));
}

int plot(const PlotArguments& arguments) {
  Study study = study_in(arguments.file);
  OutputClaims({arguments.file}, arguments.force).claim("--plot", arguments.plot);
  study.plot = asked_plot(study.plot, arguments.shown);
  if (study.ensemble) {
    plot_ensemble(study, arguments.file, arguments.plot, study.plot);
    return success;
  }
  std::vector<RunPlan> plans = plan_fitting_with_progress(study).plans;
  const PlotRequest request = shown_by(study, plans);
  check_plot(arguments.plot, request, plans, study.title);
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
  add_plot_options(*command, arguments->shown);
  add_force_option(*command, arguments->force);
  command->footer(
      "Examples: dalembert plot result.h5 --plot energy.svg --quantity energy --error "
      "--running-mean 30\n"
      "          dalembert plot result.h5 --plot path.svg --path x y --from 10 --to 20\n"
      "          dalembert plot result.h5 --plot column.pdf --size 8.5cmx6cm --no-legend --title "
      "''\n"
      "          dalembert plot sweep.h5 --plot sweep.svg --final energy_error --against epsilon "
      "--log xy\n"
      "          dalembert plot ensemble.h5 --plot spread.svg --histogram energy_error");
  command->callback([arguments, &action] { action = [arguments] { return plot(*arguments); }; });
}

}  // namespace dalembert::app
