#pragma once
// Where the parts of a picture go. Only for the sources of this room.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/picture/picture.hpp"

namespace dalembert::study {

/// Pixels, 96 to the inch, before any scaling for the format.
struct PictureLayout {
  std::size_t columns = 1, rows = 1;
  double panel_width = 470, panel_height = 250, left = 90, right = 30, above = 30, below = 50;
  double top = 0, bottom = 0;  ///< room for the title and the legend
  std::size_t legend_columns = 1;
  double legend_width = 0;         ///< room for a legend beside the panels; 0: it stands below them
  std::size_t legend_rows = 1;     ///< of a legend beside the panels
  std::vector<std::string> title;  ///< in lines
  std::vector<std::string> notes = {};                           ///< in lines, as markup
  std::vector<std::pair<std::size_t, std::size_t>> places = {};  ///< row and column of each panel
  double letters = 1.0;   ///< size of letters; 1 is 13 pixels
  bool on_paper = false;  ///< of a size that was asked for: closer, and in the resolution of print
  /// In which a format counts the size of a font: one pixel of svg, points elsewhere.
  double font_unit = 1.0;

  double panels_width() const {
    return static_cast<double>(columns) * (panel_width + left + right);
  }
  double width() const { return panels_width() + legend_width; }
  double height() const {
    return top + bottom + static_cast<double>(rows) * (panel_height + above + below);
  }
  /// The height of a line of the legend or of a note.
  double line() const;
  /// The option of a font that is `pixels` high where letters are not scaled.
  std::string font(double pixels) const;
};

/// The layout of a whole picture. RequestError where the size that its look asks for has no room
/// for what it shows.
PictureLayout layout_of(const Picture& picture);
/// The layout of one panel alone, without title and legend.
PictureLayout single_layout();

/// The unit of a font's size in a file's format; see PictureLayout.
double font_unit_of(const std::filesystem::path& path);
/// The gnuplot command for a file's format and this size.
std::string terminal_for(const std::filesystem::path& path, const PictureLayout& layout);

}  // namespace dalembert::study
