#include "layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/picture/picture.hpp"
#include "typeset.hpp"

namespace dalembert::study {
namespace {

constexpr double pixels_per_centimetre = 96.0 / 2.54, pixels_per_point = 96.0 / 72.0;
constexpr double letter_pixels = 13.0, letter_points = 9.8;
constexpr double title_character = 9.5, note_character = 7.2;

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

/// The width that gnuplot reserves for an entry of the legend, in the frame that it has for the
/// legend (see frame in picture.cpp): with fewer columns than counted with it, it would need more
/// lines than there is room.
double entry_width(const Picture& picture, const PictureLayout& layout) {
  std::size_t longest = 4;
  for (const LegendEntry& entry : picture.legend)
    longest = std::max(longest, shown_length(sentence_markup(entry.label)));
  return layout.letters * ((layout.on_paper ? 52.0 : 61.0) + 8.8 * static_cast<double>(longest));
}

bool shows_legend(const Picture& picture) { return picture.look.legend.value_or(true); }

void place_legend_below(PictureLayout& layout, const Picture& picture) {
  const std::size_t entries = std::max<std::size_t>(1, picture.legend.size());
  const double room = 0.96 * layout.width();
  layout.legend_columns = std::clamp<std::size_t>(
      static_cast<std::size_t>(room / entry_width(picture, layout)), 1, entries);
  const std::size_t lines = (entries + layout.legend_columns - 1) / layout.legend_columns;
  layout.bottom += layout.line() * static_cast<double>(lines);
}

void place_legend_beside(PictureLayout& layout, const Picture& picture) {
  const double height = layout.height() - layout.top - layout.bottom;
  layout.legend_rows = std::max<std::size_t>(1, static_cast<std::size_t>(height / layout.line()));
  const std::size_t columns = (picture.legend.size() + layout.legend_rows - 1) / layout.legend_rows;
  layout.legend_width = 20.0 + entry_width(picture, layout) * static_cast<double>(columns);
}

/// Up to eight entries stand below the panels, more of them beside the panels; on paper, where
/// width is scarce, all below.
void place_legend(PictureLayout& layout, const Picture& picture) {
  constexpr std::size_t most_below = 8;
  const double free = !layout.on_paper ? 14.0 : layout.notes.empty() ? 4.0 : 10.0;
  layout.bottom = layout.letters * free + layout.line() * static_cast<double>(layout.notes.size());
  if (!shows_legend(picture)) return;
  const bool is_beside = !layout.on_paper && picture.legend.size() > most_below;
  is_beside ? place_legend_beside(layout, picture) : place_legend_below(layout, picture);
}

/// Title, notes and legend, when the width of the panels is known.
void place_texts(PictureLayout& layout, const Picture& picture) {
  const double width = layout.panels_width() / layout.letters;
  layout.title = wrapped(picture.look.title.value_or(picture.title),
                         static_cast<std::size_t>(width / title_character));
  layout.top = layout.title.empty()
                   ? layout.letters * (layout.on_paper ? 0.0 : 6.0)
                   : layout.letters * (14.0 + 21.0 * static_cast<double>(layout.title.size()));
  for (const std::string& note : picture.notes) {
    for (std::string& line : wrapped(note, static_cast<std::size_t>(width / note_character)))
      layout.notes.push_back(std::move(line));
  }
  place_legend(layout, picture);
}

/// The grid that the panels span.
void take_grid(PictureLayout& layout, const Picture& picture) {
  for (const PicturePanel& panel : picture.panels) {
    layout.columns = std::max(layout.columns, panel.column + 1);
    layout.rows = std::max(layout.rows, panel.row + 1);
    layout.places.emplace_back(panel.row, panel.column);
  }
}

/// The panels row by row in fewer columns, so that none is narrower than wanted.
void take_fewer_columns(PictureLayout& layout, double width, double least) {
  const auto panel_width = [&] {
    return width / static_cast<double>(layout.columns) - layout.left - layout.right;
  };
  const std::size_t asked = layout.columns;
  while (layout.columns > 1 && panel_width() < least) --layout.columns;
  layout.panel_width = panel_width();
  if (layout.columns == asked) return;
  std::vector<std::size_t> order(layout.places.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return layout.places[i]; });
  for (std::size_t place = 0; place < order.size(); ++place)
    layout.places[order[place]] = {place / layout.columns, place % layout.columns};
  layout.rows = (order.size() + layout.columns - 1) / layout.columns;
}

std::string centimetres(double pixels) {
  return fmt::format("{:.3g} cm", pixels / pixels_per_centimetre);
}

void refuse_if_too_small(const PictureLayout& layout, double width, double height) {
  const double least_width = 75.0 * layout.letters, least_height = 45.0 * layout.letters;
  if (layout.panel_width >= least_width && layout.panel_height >= least_height) return;
  const double needed_width = std::max(width, layout.left + layout.right + least_width);
  const double needed_height =
      layout.top + layout.bottom +
      static_cast<double>(layout.rows) * (layout.above + layout.below + least_height);
  throw RequestError(fmt::format(
      "a picture of {} x {} has no room for its {} {} with labels, title and legend; it needs "
      "{} x {}, or smaller letters (font_size, --font-size)",
      centimetres(width), centimetres(height), layout.places.size(),
      layout.places.size() == 1 ? "panel" : "panels", centimetres(needed_width),
      centimetres(std::max(height, std::ceil(needed_height + 2.0)))));
}

/// A picture of a given width, and height if that is given too.
PictureLayout paper_layout(const Picture& picture) {
  constexpr double narrow = 150.0, height_by_width = 0.62;
  const double width = picture.look.size->width * pixels_per_centimetre;
  const bool has_titles =
      std::ranges::any_of(picture.panels, [](const PicturePanel& p) { return !p.title.empty(); });
  PictureLayout layout;
  layout.on_paper = true;
  constexpr double column = 12.0, small_letters = 8.0;  // centimetres, points
  layout.letters = picture.look.font_size.value_or(
                       picture.look.size->width < column ? small_letters : letter_points) /
                   letter_points;
  layout.left = 72.0 * layout.letters;
  layout.right = 22.0 * layout.letters;
  layout.above = (has_titles ? 26.0 : 8.0) * layout.letters;
  layout.below = 48.0 * layout.letters;
  take_grid(layout, picture);
  take_fewer_columns(layout, width, narrow * layout.letters);
  place_texts(layout, picture);
  layout.panel_height = height_by_width * layout.panel_width;
  if (!picture.look.size->height) {
    refuse_if_too_small(layout, width, layout.height());
    return layout;
  }
  const double height = *picture.look.size->height * pixels_per_centimetre;
  layout.panel_height = (height - layout.top - layout.bottom) / static_cast<double>(layout.rows) -
                        layout.above - layout.below;
  refuse_if_too_small(layout, width, height);
  return layout;
}

/// A picture as large as its panels need.
PictureLayout screen_layout(const Picture& picture) {
  PictureLayout layout;
  layout.letters = picture.look.font_size.value_or(letter_points) / letter_points;
  for (double* margin : {&layout.left, &layout.right, &layout.above, &layout.below})
    *margin *= layout.letters;
  take_grid(layout, picture);
  if (layout.columns == 1) layout.panel_width = 640;
  if (layout.columns * layout.rows == 1) layout.panel_height = 360;
  place_texts(layout, picture);
  return layout;
}

}  // namespace

