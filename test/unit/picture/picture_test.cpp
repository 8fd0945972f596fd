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
