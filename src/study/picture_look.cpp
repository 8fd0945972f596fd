#include "dalembert/study/picture_look.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"

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

std::pair<double, double> checked_range(double low, double high) {
  if (!(low < high))
    throw RequestError("is from " + to_string(low) + " to " + to_string(high) +
                       "; it must go from a smaller to a larger number");
  return {low, high};
}

std::pair<double, double> read_range(const DocumentNode& node) {
  if (!node.is_array() || node.array().size() != 2)
    node.refuse("is " + node.found() + "; it must be two numbers, as [0, 10]");
  return checked_range(parse_constant(node.array()[0]), parse_constant(node.array()[1]));
}

/// Calls what throws a clause, which gets the place of the node.
template <class Read>
auto at_node(const DocumentNode& node, Read read) {
  try {
    return read();
  } catch (const RequestError& error) {
    const std::string_view clause = error.what();
    if (!clause.starts_with("is ")) throw;  // it has its place already
    node.refuse(std::string(clause));
  }
}

}  // namespace

PictureSize parse_picture_size(const std::string& text) {
  if (const auto size = picture_size(text)) return *size;
  throw RequestError("is \"" + text +
                     "\"; it must be a width, or a width and a height, from 2 cm to 120 cm, as "
                     "8.5cm or 8.5cmx6cm (also mm, in, pt)");
}

std::pair<double, double> parse_axis_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  double low = 0.0, high = 0.0;
  try {
    low = parse_constant(DocumentNode{text.substr(0, colon)});
    high = parse_constant(DocumentNode{colon == std::string::npos ? "" : text.substr(colon + 1)});
  } catch (const RequestError&) {
    throw RequestError("is \"" + text + "\"; it must be two numbers with a colon, as 0:10");
  }
  return checked_range(low, high);
}

double checked_font_size(double points) {
  constexpr double smallest = 4.0, largest = 40.0;
  if (points >= smallest && points <= largest) return points;
  throw RequestError("is " + to_string(points) + "; it must be from 4 to 40 points");
}

PictureLook read_look(TableReader& table) {
  PictureLook look;
  if (const DocumentNode* size = table.find("size"))
    look.size = at_node(*size, [&] { return parse_picture_size(as_text(*size)); });
  if (const DocumentNode* points = table.find("font_size"))
    look.font_size = at_node(*points, [&] { return checked_font_size(as_number(*points)); });
  for (const auto& [key, part] :
       {std::pair{"x_range", &PictureLook::x_range}, {"y_range", &PictureLook::y_range}}) {
    if (const DocumentNode* range = table.find(key))
      look.*part = at_node(*range, [&] { return read_range(*range); });
  }
  for (const auto& [key, part] : {std::pair{"title", &PictureLook::title},
                                  {"x_label", &PictureLook::x_label},
                                  {"y_label", &PictureLook::y_label}}) {
    if (const DocumentNode* text = table.find(key)) look.*part = as_text(*text);
  }
  if (const DocumentNode* legend = table.find("legend")) look.legend = as_boolean(*legend);
  return look;
}

PictureLook with_changes(PictureLook look, const PictureLook& changes) {
  const auto take = [&](auto part) {
    if (changes.*part) look.*part = changes.*part;
  };
  take(&PictureLook::size);
  take(&PictureLook::font_size);
  take(&PictureLook::x_range);
  take(&PictureLook::y_range);
  take(&PictureLook::title);
  take(&PictureLook::x_label);
  take(&PictureLook::y_label);
  take(&PictureLook::legend);
  return look;
}

}  // namespace dalembert::study
