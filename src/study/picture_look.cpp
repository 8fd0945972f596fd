#include "dalembert/study/picture_look.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

namespace dalembert::study {
namespace {

constexpr double centimetres_per_inch = 2.54, points_per_inch = 72.0;

struct LengthUnit {
  std::string_view name;
  double centimetres;
};
constexpr std::array<LengthUnit, 4> length_units{{{"cm", 1.0},
                                                  {"mm", 0.1},
                                                  {"in", centimetres_per_inch},
                                                  {"pt", centimetres_per_inch / points_per_inch}}};

/// A length at the beginning of the text, which it is taken from, in centimetres.
std::optional<double> take_length(std::string_view& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  for (const LengthUnit& unit : length_units) {
    if (!text.starts_with(unit.name)) continue;
    text.remove_prefix(unit.name.size());
    return number * unit.centimetres;
  }
  return std::nullopt;
}

bool is_of_paper(double centimetres) {
  constexpr double smallest = 2.0, largest = 120.0;
  return centimetres >= smallest && centimetres <= largest;
}

std::optional<PictureSize> picture_size(std::string_view text) {
  const std::optional<double> width = take_length(text);
  if (!width || !is_of_paper(*width)) return std::nullopt;
  if (text.empty()) return PictureSize{*width};
  if (!text.starts_with('x')) return std::nullopt;
  text.remove_prefix(1);
  const std::optional<double> height = take_length(text);
  if (!height || !is_of_paper(*height) || !text.empty()) return std::nullopt;
  return PictureSize{*width, height};
}

std::pair<double, double> read_range(const DocumentNode& node) {
  if (!node.is_array() || node.array().size() != 2)
    node.refuse("is " + node.found() + "; it must be two numbers, as [0, 10], of an option 0:10");
  const std::pair range{parse_constant(node.array()[0]), parse_constant(node.array()[1])};
  if (!(range.first < range.second))
    node.refuse("is from " + to_string(range.first) + " to " + to_string(range.second) +
                "; it must go from a smaller to a larger number");
  return range;
}

const Page<PictureLook>& look_keys() {
  const std::vector<std::string> none;
  static const Page<PictureLook> page{
      "plot",
      "Look of a picture",
      {{"size",
        "The size on paper, as 8.5cmx6cm, or the width alone, as 8.5cm, in cm, mm, in or pt "
        "(default: as large as the panels need)",
        ""},
       {"font_size", "The size of letters in points (default: 9.8; 8 with a size below 12 cm)",
        "a number from 4 to 40"},
       {"x_range", "The range of the x axis, as [0, 10]; as an option 0:10",
        "two numbers or expressions", none},
       {"y_range", "The range of the y axis", "two numbers or expressions", none},
       {"title", &PictureLook::title,
        "The title in the place of that of the study; an empty text for none"},
       {"x_label", &PictureLook::x_label,
        "The label of the x axis, in which psi, x_1, x^2 and theta_dot are written as in a "
        "formula"},
       {"y_label", &PictureLook::y_label, "The label of the y axis"},
       {"legend", &PictureLook::legend, "A legend", "yes"}}};
  return page;
}

}  // namespace

const PageInfo& look_page() {
  static const PageInfo page = look_keys().info();
  return page;
}

PictureLook read_look(TableReader& table, PictureLook look) {
  look_keys().read(table, look);
  if (const DocumentNode* size = table.find("size")) {
    const std::string& text = as_text(*size);
    look.size = picture_size(text);
    if (!look.size)
      size->refuse("is \"" + text +
                   "\"; it must be a width, or a width and a height, from 2 cm to 120 cm, as "
                   "8.5cm or 8.5cmx6cm (also mm, in, pt)");
  }
  if (const DocumentNode* points = table.find("font_size")) {
    look.font_size = as_number(*points);
    if (!(*look.font_size >= 4.0 && *look.font_size <= 40.0))
      points->refuse("is " + to_string(*look.font_size) + "; it must be from 4 to 40 points");
  }
  if (const DocumentNode* range = table.find("x_range")) look.x_range = read_range(*range);
  if (const DocumentNode* range = table.find("y_range")) look.y_range = read_range(*range);
  return look;
}

}  // namespace dalembert::study
