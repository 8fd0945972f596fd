#include "plot_options.hpp"

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

#include "dalembert/error.hpp"
#include "study/plot_request.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// What is read from an option's text by a function that throws a clause.
template <class Read>
auto of_option(const char* option, Read read) {
  try {
    return read();
  } catch (const RequestError& error) {
    throw RequestError(std::string(option) + " " + error.what());
  }
}

/// Options that were added after the first so many say something about the file of --plot.
void need_plot(CLI::App& command, std::size_t first) {
  const std::vector<CLI::Option*> options = command.get_options();
  for (std::size_t i = first; i < options.size(); ++i)
    options[i]->needs(command.get_option("--plot"));
}

void add_kind_options(CLI::App& command, PlotOptions& options) {
  PlotRequest& request = options.request;
  command
      .add_option(
          "--quantity", request.quantities,
          "energy, constraint, an integral, a coordinate, a velocity, lambda_1 or "
          "lambda_recomputed; of an ensemble: variance, mean_square, constraint.max, ... (may be "
          "repeated)")
      ->allow_extra_args(false);
  command.add_option("--section", request.section,
                     "A Poincare section of the study, drawn in the plane of --x and --y");
  command.add_option("--x", request.x,
                     "A coordinate, a velocity or t; without --section a path in the plane of two "
                     "expressions, as R[1,3]");
  command.add_option("--y", request.y, "The same for the other axis");
  command
      .add_option("--path", options.paths,
                  "A path in the plane of two expressions, as --path x y (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--final", request.final,
                     "A value at the end of each run, or its largest error, as energy_error; "
                     "with --against");
  command.add_option("--against", request.against,
                     "The parameter that --final is drawn against, or step");
  command.add_option("--log", request.logarithmic, "Logarithmic axes of --final: x, y or xy");
  command
      .add_option("--histogram", request.histograms,
                  "Of an ensemble: how the members at the end spread in energy_error, an integral "
                  "or an expression of the state (may be repeated)")
      ->allow_extra_args(false);
}

void add_manner_options(CLI::App& command, PlotOptions& options) {
  PlotRequest& request = options.request;
  command.add_flag("--error", options.error, "Show the absolute difference from the start");
  command.add_flag("--change", options.request.change,
                   "Show the difference from the start, with its sign");
  command
      .add_option("--running-mean", request.running_mean, "Average over a window, in units of time")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--equal", options.equal,
                   "Of a path: a unit is as long on both axes, as it is anyway where both are "
                   "positions");
  command.add_flag("--no-equal", options.no_equal, "Of a path: axes of different scales")
      ->excludes("--equal");
  command.add_option("--from", request.from, "Only what is recorded from this time on");
  command.add_option("--to", request.to, "Only what is recorded up to this time");
  command.add_flag("--together", request.together, "All starts, parameters and steps in one panel");
}

}  // namespace

void add_look_options(CLI::App& command, LookOptions& options) {
  const std::size_t first = command.get_options().size();
  command.add_option("--size", options.size,
                     "The size of the picture on paper, as 8.5cmx6cm, or its width alone, as "
                     "8.5cm (default: as large as its panels need)");
  command.add_option("--font-size", options.look.font_size,
                     "The size of letters in points (default: 9.8; 8 with a --size below 12 cm)");
  command.add_option("--x-range", options.x_range, "The range of the x axis, as 0:10");
  command.add_option("--y-range", options.y_range, "The range of the y axis");
  command.add_option("--title", options.look.title, "The title; an empty text for none");
  command.add_option("--x-label", options.look.x_label,
                     "The label of the x axis, in which psi, x_1, x^2 and theta_dot are written as "
                     "in a formula");
  command.add_option("--y-label", options.look.y_label, "The label of the y axis");
  command.add_flag("--no-legend", options.no_legend, "No legend");
  need_plot(command, first);
}

void add_plot_options(CLI::App& command, PlotOptions& options) {
  const std::size_t first = command.get_options().size();
  add_kind_options(command, options);
  add_manner_options(command, options);
  need_plot(command, first);
  add_look_options(command, options.look);
}

PictureLook asked_look(const LookOptions& options) {
  PictureLook look = options.look;
  if (!options.size.empty())
    look.size = of_option("--size", [&] { return parse_picture_size(options.size); });
  if (!options.x_range.empty())
    look.x_range = of_option("--x-range", [&] { return parse_axis_range(options.x_range); });
  if (!options.y_range.empty())
    look.y_range = of_option("--y-range", [&] { return parse_axis_range(options.y_range); });
  if (look.font_size)
    look.font_size = of_option("--font-size", [&] { return checked_font_size(*look.font_size); });
  if (options.no_legend) look.legend = false;
  return look;
}

PlotRequest asked_plot(const PlotRequest& of_study, const PlotOptions& options) {
  PlotRequest request = options.request;
  if (const std::string reason = contradiction(request); !reason.empty())
    throw RequestError(reason);
  if (request.section.empty() && !request.x.empty())
    request.paths.push_back({std::exchange(request.x, ""), std::exchange(request.y, "")});
  for (const auto& [x, y] : options.paths) request.paths.push_back({x, y});
  if (options.error) request.error = true;
  if (options.equal || options.no_equal) request.equal = options.equal;
  request.look = asked_look(options.look);
  return with_changes(of_study, request);
}

}  // namespace dalembert::app
