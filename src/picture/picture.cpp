#include "dalembert/picture/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "dalembert/document/file_text.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/document/own_output.hpp"
#include "picture/draw/axes.hpp"
#include "picture/draw/entry_style.hpp"
#include "picture/draw/gnuplot.hpp"
#include "picture/draw/layout.hpp"
#include "picture/draw/typeset.hpp"

namespace dalembert::study {
namespace {

using gnuplot::quoted;

/// A few points of a curve, evenly spaced on its axis and shifted by its entry in the legend.
Curve markers(const Curve& curve, bool logarithmic, std::size_t entry, std::size_t entries) {
  constexpr int count = 8;
  Curve result;
  const double first = curve.t.front(), last = curve.t.back();
  const double shift =
      (static_cast<double>(entry) + 0.5) / static_cast<double>(std::max<std::size_t>(1, entries));
  for (int k = 0; k < count; ++k) {
    const double part = (k + shift) / count;
    const auto at = std::lower_bound(
        curve.t.begin(), curve.t.end(),
        logarithmic ? first * std::pow(last / first, part) : first + (last - first) * part);
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

/// The curves of a panel as data blocks, numbered on, and the command that plots them.
class CurveWriter {
 public:
  CurveWriter(const Picture& picture, std::size_t& next_block)
      : picture_(picture), next_block_(next_block) {}

  void add(const PictureCurve& drawn, bool logarithmic) {
    if (drawn.curve.t.empty()) return;
    const bool reference = picture_.legend[drawn.entry].reference;
    const bool distinct =
        drawn.style == CurveStyle::line && picture_.legend.size() > 1 && !reference;
    const std::string own = entry_style(picture_, drawn.entry);
    const char* with = drawn.style == CurveStyle::points                 ? "points"
                       : drawn.style == CurveStyle::marked && !reference ? "linespoints"
                                                                         : "lines";
    const std::string colour = legend_colour(picture_, drawn.entry);
    put(drawn.curve, with,
        drawn.style == CurveStyle::thin ? fmt::format("lc rgb '{}' dt 1 lw 0.4", colour)
        : is_cloud(drawn)               ? fmt::format("lc rgb '{}' pt 7 ps 0.25", colour)
                                        : own);
    if (distinct)
      put(markers(drawn.curve, logarithmic, drawn.entry, picture_.legend.size()), "points", own);
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

/// The title of a panel, in smaller letters where it is longer than there is room for.
std::string panel_title(const PicturePanel& panel, const PictureLayout& layout) {
  constexpr double pixels = 13.0, character = 7.4, smallest = 0.6;
  const std::string markup = sentence_markup(panel.title);
  const double needed = character * layout.letters * static_cast<double>(shown_length(markup));
  const double room = layout.panel_width + layout.right;
  return fmt::format("set title {} {} offset 0,-0.5\n", quoted(markup),
                     layout.font(pixels * std::clamp(room / std::max(needed, 1.0), smallest, 1.0)));
}

/// One panel at its place, which is that of a row and a column.
std::string draw(const Picture& picture, const PicturePanel& panel, const PictureLayout& layout,
                 const std::pair<std::size_t, std::size_t>& place, std::size_t& next_block) {
  const double x =
      static_cast<double>(place.second) * (layout.panel_width + layout.left + layout.right) +
      layout.left;
  const double y =
      layout.top + layout.above +
      static_cast<double>(place.first) * (layout.panel_height + layout.above + layout.below);
  CurveWriter writer(picture, next_block);
  for (const PictureCurve& curve : panel.curves) writer.add(curve, panel.x.logarithmic);
  std::string setting = axes_commands(panel, layout) + panel_title(panel, layout);
  setting += fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n",
                         x / layout.width(), (x + layout.panel_width) / layout.width());
  setting +=
      fmt::format("set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
                  1.0 - y / layout.height(), 1.0 - (y + layout.panel_height) / layout.height());
  return writer.text(setting);
}

/// The lines of the title from above, and of the notes from below.
std::string frame_texts(const PictureLayout& layout, double middle) {
  std::string text;
  double y = 18.0 * layout.letters;
  for (const std::string& line : layout.title) {
    text += fmt::format("set label {} at screen {:.5f},{:.5f} center noenhanced {}\n", quoted(line),
                        middle, 1.0 - y / layout.height(), layout.font(14.0));
    y += 21.0 * layout.letters;
  }
  y = 12.0 * layout.letters + layout.line() * static_cast<double>(layout.notes.size());
  for (const std::string& note : layout.notes) {
    y -= layout.line();
    text += fmt::format("set label {} at screen {:.5f},{:.5f} center\n", quoted(note), middle,
                        y / layout.height());
  }
  return text;
}

std::string legend_place(const PictureLayout& layout) {
  const char* how = layout.on_paper ? "Left reverse samplen 2" : "Left reverse samplen 3";
  if (layout.legend_width > 0.0)
    return fmt::format("set key at screen {:.5f},{:.5f} left top vertical maxrows {} {}\n",
                       layout.panels_width() / layout.width(), 1.0 - layout.top / layout.height(),
                       layout.legend_rows, how);
  const double above_notes =
      (layout.on_paper && layout.notes.empty() ? 0.0 : 6.0) * layout.letters +
      layout.line() * static_cast<double>(layout.notes.size());
  return fmt::format("set key at screen 0.5,{:.5f} center bottom horizontal maxcols {} {}\n",
                     above_notes / layout.height(), layout.legend_columns, how);
}

std::string legend_entries(const Picture& picture) {
  std::string plot;
  for (std::size_t i = 0; i < picture.legend.size(); ++i) {
    const LegendMark mark = legend_mark(picture, i);
    const char* with = mark == LegendMark::points   ? "points"
                       : mark == LegendMark::marked ? "linespoints"
                                                    : "lines";
    plot += (i == 0 ? "plot " : ", ") +
            fmt::format("NaN with {} {} title {}", with, entry_style(picture, i),
                        quoted(sentence_markup(picture.legend[i].label)));
  }
  return plot + "\n";
}

/// The title above and the legend below, in the room that the layout leaves.
std::string frame(const Picture& picture, const PictureLayout& layout) {
  const std::string setting =
      "reset\nunset border\nunset tics\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0.02\nset rmargin at screen 0.98\nset bmargin at screen 0\nset "
      "tmargin at screen 1\n" +
      frame_texts(layout, 0.5 * layout.panels_width() / layout.width());
  if (picture.legend.empty() || !picture.look.legend.value_or(true))
    return setting + "unset key\nplot NaN notitle\n";
  return setting + legend_place(layout) + legend_entries(picture);
}

constexpr const char* common =
    "set grid lc rgb '#d0d0d0' lw 0.6 dt 1\nset border lw 0.8\nset tics nomirror\nset clip two\n";

/// What all panels are, where the look asks for it; RequestError where one text or one range is
/// asked for axes that are not the same.
void apply_to_axes(Picture& picture, PictureAxis PicturePanel::*axis, const std::string& name,
                   const std::optional<std::pair<double, double>>& range,
                   const std::optional<std::string>& label) {
  if (picture.panels.empty() || (!range && !label)) return;
  const std::string first = (picture.panels.front().*axis).label;
  for (PicturePanel& panel : picture.panels) {
    PictureAxis& own = panel.*axis;
    if (own.label != first)
      throw RequestError(
          fmt::format("{0}_range and {0}_label (--{0}-range, --{0}-label) are for panels "
                      "with the same {0} axis, and these show \"{1}\" and \"{2}\"; "
                      "draw them one by one",
                      name, first, own.label));
    if (range && own.logarithmic && !(range->first > 0.0))
      throw RequestError(
          fmt::format("{0}_range (--{0}-range) begins at {1:g}, and the {0} axis is "
                      "logarithmic; it must begin above 0",
                      name, range->first));
    if (range) own.range = range;
  }
  if (!label) return;
  for (PicturePanel& panel : picture.panels) (panel.*axis).label = *label;
}

Picture with_look(Picture picture) {
  const PictureLook& look = picture.look;
  apply_to_axes(picture, &PicturePanel::x, "x", look.x_range, look.x_label);
  apply_to_axes(picture, &PicturePanel::y, "y", look.y_range, look.y_label);
  return picture;
}

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

void check_look(const Picture& picture) { static_cast<void>(layout_of(with_look(picture))); }

void write_picture(const std::filesystem::path& path, const Picture& wanted) {
  check_picture_file(path);
  const Picture picture = with_look(wanted);
  PictureLayout layout = layout_of(picture);
  layout.font_unit = font_unit_of(path);
  OutputFile file(path);
  std::string script = "set encoding utf8\n" + terminal_for(path, layout) + "set output " +
                       quoted(file.temporary_path().string()) + "\nset multiplot\n" + common;
  std::size_t block = 0;
  for (std::size_t i = 0; i < picture.panels.size(); ++i)
    script += draw(picture, picture.panels[i], layout, layout.places[i], block);
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

void write_picture(const std::filesystem::path& path, Picture picture, const PictureLook& look) {
  picture.look = look;
  write_picture(path, picture);
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
    svgs.push_back(gnuplot::svg(common + draw(picture, panel, layout, {0, 0}, block),
                                plain + "_" + std::to_string(svgs.size()),
                                static_cast<int>(layout.width()),
                                static_cast<int>(layout.height())));
  }
  return svgs;
}

}  // namespace dalembert::study
