#include "dalembert/picture/picture.hpp"

#include <doctest/doctest.h>

using namespace dalembert;
using namespace study;

TEST_CASE("A logarithmic axis may cover hundreds of powers of ten") {
  Picture picture{.title = "growth", .legend = {{"far"}}};
  PicturePanel panel{.title = "far", .x = {.label = "t"}, .y = {.label = "E", .logarithmic = true}};
  panel.curves.push_back({.entry = 0, .curve = {{0.0, 1.0, 2.0}, {1e-16, 1.0, 1e200}}});
  picture.panels.push_back(panel);
  const std::vector<std::string> svgs = panel_svgs(picture, "far");
  REQUIRE(svgs.size() == 1);
  CHECK(svgs[0].find("<tspan") != std::string::npos);
  CHECK(svgs[0].find(">168<") != std::string::npos);  // the exponent of the seventh label
}

TEST_CASE("Labels of a logarithmic axis stand at the powers of ten that they name") {
  Picture picture{.title = "cost", .legend = {{"one"}}};
  PicturePanel panel{.title = "cost",
                     .x = {.label = "t", .logarithmic = true},
                     .y = {.label = "E", .logarithmic = true}};
  panel.curves.push_back({.entry = 0, .curve = {{700.0, 1e4, 1.3e6}, {3e-5, 3e-6, 3e-9}}});
  picture.panels.push_back(panel);
  const std::string svg = panel_svgs(picture, "cost").at(0);
  const auto shows = [&](const std::string& exponent) {
    return svg.find(">" + exponent + "<") != std::string::npos;
  };
  for (const char* inside : {"3", "4", "5", "6", "-8", "-7", "-6", "-5"}) CHECK(shows(inside));
  // The ends of the axes, 500 and 1.5e-9, are no powers of ten.
  for (const char* outside : {"2", "-9"}) CHECK_FALSE(shows(outside));
}
