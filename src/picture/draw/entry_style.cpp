#include "entry_style.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace dalembert::study {
namespace {

using Colour = std::array<double, 3>;  ///< red, green and blue from 0 to 255

/// Distinct for all common kinds of colour vision, dark enough for lines. Source: [Okabe and Ito
/// 2008], with a wine red in place of their yellow.
constexpr std::array<Colour, 8> legend_hues{{{0x00, 0x72, 0xB2},
                                             {0xD5, 0x5E, 0x00},
                                             {0x00, 0x9E, 0x73},
                                             {0xCC, 0x79, 0xA7},
                                             {0xE6, 0x9F, 0x00},
                                             {0x56, 0xB4, 0xE9},
                                             {0x00, 0x00, 0x00},
                                             {0x88, 0x22, 0x55}}};

/// Filled circle, square, triangle, diamond, triangle down, then open ones: gnuplot's number and a
/// character.
constexpr std::array<std::pair<int, const char*>, 8> legend_symbols{{{7, "\u25CF"},
                                                                     {5, "\u25A0"},
                                                                     {9, "\u25B2"},
                                                                     {13, "\u25C6"},
                                                                     {11, "\u25BC"},
                                                                     {4, "\u25A1"},
                                                                     {6, "\u25CB"},
                                                                     {8, "\u25B3"}}};

std::size_t hue_of(const Picture& picture, std::size_t entry) {
  return picture.legend[entry].group.value_or(entry) % legend_hues.size();
}

/// Which of the entries with the same hue this one is, and how many there are.
struct Shade {
  std::size_t number = 0, count = 0;
};

Shade shade_of(const Picture& picture, std::size_t entry) {
  Shade shade;
  for (std::size_t i = 0; i < picture.legend.size(); ++i) {
    if (picture.legend[i].reference || hue_of(picture, i) != hue_of(picture, entry)) continue;
    if (i < entry) ++shade.number;
    ++shade.count;
  }
  return shade;
}

/// From dark to light over the entries of one hue; the hue itself where it stands alone.
Colour shaded(Colour colour, const Shade& shade) {
  if (shade.count < 2) return colour;
  constexpr double darkest = -0.45, lightest = 0.55, least_for_black = 60.0;
  if (colour == Colour{}) colour.fill(least_for_black);  // black has no darker shade
  const double part = static_cast<double>(shade.number) / static_cast<double>(shade.count - 1);
  const double mix = darkest + (lightest - darkest) * part;
  for (double& value : colour)
    value = mix < 0.0 ? value * (1.0 + mix) : value + mix * (255.0 - value);
  return colour;
}

/// The curves of an entry, in all panels.
std::vector<const PictureCurve*> curves_of(const Picture& picture, std::size_t entry) {
  std::vector<const PictureCurve*> curves;
  for (const PicturePanel& panel : picture.panels) {
    for (const PictureCurve& drawn : panel.curves)
      if (drawn.entry == entry) curves.push_back(&drawn);
  }
  return curves;
}

}  // namespace

bool is_cloud(const PictureCurve& drawn) {
  constexpr std::size_t many = 150;
  return drawn.style == CurveStyle::points && drawn.curve.t.size() > many;
}

LegendMark legend_mark(const Picture& picture, std::size_t entry) {
  if (picture.legend[entry].reference) return LegendMark::line;
  const auto curves = curves_of(picture, entry);
  const auto has = [&](CurveStyle style) {
    return std::ranges::any_of(curves,
                               [style](const auto* drawn) { return drawn->style == style; });
  };
  if (has(CurveStyle::marked)) return LegendMark::marked;
  if (has(CurveStyle::line))
    return picture.legend.size() > 1 ? LegendMark::marked : LegendMark::line;
  return has(CurveStyle::points) && !has(CurveStyle::path) && !has(CurveStyle::thin)
             ? LegendMark::points
             : LegendMark::line;
}

std::string entry_style(const Picture& picture, std::size_t entry) {
  if (picture.legend[entry].reference) return "lc rgb '#444444' dt 2 lw 1.2 pt 0 ps 0";
  constexpr std::size_t dashes = 5;
  const auto curves = curves_of(picture, entry);
  const bool has_dots =
      std::ranges::any_of(curves, [](const auto* drawn) { return is_cloud(*drawn); });
  return fmt::format("lc rgb '{}' dt {} lw 1.2 pt {} ps 0.7", legend_colour(picture, entry),
                     1 + shade_of(picture, entry).number % dashes,
                     legend_symbols[has_dots ? 0 : entry % legend_symbols.size()].first);
}

std::size_t Picture::entry(const std::string& label, bool reference) {
  const auto found = std::find_if(legend.begin(), legend.end(),
                                  [&](const LegendEntry& e) { return e.label == label; });
  if (found != legend.end()) return static_cast<std::size_t>(found - legend.begin());
  legend.push_back({label, reference});
  return legend.size() - 1;
}

std::string legend_colour(const Picture& picture, std::size_t entry) {
  if (picture.legend[entry].reference) return "#444444";
  const Colour colour = shaded(legend_hues[hue_of(picture, entry)], shade_of(picture, entry));
  return fmt::format("#{:02X}{:02X}{:02X}", std::lround(colour[0]), std::lround(colour[1]),
                     std::lround(colour[2]));
}

std::string legend_symbol(std::size_t entry) {
  return legend_symbols[entry % legend_symbols.size()].second;
}

}  // namespace dalembert::study
