#include "dalembert/study/plot.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/expression/printer.hpp"
#include "dalembert/study/output_file.hpp"
#include "gnuplot.hpp"

namespace dalembert {
namespace {

using gnuplot::quoted;

constexpr double round_off = std::numeric_limits<double>::epsilon() / 2.0;
/// Distinct for all common kinds of colour vision, dark enough for lines. Source: [Okabe and Ito
/// 2008].
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                             "#E69F00", "#56B4E9", "#000000"};
constexpr std::size_t points_per_picture = 40000;
constexpr double largest_shown = 1e20;  // beyond it a run has exploded
constexpr std::size_t stretches =
    400;  // of an error curve with many more points, of which the largest are shown

/// One row of panels: a quantity and how it is shown.
struct Shown {
  std::string name;
  bool error = false;       ///< absolute value of an error, on a logarithmic scale
  bool difference = false;  ///< of the difference from the start
};

Shown shown_quantity(const std::string& name, const PlotRequest& request) {
  if (name == "constraint") return {name, true, false};
  const bool error = request.error.value_or(request.quantities.empty());
  return {name, error, error};
}

std::vector<Shown> shown_quantities(const PlotRequest& request) {
  if (request.quantities.empty()) return {shown_quantity("energy", request)};
  std::vector<Shown> rows;
  for (const std::string& name : request.quantities) rows.push_back(shown_quantity(name, request));
  return rows;
}

std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string axis_label(const Shown& shown, double mean) {
  const bool is_state = !shown.error;
  std::string text = is_state ? shown.name : plain(shown.name);
  if (shown.difference) text = text + " error";
  if (mean > 0.0) text = "mean " + text;
  if (shown.error) text = "|" + text + "|";
  return text;
}

/// A curve with its style and legend.
struct Drawn {
  Curve curve;
  std::size_t method;
  bool failed;
};
struct Panel {
  std::string title;
  std::size_t row, column;
  std::vector<Drawn> curves;
};

/// Everything in a picture, before any layout.
struct Picture {
  std::vector<Shown> rows;
  std::vector<std::string> columns, methods;
  std::vector<Panel> panels;
  bool floored = false;    ///< some error was below round-off
  bool envelopes = false;  ///< some curve shows the largest error of each stretch of time

  std::vector<std::string> notes() const {
    std::vector<std::string> lines;
    if (floored) lines.emplace_back("errors below 1.1 10^{-16} (round-off) are drawn there");
    if (envelopes)
      lines.emplace_back(
          fmt::format("each point is the largest error in 1/{} of the time", stretches));
    return lines;
  }
};

std::size_t index_in(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

Curve curve_of(const RunPlan& plan, const RunResult& result, const Shown& shown, double mean,
               bool& floored) {
  const std::size_t width = plan.columns.width();
  const auto& names = plan.columns.names;
  const auto column =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), shown.name) - names.begin());
  Curve curve;
  for (std::size_t row = 0; row + width <= result.records.size(); row += width) {
    const double value =
        result.records[row + column] - (shown.difference ? result.records[column] : 0.0);
    if (!(std::fabs(value) <= largest_shown)) continue;
    curve.t.push_back(result.records[row]);
    curve.values.push_back(value);
  }
  curve = running_mean(curve, mean);
  if (!shown.error) return curve;
  for (double& value : curve.values) {
    value = std::fabs(value);
    if (value < round_off) {
      value = round_off;
      floored = true;
    }
  }
  return curve;
}

Picture picture_of(const PlotRequest& request, const std::vector<RunPlan>& plans,
                   const std::vector<RunResult>& results) {
  Picture picture;
  picture.rows = shown_quantities(request);
  for (const RunPlan& plan : plans) {
    index_in(picture.columns, plan.label);
    index_in(picture.methods, plan.method.label);
  }
  for (std::size_t row = 0; row < picture.rows.size(); ++row) {
    for (std::size_t column = 0; column < picture.columns.size(); ++column) {
      picture.panels.push_back({picture.columns[column], row, column, {}});
    }
  }
  const std::size_t budget =
      points_per_picture / std::max<std::size_t>(1, plans.size() * picture.rows.size());
  for (Panel& panel : picture.panels) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (plans[i].label != panel.title || results[i].records.empty()) continue;
      Curve curve = curve_of(plans[i], results[i], picture.rows[panel.row], request.running_mean,
                             picture.floored);
      if (picture.rows[panel.row].error && request.running_mean == 0.0 &&
          curve.t.size() > 4 * stretches) {
        curve = upper_envelope(curve, stretches);
        picture.envelopes = true;
      }
      panel.curves.push_back({thinned(curve, std::clamp<std::size_t>(budget, 100, 2000)),
                              index_in(picture.methods, plans[i].method.label),
                              results[i].status == RunResult::Status::failed});
    }
  }
  return picture;
}

