#include "axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gnuplot.hpp"
#include "typeset.hpp"

namespace dalembert::study {
namespace {

using Range = std::pair<double, double>;

bool is_shown(double value, bool logarithmic) {
  return std::isfinite(value) && (!logarithmic || value > 0.0);
}

/// The range of one coordinate of all curves of a panel, with room around it; `x` is the range of
/// the other where it is given, and what lies outside does not count.
Range data_range(const PicturePanel& panel, std::vector<double> Curve::*part, bool logarithmic,
                 double room, const std::optional<Range>& x) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const PictureCurve& drawn : panel.curves) {
    const Curve& curve = drawn.curve;
    for (std::size_t i = 0; i < curve.t.size(); ++i) {
      const double value = (curve.*part)[i];
      if (!is_shown(value, logarithmic)) continue;
      if (x && !(curve.t[i] >= x->first && curve.t[i] <= x->second)) continue;
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

/// Powers of ten that lie in a logarithmic range.
double labels_in(const Range& range) {
  return std::floor(std::log10(range.second)) - std::ceil(std::log10(range.first)) + 1.0;
}

/// A logarithmic range with at least two powers of ten in it, since only those have labels.
Range labelled(const Range& range) {
  if (labels_in(range) >= 2.0) return range;
  return {std::pow(10.0, std::floor(std::log10(range.first))),
          std::pow(10.0, std::ceil(std::log10(range.second)))};
}

/// Tics at some of the powers of ten of a logarithmic axis, one by one.
std::string far_tics(const std::string& name, double least, double largest, int stride) {
  std::string places;
  const int first = static_cast<int>(std::ceil(std::log10(least) / stride)) * stride;
  for (int power = first; power <= std::log10(largest); power += stride)
    places += fmt::format("{}1e{}", places.empty() ? "" : ", ", power);
  return fmt::format("set {0}tics ({1})\nunset m{0}tics\n", name, places);
}

/// Tics of a logarithmic axis that was asked to show less than two powers of ten.
std::string close_tics(const std::string& name, const Range& range) {
  std::string places;
  const double first = std::pow(10.0, std::floor(std::log10(range.first)));
  for (double decade = first; decade <= range.second; decade *= 10.0) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double place = factor * decade;
      if (place >= range.first * (1.0 - 1e-12) && place <= range.second * (1.0 + 1e-12))
        places += fmt::format("{}{:.10g}", places.empty() ? "" : ", ", place);
    }
  }
  return fmt::format("set format {0} '%g'\nset {0}tics ({1})\nunset m{0}tics\n", name, places);
}

std::string logarithmic_tics(const std::string& name, const Range& range, int most_labels) {
  const std::string scale = fmt::format("set logscale {}\n", name);
  if (labels_in(range) < 2.0) return scale + close_tics(name, range);
  const int decades = static_cast<int>(std::ceil(std::log10(range.second / range.first))),
            stride = (decades + most_labels - 1) / most_labels;
  // By a distance alone gnuplot counts from the end of the axis, whatever number stands there.
  const double first = std::floor(std::log10(range.first));
  return scale + fmt::format("set format {} '10^{{%T}}'\n", name) +
         (stride == 1 ? fmt::format("set {0}tics 1e{1:.0f},10\nset m{0}tics 10\n", name, first)
                      : far_tics(name, range.first, range.second, stride));
}

std::string linear_tics(const std::string& name, const std::string& distance) {
  return fmt::format("unset logscale {0}\nset format {0} '%g'\nset {0}tics {1}\nunset m{0}tics\n",
                     name, distance);
}

/// How many labels of so many pixels an axis has room for.
int labels_along(double length, double label, int most) {
  return std::clamp(static_cast<int>(length / label), 2, most);
}

/// A label that is longer than its axis has room for gets smaller letters.
std::string label_command(const std::string& name, const std::string& text, double length,
                          const std::string& offset, const PictureLayout& layout) {
  constexpr double pixels = 13.0, character = 7.4, smallest = 0.7;
  const std::string markup = formula_markup(text);
  const double needed = character * layout.letters * static_cast<double>(shown_length(markup));
  const double shrunk = std::clamp(length / std::max(needed, 1.0), smallest, 1.0);
  return fmt::format("set {}label {} {} offset {}\n", name, gnuplot::quoted(markup),
                     layout.font(pixels * shrunk), offset);
}

std::string x_commands(const PicturePanel& panel, const Range& range, const PictureLayout& layout) {
  const double letters = layout.letters;
  const std::string tics =
      panel.x.logarithmic
          ? logarithmic_tics("x", range, labels_along(layout.panel_width, 50.0 * letters, 8))
          : linear_tics("x", fmt::format("{:g}", tic_distance((range.second - range.first) /
                                                              labels_along(layout.panel_width,
                                                                           53.0 * letters, 6))));
  return fmt::format("set xrange [{:.8g}:{:.8g}]\n", range.first, range.second) + tics +
         label_command("x", panel.x.label, layout.panel_width + layout.right, "0,0.4", layout);
}

std::string y_commands(const PicturePanel& panel, const Range& range, const PictureLayout& layout) {
  const std::string tics =
      panel.y.logarithmic
          ? logarithmic_tics("y", range,
                             labels_along(layout.panel_height, 24.0 * layout.letters, 8))
          : linear_tics("y", "autofreq");
  // An index hangs towards the numbers of the tics.
  const bool has_index = formula_markup(panel.y.label).find("_{") != std::string::npos;
  return fmt::format("set yrange [{:.8g}:{:.8g}]\n", range.first, range.second) + tics +
         label_command("y", panel.y.label, layout.panel_height + layout.above,
                       has_index ? "-0.3,0" : "0.6,0", layout);
}

/// The range around the same middle that is as long as wanted.
Range extended(const Range& range, double length) {
  const double middle = 0.5 * (range.first + range.second);
  return {middle - 0.5 * length, middle + 0.5 * length};
}

/// A unit becomes as long on both axes; a range that was asked for stays.
void make_scales_equal(Range& x, Range& y, const PicturePanel& panel, const PictureLayout& layout) {
  const double across = (x.second - x.first) / layout.panel_width,
               up = (y.second - y.first) / layout.panel_height;
  const double unit = panel.x.range ? across : panel.y.range ? up : std::max(across, up);
  if (!panel.x.range) x = extended(x, unit * layout.panel_width);
  if (!panel.y.range) y = extended(y, unit * layout.panel_height);
}

}  // namespace

std::string axes_commands(const PicturePanel& panel, const PictureLayout& layout) {
  const bool is_path =
      !panel.curves.empty() && panel.curves.front().style != CurveStyle::line && !panel.y.range;
  const double room = panel.equal_scales || is_path ? 0.05 : panel.x.logarithmic ? 0.02 : 0.0;
  Range x = panel.x.range.value_or(data_range(panel, &Curve::t, panel.x.logarithmic, room, {}));
  Range y = panel.y.range.value_or(
      data_range(panel, &Curve::values, panel.y.logarithmic, 0.05, panel.x.range));
  if (panel.x.logarithmic && !panel.x.range) x = labelled(x);
  if (panel.y.logarithmic && !panel.y.range) y = labelled(y);
  if (panel.equal_scales) make_scales_equal(x, y, panel, layout);
  return x_commands(panel, x, layout) + y_commands(panel, y, layout);
}

}  // namespace dalembert::study
