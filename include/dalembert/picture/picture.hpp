#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/picture/curve.hpp"
#include "dalembert/study/picture_look.hpp"

namespace dalembert::study {

/// An axis of a panel. Without a range it shows all of the data.
struct PictureAxis {
  std::string label;                                    ///< with its unit where that is known
  bool logarithmic = false;                             ///< logarithmic scale
  std::optional<std::pair<double, double>> range = {};  ///< least and largest value
};

/// Manner in which a curve is drawn.
enum class CurveStyle {
  line,    ///< with a few symbols, which tell curves apart where they meet
  path,    ///< a line that may turn back, without symbols
  thin,    ///< one of many lines of the same kind
  marked,  ///< a symbol at each point
  points,  ///< symbols only
};

/// A curve of a panel. Its colour and symbol are those of its entry in the legend.
struct PictureCurve {
  std::size_t entry = 0;                ///< index in Picture::legend
  Curve curve = {};                     ///< its points
  CurveStyle style = CurveStyle::line;  ///< manner in which it is drawn
  bool failed = false;                  ///< a cross at its end
};

/// One pair of axes with its curves, at a place of a grid.
struct PicturePanel {
  std::string title;                      ///< above the panel
  std::size_t row = 0, column = 0;        ///< place in the grid, from the upper left
  PictureAxis x = {}, y = {};             ///< horizontal and vertical
  std::vector<PictureCurve> curves = {};  ///< in the order in which they are drawn
  bool equal_scales = false;              ///< a plane in space: a unit is as long on both axes
};

/// An entry of the legend.
struct LegendEntry {
  std::string label;       ///< text of the entry
  bool reference = false;  ///< a dashed black line: what is expected, not what was computed
  /// Entries of one group have one hue, from dark to light. Without a group each has its own, and
  /// past the eighth entry a shade of one of the first.
  std::optional<std::size_t> group = {};
};

/// Everything in a picture, before any layout: panels that share a legend.
struct Picture {
  std::string title;                      ///< above all panels
  std::vector<LegendEntry> legend = {};   ///< shared by all panels
  std::vector<PicturePanel> panels = {};  ///< at different places of the grid
  std::vector<std::string> notes = {};    ///< lines below the legend
  PictureLook look = {};                  ///< its title, ranges and labels stand before those above

  /// The number of the entry with that label, which is added if there is none.
  std::size_t entry(const std::string& label, bool reference = false);
};

/// Checks a picture's file before anything is computed: RequestError for an extension other than
/// .svg, .png, .pdf; OutputError where the file cannot be written or the program gnuplot is
/// missing.
void check_picture_file(const std::filesystem::path& path);

/// Checks that a picture can look as it is asked to, whatever its curves will be: RequestError
/// where its size has no room for its panels, or a range or a label does not fit to its axes.
void check_look(const Picture& picture);

/// Draws a picture to a file that ends in .svg, .png or .pdf. Throws like check_picture_file
/// and check_look.
void write_picture(const std::filesystem::path& path, const Picture& picture);
/// Draws a picture with another look.
void write_picture(const std::filesystem::path& path, Picture picture, const PictureLook& look);

/// Each panel as the text of an SVG of its own, without title and legend, for pages that lay them
/// out; in the order of the panels. `name` keeps the pictures of one page apart. OutputError where
/// gnuplot is missing.
std::vector<std::string> panel_svgs(const Picture& picture, const std::string& name);

/// Mark with which the legend shows an entry, as its curves are drawn.
enum class LegendMark { line, marked, points };
/// The mark of an entry of the legend.
LegendMark legend_mark(const Picture& picture, std::size_t entry);

/// The colour of a legend entry as `#rrggbb`.
std::string legend_colour(const Picture& picture, std::size_t entry);
/// A character like the symbol of a legend entry.
std::string legend_symbol(std::size_t entry);

}  // namespace dalembert::study
