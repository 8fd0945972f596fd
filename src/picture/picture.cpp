#include "dalembert/picture/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "dalembert/document/file_text.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/document/own_output.hpp"
#include "entry_style.hpp"
#include "gnuplot.hpp"
#include "layout.hpp"

namespace dalembert::study {
namespace {

using gnuplot::quoted;

/// A few points of a curve, evenly spaced and shifted by its entry in the legend.
Curve markers(const Curve& curve, std::size_t entry, std::size_t entries) {
  constexpr int count = 8;
  Curve result;
  const double first = curve.t.front(), last = curve.t.back();
  const double shift =
      (static_cast<double>(entry) + 0.5) / static_cast<double>(std::max<std::size_t>(1, entries));
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

/// The range of one coordinate of all curves of a panel, with room around it.
std::pair<double, double> data_range(const PicturePanel& panel, std::vector<double> Curve::*part,
                                     bool logarithmic, double room) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const PictureCurve& curve : panel.curves) {
    for (const double value : curve.curve.*part) {
      if (!std::isfinite(value) || (logarithmic && !(value > 0.0))) continue;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
  }
  if (!(least <= largest)) return {logarithmic ? 0.1 : 0.0, 1.0};
  if (logarithmic) return {least / (1.0 + 20.0 * room), largest * (1.0 + 20.0 * room)};
  if (least == largest)
    return {least - 0.5 * std::fabs(least) - 0.5, least + 0.5 * std::fabs(least) + 0.5};
  return {least - room * (largest - least), largest + room * (largest - least)};
}

/// A round distance of tics, about `wanted`.
double tic_distance(double wanted) {
  const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= wanted * (1.0 - 1e-9)) return factor * decade;
  }
  return 10.0 * decade;
}

/// A logarithmic range with at least two powers of ten in it, since only those have labels.
std::pair<double, double> labelled(const std::pair<double, double>& range) {
  const double low = std::log10(range.first), high = std::log10(range.second);
  if (std::floor(high) - std::ceil(low) >= 1.0) return range;
  return {std::pow(10.0, std::floor(low)), std::pow(10.0, std::ceil(high))};
}

/// Tics of a logarithmic axis that covers so many powers of ten that gnuplot cannot find them by a
/// distance: it counts them in steps of one.
std::string far_tics(const std::string& name, double least, double largest, int stride) {
  std::string places;
  const int first = static_cast<int>(std::ceil(std::log10(least) / stride)) * stride;
  for (int power = first; power <= std::log10(largest); power += stride)
    places += fmt::format("{}1e{}", places.empty() ? "" : ", ", power);
  return fmt::format("set {0}tics ({1})\nunset m{0}tics\n", name, places);
}

std::string axis_commands(const std::string& name, const PictureAxis& axis,
                          const std::pair<double, double>& range, const std::string& offset) {
  const auto [least, largest] = axis.logarithmic ? labelled(range) : range;
  std::string text = fmt::format("set {}range [{:.8g}:{:.8g}]\n", name, least, largest);
  if (axis.logarithmic) {
    const int decades = static_cast<int>(std::ceil(std::log10(largest / least))),
              stride = (decades + 7) / 8;
    text += fmt::format("set logscale {0}\nset format {0} '10^{{%T}}'\n", name);
    text += stride > 5 ? far_tics(name, least, largest, stride)
                       : fmt::format("set {0}tics {1}\nset m{0}tics {2}\n", name,
                                     std::pow(10.0, stride), stride == 1 ? 10 : stride);
  } else {
    const std::string tics =
        name == "x" ? fmt::format("{:g}", tic_distance((largest - least) / 6.0)) : "autofreq";
    text += fmt::format(
        "unset logscale {0}\nset format {0} '%g'\nset {0}tics {1}\nunset m{0}tics\n", name, tics);
  }
  return text +
         fmt::format("set {}label {} noenhanced offset {}\n", name, quoted(axis.label), offset);
}

/// The range around the same middle that is as long as wanted.
std::pair<double, double> extended(const std::pair<double, double>& range, double length) {
  const double middle = 0.5 * (range.first + range.second);
  return {middle - 0.5 * length, middle + 0.5 * length};
}

