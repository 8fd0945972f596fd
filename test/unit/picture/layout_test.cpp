#include "picture/layout.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace dalembert;
using namespace dalembert::study;

namespace {

Picture picture(std::size_t rows, std::size_t columns, std::size_t entries) {
  Picture made{std::string(200, 'x') + " y"};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < columns; ++k) made.panels.push_back({"panel", i, k});
  for (std::size_t i = 0; i < entries; ++i) made.entry("method " + std::to_string(i));
  return made;
}

}  // namespace

TEST_CASE("a layout has the grid that the panels span") {
  const PictureLayout layout = layout_of(picture(2, 3, 1));
  CHECK(layout.rows == 2);
  CHECK(layout.columns == 3);
  CHECK(layout.width() == 3 * (470 + 90 + 30));
  CHECK(layout.height() == layout.top + layout.bottom + 2 * (250 + 30 + 50));
}

TEST_CASE("the legend takes as many lines as its entries need") {
  // 0.96 times 640 + 120 pixels hold five entries of "method 0", for each of which gnuplot reserves
  // 131 pixels.
  CHECK(layout_of(picture(1, 1, 5)).legend_columns == 5);
  CHECK(layout_of(picture(1, 1, 6)).legend_columns == 5);
  const double one_line = layout_of(picture(1, 1, 5)).bottom;
  CHECK(layout_of(picture(1, 1, 6)).bottom == one_line + 20.0);
}

TEST_CASE("more than eight entries stand beside the panels") {
  const PictureLayout below = layout_of(picture(1, 1, 8)), beside = layout_of(picture(1, 1, 9));
  CHECK(below.legend_width == 0.0);
  CHECK(beside.legend_width > 100.0);
  CHECK(beside.panels_width() == below.width());
  CHECK(beside.bottom < below.bottom);
  // A legend that is higher than the panels goes on in a second column.
  CHECK(layout_of(picture(1, 1, 40)).legend_width > 1.5 * beside.legend_width);
}

TEST_CASE("no two entries have the same colour, and a group has shades of one") {
  Picture made = picture(1, 1, 30);
  std::set<std::string> colours;
  for (std::size_t i = 0; i < 30; ++i) colours.insert(legend_colour(made, i));
  CHECK(colours.size() == 30);
  CHECK(legend_colour(picture(1, 1, 8), 0) == "#0072B2");
  Picture grouped = picture(1, 1, 4);
  for (std::size_t i = 0; i < 4; ++i) grouped.legend[i].group = i / 2;
  CHECK(legend_colour(grouped, 0) == "#003F62");  // the first hue, darker by 0.45
  CHECK(legend_colour(grouped, 0) != legend_colour(grouped, 1));
}

TEST_CASE("long titles break, and no part of them is lost") {
  const Picture made = picture(1, 1, 1);
  std::string joined;
  for (const std::string& line : layout_of(made).title) {
    CHECK(line.size() <= 80);  // 760 pixels, 9.5 each
    joined += line;
  }
  CHECK(joined == made.title);
}

TEST_CASE("the size of a picture goes into its terminal") {
  const PictureLayout layout = single_layout();
  CHECK(terminal_for("a.svg", layout).find("svg size 550,364") != std::string::npos);
  CHECK(terminal_for("a.png", layout).find("pngcairo size 880,582") != std::string::npos);
  CHECK(terminal_for("a.pdf", layout).find("5.729in,3.792in") != std::string::npos);
}