/// Pixels, before any scaling for the format.
struct Layout {
  std::size_t columns = 1, rows = 1;
  double panel_width = 470, panel_height = 250, left = 78, right = 30, above = 30, below = 50;
  double top = 0, bottom = 0;  ///< room for the title and the legend
  std::size_t legend_columns = 1;
  std::vector<std::string> title;

  double width() const { return static_cast<double>(columns) * (panel_width + left + right); }
  double height() const {
    return top + bottom + static_cast<double>(rows) * (panel_height + above + below);
  }
};

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.size();
    if (end - begin > width) {
      const std::size_t space = text.rfind(' ', begin + width);
      end = space == std::string::npos || space <= begin ? begin + width : space;
    }
    lines.push_back(text.substr(begin, end - begin));
    begin = end == text.size() || text[end] != ' ' ? end : end + 1;
  }
  return lines;
}

Layout layout_of(const Picture& picture, const std::string& title) {
  Layout layout;
  const std::size_t count = picture.columns.size();
  if (picture.rows.size() == 1) {
    layout.columns = count <= 3 ? std::min<std::size_t>(count, 2)
                                : static_cast<std::size_t>(std::ceil(std::sqrt(count)));
    layout.rows = (count + layout.columns - 1) / layout.columns;
  } else {
    layout.columns = count;
    layout.rows = picture.rows.size();
  }
  if (layout.columns == 1) layout.panel_width = 640;
  if (layout.columns * layout.rows == 1) layout.panel_height = 360;
  layout.title = wrapped(title, static_cast<std::size_t>(layout.width() / 9.5));
  layout.top = layout.title.empty() ? 6.0 : 14.0 + 21.0 * static_cast<double>(layout.title.size());
  std::size_t longest = 4;
  for (const std::string& method : picture.methods) longest = std::max(longest, method.size());
  const double entry = 60.0 + 8.2 * static_cast<double>(longest);
  layout.legend_columns = std::clamp<std::size_t>(static_cast<std::size_t>(layout.width() / entry),
                                                  1, picture.methods.size());
  const std::size_t lines =
      (picture.methods.size() + layout.legend_columns - 1) / layout.legend_columns;
  layout.bottom = 14.0 + 20.0 * static_cast<double>(lines + picture.notes().size());
  return layout;
}

std::string terminal_for(const std::filesystem::path& path, const Layout& layout) {
  const std::string extension = path.extension().string();
  const double width = layout.width(), height = layout.height();
  if (extension == ".svg") {
    return fmt::format(
        "set terminal svg size {:.0f},{:.0f} dynamic font 'DejaVu Sans,13' background 'white' "
        "linewidth 1.3\n",
        width, height);
  }
  if (extension == ".png") {
    return fmt::format(
        "set terminal pngcairo size {:.0f},{:.0f} font 'DejaVu Sans,9.8' fontscale 1.6 linewidth "
        "2.1\n",
        1.6 * width, 1.6 * height);
  }
  return fmt::format(
      "set terminal pdfcairo size {:.3f}in,{:.3f}in font 'DejaVu Sans,9.8' linewidth 1.5\n",
      width / 96.0, height / 96.0);
}

std::string style(std::size_t method) {
  constexpr std::array symbols{7,  5, 9, 13,
                               11, 4, 6};  // filled and open circles, squares, triangles, diamonds
  return fmt::format("lc rgb '{}' dt {} lw 1.2 pt {} ps 0.7", colours[method % colours.size()],
                     1 + method / colours.size(), symbols[method % symbols.size()]);
}