std::string axes(const PicturePanel& panel, const PictureLayout& layout) {
  const bool is_path =
      !panel.curves.empty() && panel.curves.front().style != CurveStyle::line && !panel.y.range;
  const double room = panel.equal_scales || is_path ? 0.05 : panel.x.logarithmic ? 0.02 : 0.0;
  auto x = panel.x.range.value_or(data_range(panel, &Curve::t, panel.x.logarithmic, room));
  auto y = panel.y.range.value_or(data_range(panel, &Curve::values, panel.y.logarithmic, 0.05));
  if (panel.equal_scales) {
    const double unit = std::max((x.second - x.first) / layout.panel_width,
                                 (y.second - y.first) / layout.panel_height);
    x = extended(x, unit * layout.panel_width);
    y = extended(y, unit * layout.panel_height);
  }
  return axis_commands("x", panel.x, x, "0,0.4") + axis_commands("y", panel.y, y, "0.6,0");
}

/// The curves of a panel as data blocks, numbered on, and the command that plots them.
class CurveWriter {
 public:
  CurveWriter(const Picture& picture, std::size_t& next_block)
      : picture_(picture), next_block_(next_block) {}

  void add(const PictureCurve& drawn) {
    if (drawn.curve.t.empty()) return;
    const bool reference = picture_.legend[drawn.entry].reference;
    const bool distinct =
        drawn.style == CurveStyle::line && picture_.legend.size() > 1 && !reference;
    const std::string own = entry_style(picture_, drawn.entry);
    const char* with = drawn.style == CurveStyle::points                 ? "points"
                       : drawn.style == CurveStyle::marked && !reference ? "linespoints"
                                                                         : "lines";
    constexpr std::size_t many = 500;
    const std::string colour = legend_colour(picture_, drawn.entry);
    const bool is_cloud = drawn.style == CurveStyle::points && drawn.curve.t.size() > many;
    put(drawn.curve, with,
        drawn.style == CurveStyle::thin ? fmt::format("lc rgb '{}' dt 1 lw 0.4", colour)
        : is_cloud                      ? fmt::format("lc rgb '{}' pt 7 ps 0.25", colour)
                                        : own);
    if (distinct) put(markers(drawn.curve, drawn.entry, picture_.legend.size()), "points", own);
    if (drawn.failed)
      put({{drawn.curve.t.back()}, {drawn.curve.values.back()}}, "points",
          fmt::format("lc rgb '{}' pt 2 ps 1.4 lw 2", legend_colour(picture_, drawn.entry)));
  }
  std::string text(const std::string& axes) const {
    return plot_.empty() ? "" : blocks_ + axes + plot_ + "\n";
  }

 private:
  void put(const Curve& curve, const std::string& with, const std::string& style) {
    blocks_ += data_block(++next_block_, curve);
    plot_ += fmt::format("{}$data{} using 1:2 with {} {} notitle", plot_.empty() ? "plot " : ", ",
                         next_block_, with, style);
  }

  const Picture& picture_;
  std::size_t& next_block_;
  std::string blocks_, plot_;
};

/// One panel at its place.
std::string draw(const Picture& picture, const PicturePanel& panel, const PictureLayout& layout,
                 std::size_t row, std::size_t column, std::size_t& next_block) {
  const double x =
      static_cast<double>(column) * (layout.panel_width + layout.left + layout.right) + layout.left;
  const double y = layout.top + layout.above +
                   static_cast<double>(row) * (layout.panel_height + layout.above + layout.below);
  CurveWriter writer(picture, next_block);
  for (const PictureCurve& curve : panel.curves) writer.add(curve);
  std::string setting = axes(panel, layout);
  setting += "set title " + quoted(panel.title) + " noenhanced offset 0,-0.5\n";
  setting += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n",
                         x / layout.width(), (x + layout.panel_width) / layout.width());
  setting +=
      fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
                  1.0 - y / layout.height(), 1.0 - (y + layout.panel_height) / layout.height());
  return writer.text(setting);
}

