#include "picture/draw/layout.hpp"

#include <doctest/doctest.h>

#include <set>

#include "dalembert/error.hpp"

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

TEST_CASE("a picture on paper is as large as asked, whatever is in it") {
  for (const std::size_t entries : {1, 4, 12}) {
    Picture made = picture(1, 1, entries);
    made.title = "short";
    made.look.size = PictureSize{17.0, 12.0};
    const PictureLayout layout = layout_of(made);
    // 96 pixels to the inch of 2.54 cm.
    CHECK(layout.width() == doctest::Approx(17.0 * 96.0 / 2.54));
    CHECK(layout.height() == doctest::Approx(12.0 * 96.0 / 2.54));
    CHECK(layout.legend_width == 0.0);
  }
}

TEST_CASE("panels that are too narrow stand below each other, row by row") {
  Picture made = picture(2, 2, 1);
  made.title = "short";
  made.look.size = PictureSize{8.5};
  const PictureLayout layout = layout_of(made);
  CHECK(layout.columns == 1);
  CHECK(layout.rows == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(layout.places[i] == std::pair<std::size_t, std::size_t>{i, 0});
  made.look.size = PictureSize{17.0};
  CHECK(layout_of(made).columns == 2);
}

TEST_CASE("a size without room is refused with one that has room") {
  Picture made = picture(2, 2, 1);
  made.title = "short";
  made.look.size = PictureSize{8.5, 6.0};
  std::string refusal;
  try {
    layout_of(made);
  } catch (const RequestError& error) {
    refusal = error.what();
  }
  const std::string before = "it needs 8.5 cm x ";
  const std::size_t place = refusal.find(before);
  REQUIRE(place != std::string::npos);
  made.look.size->height = std::stod(refusal.substr(place + before.size()));
  CHECK_NOTHROW(layout_of(made));
}

TEST_CASE("without title and legend panels have their room") {
  Picture made = picture(1, 1, 4);
  made.look.size = PictureSize{8.5, 5.0};
  CHECK_THROWS_AS(layout_of(made), RequestError);  // a title of five lines
  made.look.title = "";
  const double with_legend = layout_of(made).panel_height;
  made.look.legend = false;
  CHECK(layout_of(made).panel_height > with_legend + 15.0);
}

TEST_CASE("smaller letters leave more room") {
  Picture made = picture(1, 1, 1);
  made.title = "short";
  const double usual = layout_of(made).bottom;
  made.look.font_size = 4.9;  // half of the usual 9.8
  CHECK(layout_of(made).bottom == doctest::Approx(usual / 2.0));
}
