#pragma once
// Where the parts of a picture go. Only for the sources of this room.

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"

namespace dalembert::study {

/// Pixels, before any scaling for the format.
struct PictureLayout {
  std::size_t columns = 1, rows = 1;
  double panel_width = 470, panel_height = 250, left = 90, right = 30, above = 30, below = 50;
  double top = 0, bottom = 0;  ///< room for the title and the legend
  std::size_t legend_columns = 1;
  std::vector<std::string> title;  ///< in lines

  double width() const { return static_cast<double>(columns) * (panel_width + left + right); }
  double height() const {
    return top + bottom + static_cast<double>(rows) * (panel_height + above + below);
  }
};

/// The layout of a whole picture.
PictureLayout layout_of(const Picture& picture);
/// The layout of one panel alone, without title and legend.
PictureLayout single_layout();

/// The gnuplot command for a file's format and this size.
std::string terminal_for(const std::filesystem::path& path, const PictureLayout& layout);

}  // namespace dalembert::study