/// The title above and the legend below, in the room that the layout leaves.
std::string frame(const Picture& picture, const PictureLayout& layout) {
  std::string text =
      "reset\nunset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0\nset "
      "tmargin at screen 1\n";
  const double middle = 0.5 * layout.panels_width() / layout.width();
  double y = 18.0;
  for (const std::string& line : layout.title) {
    text += fmt::format("set label {} at screen {:.5f},{:.5f} center noenhanced font ',14'\n",
                        quoted(line), middle, 1.0 - y / layout.height());
    y += 21.0;
  }
  y = 12.0;
  for (const std::string& note : picture.notes) {
    text += fmt::format("set label {} at screen {:.5f},{:.5f} center\n", quoted(note), middle,
                        y / layout.height());
    y += 20.0;
  }
  if (layout.legend_width > 0.0) {
    text += fmt::format(
        "set key at screen {:.5f},{:.5f} left top vertical maxrows {} Left reverse noenhanced "
        "samplen 3\n",
        layout.panels_width() / layout.width(), 1.0 - layout.top / layout.height(),
        layout.legend_rows);
  } else {
    text += fmt::format(
        "set key at screen 0.5,{:.5f} center bottom horizontal maxcols {} Left reverse noenhanced "
        "samplen 3\n",
        (y - 6.0) / layout.height(), layout.legend_columns);
  }
  std::string plot;
  for (std::size_t i = 0; i < picture.legend.size(); ++i) {
    plot +=
        (i == 0 ? "plot " : ", ") +
        fmt::format("NaN with {} {} title {}", picture.legend.size() > 1 ? "linespoints" : "lines",
                    entry_style(picture, i), quoted(picture.legend[i].label));
  }
  return text + plot + "\n";
}

constexpr const char* common =
    "set grid lc rgb '#d0d0d0' lw 0.6 dt 1\nset border lw 0.8\nset tics nomirror\n";

}  // namespace

void check_picture_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf") {
    throw RequestError("the picture \"" + path.string() + "\" must end in .svg, .png or .pdf");
  }
  check_writable(path);
  if (!gnuplot::is_available()) {
    throw OutputError(
        "pictures need the program gnuplot, which is not on the search path; install gnuplot-nox");
  }
}

namespace {

/// Whether a picture ends as its format does: gnuplot says nothing of a write that failed.
bool is_whole(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return true;  // a pipe cannot be read again
  const std::string extension = path.extension().string();
  const std::string ending = extension == ".svg"   ? "</svg>"
                             : extension == ".png" ? "IEND"
                                                   : "%%EOF";
  const std::string text = file_text(path);
  const std::size_t place = text.rfind(ending);
  return place != std::string::npos && text.size() - place < 64;
}

}  // namespace

void write_picture(const std::filesystem::path& path, const Picture& picture) {
  check_picture_file(path);
  const PictureLayout layout = layout_of(picture);
  OutputFile file(path);
  std::string script = terminal_for(path, layout) + "set output " +
                       quoted(file.temporary_path().string()) + "\nset multiplot\n" + common;
  std::size_t block = 0;
  for (const PicturePanel& panel : picture.panels)
    script += draw(picture, panel, layout, panel.row, panel.column, block);
  gnuplot::run(script + frame(picture, layout) + "unset multiplot\nunset output\n");
  try {
    if (!is_whole(file.temporary_path()))
      throw OutputError("the picture is not whole (is the disk full?)");
    mark_picture(file.temporary_path());
  } catch (const OutputError& error) {
    throw OutputError("cannot write \"" + path.string() + "\": " + error.what());
  }
  file.commit();
}

std::vector<std::string> panel_svgs(const Picture& picture, const std::string& name) {
  if (!gnuplot::is_available())
    throw OutputError(
        "pictures need the program gnuplot, which is not on the search path; install gnuplot-nox");
  const PictureLayout layout = single_layout();
  std::string plain = name;
  std::replace_if(
      plain.begin(), plain.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  std::vector<std::string> svgs;
  for (const PicturePanel& panel : picture.panels) {
    std::size_t block = 0;
    svgs.push_back(gnuplot::svg(common + draw(picture, panel, layout, 0, 0, block),
                                plain + "_" + std::to_string(svgs.size()),
                                static_cast<int>(layout.width()),
                                static_cast<int>(layout.height())));
  }
  return svgs;
}

}  // namespace dalembert::study
