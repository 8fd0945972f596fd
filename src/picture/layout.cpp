#include "layout.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "dalembert/picture/picture.hpp"

namespace dalembert::study {
namespace {

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

constexpr double legend_line = 20.0;  ///< pixels

/// Up to eight entries stand below the panels, more of them beside the panels. `entry` is the width
/// that gnuplot reserves for one, in the frame that it has for the legend (see frame in
/// picture.cpp): with fewer columns than counted here it would need more lines than there is room.
void place_legend(PictureLayout& layout, const Picture& picture, double entry) {
  constexpr std::size_t most_below = 8;
  const std::size_t entries = std::max<std::size_t>(1, picture.legend.size());
  layout.bottom = 14.0 + legend_line * static_cast<double>(picture.notes.size());
  if (entries > most_below) {
    const double height = layout.height() - layout.top - layout.bottom;
    layout.legend_rows = std::max<std::size_t>(1, static_cast<std::size_t>(height / legend_line));
    const std::size_t columns = (entries + layout.legend_rows - 1) / layout.legend_rows;
    layout.legend_width = 20.0 + entry * static_cast<double>(columns);
    return;
  }
  const double room = 0.96 * layout.width();
  layout.legend_columns =
      std::clamp<std::size_t>(static_cast<std::size_t>(room / entry), 1, entries);
  const std::size_t lines = (entries + layout.legend_columns - 1) / layout.legend_columns;
  layout.bottom += legend_line * static_cast<double>(lines);
}

}  // namespace

PictureLayout layout_of(const Picture& picture) {
  PictureLayout layout;
  for (const PicturePanel& panel : picture.panels) {
    layout.columns = std::max(layout.columns, panel.column + 1);
    layout.rows = std::max(layout.rows, panel.row + 1);
  }
  if (layout.columns == 1) layout.panel_width = 640;
  if (layout.columns * layout.rows == 1) layout.panel_height = 360;
  layout.title = wrapped(picture.title, static_cast<std::size_t>(layout.panels_width() / 9.5));
  layout.top = layout.title.empty() ? 6.0 : 14.0 + 21.0 * static_cast<double>(layout.title.size());
  std::size_t longest = 4;
  for (const LegendEntry& entry : picture.legend) longest = std::max(longest, entry.label.size());
  place_legend(layout, picture, 61.0 + 8.8 * static_cast<double>(longest));
  return layout;
}

PictureLayout single_layout() {
  PictureLayout layout;
  layout.panel_width = 430;
  layout.panel_height = 270;
  layout.top = 4.0;
  layout.bottom = 10.0;
  return layout;
}

std::string terminal_for(const std::filesystem::path& path, const PictureLayout& layout) {
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

}  // namespace dalembert::study