/// A few points of a curve, evenly spaced in time and shifted by method, for markers that tell
/// curves apart where they meet.
Curve markers(const Curve& curve, std::size_t method, std::size_t methods) {
  constexpr int count = 8;
  Curve result;
  const double first = curve.t.front(), last = curve.t.back();
  const double shift =
      (static_cast<double>(method) + 0.5) / static_cast<double>(std::max<std::size_t>(1, methods));
  for (int k = 0; k < count; ++k) {
    const auto at = std::lower_bound(curve.t.begin(), curve.t.end(),
                                     first + (last - first) * (k + shift) / count);
    if (at == curve.t.end()) continue;
    result.t.push_back(*at);
    result.values.push_back(curve.values[static_cast<std::size_t>(at - curve.t.begin())]);
  }
  return result;
}

std::string data_block(std::size_t number, const Curve& curve) {
  std::string text = fmt::format("$data{} << END\n", number);
  for (std::size_t i = 0; i < curve.t.size(); ++i)
    text += fmt::format("{:.7g} {:.6g}\n", curve.t[i], curve.values[i]);
  return text + "END\n";
}

/// The least value of a curve on a logarithmic scale, but for the lowest hundredth: the dips where
/// an error changes sign.
double low_end(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// The range of values of a panel, with room around it. All panels of an error have the same.
std::pair<double, double> range_of(const Picture& picture, const Panel& panel) {
  const bool error = picture.rows[panel.row].error;
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const Panel& other : picture.panels) {
    if (other.row != panel.row || (!error && &other != &panel)) continue;
    for (const Drawn& drawn : other.curves) {
      std::vector<double> values = drawn.curve.values;
      // An error vanishes at the start; that is no reason to show fifteen empty decades.
      if (error && values.size() > 2) values.erase(values.begin());
      if (values.empty()) continue;
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      largest = std::max(largest, *high);
      least = std::min(least, error ? low_end(values) : *low);
    }
  }
  if (!(least <= largest)) return error ? std::pair(round_off, 1.0) : std::pair(0.0, 1.0);
  if (error)
    return {std::max(least / 3.0, round_off / 3.0), std::max(largest * 3.0, 100.0 * round_off)};
  const double room =
      least < largest ? 0.05 * (largest - least) : 0.05 * std::max(1.0, std::fabs(least));
  return {least - room, largest + room};
}

std::string axes(const Picture& picture, const Panel& panel, const PlotRequest& request) {
  const Shown& shown = picture.rows[panel.row];
  const auto [least, largest] = range_of(picture, panel);
  std::string text = fmt::format("set yrange [{:.6g}:{:.6g}]\n", least, largest);
  if (shown.error) {
    const int decades = static_cast<int>(std::ceil(std::log10(largest / least))),
              stride = (decades + 7) / 8;
    text += fmt::format("set logscale y\nset format y '10^{{%T}}'\nset ytics {}\nset mytics {}\n",
                        std::pow(10.0, stride), stride == 1 ? 10 : stride);
  } else {
    text += "unset logscale y\nset format y '%g'\nset ytics autofreq\nunset mytics\n";
  }
  return text + "set xlabel 'time t (nondimensional)' offset 0,0.4\nset ylabel " +
         quoted(axis_label(shown, request.running_mean)) + " noenhanced offset 0.6,0\n";
}

/// One panel at its place. Data blocks are numbered on.
std::string draw(const Picture& picture, const Panel& panel, const Layout& layout,
                 const PlotRequest& request, std::size_t place, std::size_t& next_block) {
  const bool grid = picture.rows.size() > 1;
  const double column = static_cast<double>(grid ? panel.column : place % layout.columns);
  const double row = static_cast<double>(grid ? panel.row : place / layout.columns);
  const double x = column * (layout.panel_width + layout.left + layout.right) + layout.left;
  const double y =
      layout.top + row * (layout.panel_height + layout.above + layout.below) + layout.above;
  std::string blocks, curves;
  for (const Drawn& drawn : panel.curves) {
    if (drawn.curve.t.empty()) continue;
    blocks += data_block(++next_block, drawn.curve);
    curves += fmt::format("{}$data{} using 1:2 with lines {} notitle",
                          curves.empty() ? "plot " : ", ", next_block, style(drawn.method));
    if (picture.methods.size() > 1) {
      blocks +=
          data_block(++next_block, markers(drawn.curve, drawn.method, picture.methods.size()));
      curves += fmt::format(", $data{} using 1:2 with points {} notitle", next_block,
                            style(drawn.method));
    }
    if (!drawn.failed) continue;
    blocks += data_block(++next_block, {{drawn.curve.t.back()}, {drawn.curve.values.back()}});
    curves += fmt::format(", $data{} using 1:2 with points lc rgb '{}' pt 2 ps 1.4 lw 2 notitle",
                          next_block, colours[drawn.method % colours.size()]);
  }
  if (curves.empty()) return "";
  std::string text = blocks + axes(picture, panel, request);
  text += "set title " + quoted(panel.title) + " noenhanced offset 0,-0.5\n";
  text += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n",
                      x / layout.width(), (x + layout.panel_width) / layout.width());
  text += fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
                      1.0 - y / layout.height(), 1.0 - (y + layout.panel_height) / layout.height());
  return text + curves + "\n";
}