double PictureLayout::line() const { return letters * (on_paper ? 17.0 : 20.0); }

std::string PictureLayout::font(double pixels) const {
  return fmt::format("font ',{:.1f}'", pixels * letters * font_unit);
}

PictureLayout layout_of(const Picture& picture) {
  return picture.look.size ? paper_layout(picture) : screen_layout(picture);
}

PictureLayout single_layout() {
  PictureLayout layout;
  layout.panel_width = 430;
  layout.panel_height = 270;
  layout.top = 4.0;
  layout.bottom = 10.0;
  layout.places = {{0, 0}};
  return layout;
}

double font_unit_of(const std::filesystem::path& path) {
  return path.extension() == ".svg" ? 1.0 : 1.0 / pixels_per_point;
}

std::string terminal_for(const std::filesystem::path& path, const PictureLayout& layout) {
  const std::string extension = path.extension().string();
  const double width = layout.width(), height = layout.height(), letters = layout.letters;
  if (extension == ".svg") {
    return fmt::format(
        "set terminal svg size {:.0f},{:.0f} {} font 'DejaVu Sans,{:.4g}' background 'white' "
        "linewidth {:.3g}\n",
        width, height, layout.on_paper ? "fixed" : "dynamic", letter_pixels * letters,
        (layout.on_paper ? 1.0 : 1.3) * letters);
  }
  if (extension == ".png") {
    const double scale = layout.on_paper ? 300.0 / 96.0 : 1.6;
    return fmt::format(
        "set terminal pngcairo size {:.0f},{:.0f} font 'DejaVu Sans,{:.4g}' fontscale {:.4g} "
        "linewidth {:.3g}{}\n",
        scale * width, scale * height, letter_points * letters, scale,
        (layout.on_paper ? scale : 2.1) * letters,
        layout.on_paper ? fmt::format(" pointscale {:.3g}", scale * letters) : "");
  }
  return fmt::format(
      "set terminal pdfcairo size {:.3f}in,{:.3f}in font 'DejaVu Sans,{:.4g}' fontscale 0.75 "
      "linewidth {:.3g}{}\n",
      width / 96.0, height / 96.0, letter_points * letters,
      (layout.on_paper ? 1.15 : 1.5) * letters,
      layout.on_paper ? fmt::format(" pointscale {:.3g}", letters) : "");
}

}  // namespace dalembert::study
