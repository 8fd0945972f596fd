// Pictures of ensembles: statistics against time on logarithmic scales.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dalembert/study/ensemble_output.hpp"
#include "dalembert/study/output_file.hpp"
#include "dalembert/study/plot.hpp"
#include "ensemble_summary.hpp"
#include "gnuplot.hpp"

namespace dalembert {
namespace {

using gnuplot::quoted;

/// Distinct for all common kinds of colour vision. Source: [Okabe and Ito 2008].
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                             "#E69F00", "#56B4E9", "#000000"};
constexpr double panel_width = 560, panel_height = 400;

/// A column of a quantity's statistics.
struct Shown {
  std::string quantity, statistic;
  std::size_t column = 0;
};

Shown shown(std::string name) {
  if (name == "variance" || name == "mean_square") name = "energy_error." + name;
  const std::size_t dot = name.find('.');
  Shown result{name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
  const auto at = std::find(ensemble_columns.begin(), ensemble_columns.end(), result.statistic);
  result.column = static_cast<std::size_t>(at - ensemble_columns.begin());
  return result;
}

std::vector<std::string> names_of(const EnsemblePlan& plan) {
  std::vector<std::string> quantities{"energy_error", "energy_error_relative", "constraint"};
  for (const auto& [name, integral] : plan.run.system.mechanics().integrals)
    quantities.push_back(name + "_error");
  std::vector<std::string> names{"variance", "mean_square"};
  for (const std::string& quantity : quantities)
    for (const char* column : ensemble_columns) names.push_back(quantity + "." + column);
  return names;
}

std::vector<std::string> wanted(const PlotRequest& request) {
  return request.quantities.empty() ? std::vector<std::string>{"variance"} : request.quantities;
}

/// The names of what is told apart, in order, each once.
template <class Name>
std::vector<std::string> distinct(const std::vector<EnsemblePlan>& plans, Name name) {
  std::vector<std::string> names;
  for (const EnsemblePlan& plan : plans)
    if (std::find(names.begin(), names.end(), name(plan)) == names.end())
      names.push_back(name(plan));
  return names;
}

/// About 300 points evenly spaced on the logarithmic scale of time.
std::string curve(const EnsembleResult& result, const Shown& shown) {
  const QuantityStatistics& quantity = *result.find(shown.quantity);
  std::string text;
  double next = 0.0;
  for (std::size_t i = 1; i < result.t.size(); ++i) {
    const double value = std::fabs(column_values(quantity.records[i])[shown.column]);
    if (!(value > 0.0) || !std::isfinite(value) || result.t[i] < next) continue;
    text += fmt::format("{:.7g} {:.6g}\n", result.t[i], value);
    next = result.t[i] * 1.02;
  }
  return text;
}

std::string growth_text(const EnsembleResult& result, const Shown& shown) {
  if (shown.quantity != "energy_error") return "";
  const GrowthLaw& law = shown.statistic == "variance" ? result.variance : result.mean_square;
  const bool fitted = shown.statistic == "variance" || shown.statistic == "mean_square";
  if (!fitted || !law.measured) return "";
  return fmt::format(", grows like t^{:.2f}", law.exponent);
}

std::string terminal(const std::string& extension, double width, double height) {
  if (extension == ".svg")
    return fmt::format("svg size {:.0f},{:.0f} dynamic font 'DejaVu Sans,13' background 'white'",
                       width, height);
  if (extension == ".png")
    return fmt::format("pngcairo size {:.0f},{:.0f} font 'DejaVu Sans,10' fontscale 1.4",
                       1.6 * width, 1.6 * height);
  return fmt::format("pdfcairo size {:.3f}in,{:.3f}in font 'DejaVu Sans,9'", width / 96.0,
                     height / 96.0);
}

}  // namespace

void check_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::vector<EnsemblePlan>& plans) {
  PlotRequest without_names = request;
  without_names.quantities.clear();
  std::vector<RunPlan> none;
  check_plot(path, without_names, none);
  const std::vector<std::string> names = names_of(plans.front());
  for (const std::string& name : wanted(request)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw RequestError("cannot plot the quantity \"" + name + "\" of an ensemble of problem \"" +
                       plans.front().run.system.name() + "\"" + suggestion(name, names));
  }
}

void write_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::string& title, const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results) {
  const auto columns = distinct(plans, [](const EnsemblePlan& p) { return p.run.label; });
  const auto methods = distinct(plans, [](const EnsemblePlan& p) { return p.run.method.label; });
  const std::vector<std::string> rows = wanted(request);
  const double height = panel_height + 18.0 * static_cast<double>(methods.size());
  OutputFile file(path);
  std::string script = fmt::format(
      "set terminal {}\nset output {}\nset multiplot layout {},{} title {} noenhanced\n"
      "set logscale xy\nset format xy '10^{{%L}}'\nset grid lc rgb '#d0d0d0' lw 0.6\n"
      "set key below left Left reverse samplen 2 maxcols 1 noenhanced\n"
      "set xlabel 'time t (nondimensional)'\nset tics nomirror\n",
      terminal(path.extension().string(), panel_width * static_cast<double>(columns.size()),
               height * static_cast<double>(rows.size())),
      quoted(file.temporary_path().string()), rows.size(), columns.size(),
      quoted(title.empty() ? plans.front().run.system.name() : title));
  std::size_t block = 0;
  for (const std::string& row : rows) {
    const Shown what = shown(row);
    for (const std::string& column : columns) {
      std::string curves;
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (plans[i].run.label != column) continue;
        const std::string data = curve(results[i], what);
        if (data.empty()) continue;
        const auto method = static_cast<std::size_t>(
            std::find(methods.begin(), methods.end(), plans[i].run.method.label) - methods.begin());
        script += fmt::format("$data{} << END\n{}END\n", ++block, data);
        curves += fmt::format("{}$data{} using 1:2 with lines lw 1.6 dt {} lc rgb '{}' title {}",
                              curves.empty() ? "plot " : ", ", block, 1 + method / colours.size(),
                              colours[method % colours.size()],
                              quoted(plans[i].run.method.label + growth_text(results[i], what)));
      }
      script += fmt::format("set title {} noenhanced\nset ylabel {} noenhanced\n", quoted(column),
                            quoted(what.statistic + " of " + what.quantity));
      script += curves.empty() ? "set multiplot next\n" : curves + "\n";
    }
  }
  gnuplot::run(script + "unset multiplot\nunset output\n");
  file.commit();
}

}  // namespace dalembert