/// The title above and the legend below, in the room that the layout leaves.
std::string frame(const Picture& picture, const Layout& layout) {
  std::string text = "reset\nunset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n";
  text +=
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0\nset "
      "tmargin at screen 1\n";
  double y = 18.0;
  for (const std::string& line : layout.title) {
    text += fmt::format("set label {} at screen 0.5,{:.5f} center noenhanced font ',14'\n",
                        quoted(line), 1.0 - y / layout.height());
    y += 21.0;
  }
  y = 12.0;
  for (const std::string& note : picture.notes()) {
    text += fmt::format("set label '{}' at screen 0.5,{:.5f} center\n", note, y / layout.height());
    y += 20.0;
  }
  text += fmt::format(
      "set key at screen 0.5,{:.5f} center bottom horizontal maxcols {} Left reverse noenhanced "
      "samplen 3\n",
      (y - 6.0) / layout.height(), layout.legend_columns);
  for (std::size_t i = 0; i < picture.methods.size(); ++i) {
    text +=
        (i == 0 ? "plot " : ", ") +
        fmt::format("NaN with {} {} title {}", picture.methods.size() > 1 ? "linespoints" : "lines",
                    style(i), quoted(picture.methods[i]));
  }
  return text + "\n";
}

std::string full_title(const std::string& title, const PlotRequest& request,
                       const std::vector<RunPlan>& plans) {
  std::string text = title.empty() ? plans.front().system.name() : title;
  if (request.running_mean > 0.0)
    text += " (running mean over " + to_string(request.running_mean) + " units of time)";
  return text;
}

}  // namespace

void check_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::vector<RunPlan>& plans) {
  const std::string extension = path.extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf") {
    throw RequestError("the picture \"" + path.string() + "\" must end in .svg, .png or .pdf");
  }
  for (const RunPlan& plan : plans) {
    const auto& names = plan.columns.names;
    for (const std::string& name : request.quantities) {
      if (std::find(names.begin() + 1, names.end(), name) != names.end()) continue;
      throw RequestError("cannot plot the quantity \"" + name + "\" of problem \"" +
                         plan.system.name() + "\"" +
                         suggestion(name, {names.begin() + 1, names.end()}));
    }
  }
  check_writable(path);
  if (!gnuplot::is_available()) {
    throw OutputError(
        "pictures need the program gnuplot, which is not on the search path; install gnuplot-nox");
  }
}

void write_plot(const std::filesystem::path& path, const PlotRequest& request,
                const std::string& title, const std::vector<RunPlan>& plans,
                const std::vector<RunResult>& results) {
  const Picture picture = picture_of(request, plans, results);
  const Layout layout = layout_of(picture, full_title(title, request, plans));
  OutputFile file(path);
  std::string script =
      terminal_for(path, layout) + "set output " + quoted(file.temporary_path().string()) + "\n";
  script +=
      "set multiplot\nset grid lc rgb '#d0d0d0' lw 0.6 dt 1\nset border lw 0.8\nset tics "
      "nomirror\n";
  std::size_t block = 0;
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    script += draw(picture, picture.panels[i], layout, request, i, block);
  }
  script += frame(picture, layout) + "unset multiplot\nunset output\n";
  gnuplot::run(script);
  file.commit();
}

}  // namespace dalembert
