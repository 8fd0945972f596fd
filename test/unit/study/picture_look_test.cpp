#include "dalembert/study/picture_look.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

PictureLook look_of(const std::string& text, const PictureLook& before = {}) {
  const DocumentNode document = parse_document(text, "plot.toml");
  TableReader table(document);
  PictureLook look = read_look(table, before);
  table.finish();
  return look;
}

std::string refusal_of_look(const std::string& text) {
  try {
    look_of(text);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the size of a picture is a width, or a width and a height, with units") {
  const auto size_of = [](const std::string& text) {
    return *look_of("size = \"" + text + "\"").size;
  };
  const PictureSize column = size_of("8.5cmx6cm");
  CHECK(column.width == 8.5);
  CHECK(*column.height == 6.0);
  CHECK(size_of("85mmx60mm").width == doctest::Approx(8.5));
  CHECK(size_of("2in").width == doctest::Approx(5.08));
  CHECK(size_of("144pt").width == doctest::Approx(5.08));
  CHECK_FALSE(size_of("2in").height.has_value());
  for (const char* wrong : {"", "8.5", "8.5x6", "8.5cmx", "8.5cmx6", "8.5cm x 6cm", "1cm", "200cm",
                            "-8cm", "nancm", "8cmx6cmx3cm", "8em"})
    CHECK_THROWS_AS(size_of(wrong), RequestError);
}

TEST_CASE("a range is two numbers in their order") {
  CHECK(look_of("x_range = [0, 10]").x_range == std::pair{0.0, 10.0});
  CHECK(look_of("y_range = [\"-pi/2\", 1e3]").y_range->second == 1e3);
  for (const char* wrong :
       {"[]", "[10]", "[1, \"\"]", "[\"\", 1]", "[10, 0]", "[1, 1]", "[\"a\", \"b\"]", "[0, 1, 2]"})
    CHECK_THROWS_AS(look_of(std::string("x_range = ") + wrong), RequestError);
}

TEST_CASE("the look in a study, and what is wrong with it by its key") {
  const PictureLook look = look_of(
      "size = \"8.5cm\"\nfont_size = 7\nx_range = [0, \"2*pi\"]\ntitle = \"\"\ny_label = \"psi\"\n"
      "legend = false\n");
  CHECK(look.size->width == 8.5);
  CHECK(*look.font_size == 7.0);
  CHECK(look.x_range->second == doctest::Approx(6.283185307179586));
  CHECK(look.title->empty());
  CHECK_FALSE(*look.legend);
  CHECK_FALSE(look.y_range.has_value());
  for (const char* wrong : {"size = \"big\"", "size = 3", "font_size = 100", "x_range = [1, 0]",
                            "x_range = \"0:1\"", "y_range = [1, 2, 3]", "legend = \"none\""}) {
    const std::string refusal = refusal_of_look(wrong);
    CHECK(refusal.find("plot.toml:1") != std::string::npos);
    const std::string key(wrong, std::string_view(wrong).find(' '));
    CHECK(refusal.find(key) != std::string::npos);
  }
}

TEST_CASE("a look changes in what is asked for") {
  const PictureLook look{.size = PictureSize{8.5}, .font_size = 7.0};
  const PictureLook changed = look_of("font_size = 9\nlegend = false", look);
  CHECK(changed.size->width == 8.5);
  CHECK(*changed.font_size == 9.0);
  CHECK_FALSE(*changed.legend);
}
