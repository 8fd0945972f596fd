#include "dalembert/study/page/page.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

enum class Colour { red, green };

struct Paint {
  double share = 0.5;
  std::size_t coats = 2;
  std::optional<double> width = {};
  Colour colour = Colour::red;
  bool dry = false, matt = false;
  std::vector<std::string> on = {"wood"};
};

const Page<Paint> page{
    "paint",
    "Paint things",
    {{"share", &Paint::share, "How much", 0.0, 1.0},
     {"coats", &Paint::coats, "How often", 1, 100000},
     {"width", &Paint::width, "How wide", 0.0, 10.0, "any"},
     {"colour", &Paint::colour, "Which", {{Colour::red, "red"}, {Colour::green, "green"}}},
     {"dry", &Paint::dry, "Whether it dries"},
     {"matt", &Paint::matt, "How it shines", "bright", "matt"},
     {"on", &Paint::on, "What"}}};

Paint painted(const std::string& text) {
  const DocumentNode document = parse_document(text, "file");
  return page.read(document.find("paint"));
}

}  // namespace

TEST_CASE("what a table does not say has the default of its member") {
  for (const Paint& paint : {page.read(nullptr), painted("[paint]\n")}) {
    CHECK(paint.share == 0.5);
    CHECK(paint.coats == 2);
    CHECK(!paint.width);
    CHECK(paint.colour == Colour::red);
    CHECK(!paint.dry);
    CHECK(paint.on == std::vector<std::string>{"wood"});
  }
}

TEST_CASE("every kind of key is read into its member") {
  const Paint paint = painted(
      "[paint]\nshare = 1\ncoats = 100000\nwidth = 2.5\ncolour = \"green\"\ndry = true\n"
      "matt = \"matt\"\non = [\"iron\", \"glass\"]\n");
  CHECK(paint.share == 1.0);
  CHECK(paint.coats == 100000);
  CHECK(paint.width == 2.5);
  CHECK(paint.colour == Colour::green);
  CHECK(paint.dry);
  CHECK(paint.matt);
  CHECK(paint.on == std::vector<std::string>{"iron", "glass"});
  CHECK(!painted("[paint]\nwidth = \"any\"\n").width);
  CHECK(!painted("[paint]\ndry = \"no\"\n").dry);
  CHECK(painted("[paint]\non = \"iron\"\n").on == std::vector<std::string>{"iron"});
}

TEST_CASE("what is not admissible is refused with its place, its key and what is") {
  const std::pair<const char*, const char*> wrong[] = {
      {"share = 1.5", "file:2: key \"paint.share\" is 1.5; it must be in [0, 1]"},
      {"share = \"much\"", "must be a number, not the text \"much\""},
      {"share = nan", "finite"},
      {"coats = 0", "key \"paint.coats\" is 0; it must be in [1, 100000]"},
      {"coats = 1.5", "is 1.5; it must be a whole number in [1, 100000]"},
      {"width = \"some\"", "is \"some\"; it must be a number or any"},
      {"width = 11", "is 11; it must be in [0, 10]"},
      {"width = true", "must be a text, not true"},
      {"colour = \"blue\"", "is \"blue\"; it must be one of red, green"},
      {"colour = 1", "must be a text, not 1"},
      {"dry = 1", "must be true or false, not 1"},
      {"matt = true", "must be a text, not true"},
      {"on = [1]", "must be a text, not 1"},
      {"shape = 1", "unknown key \"paint.shape\"; did you mean \"share\"?"}};
  for (const auto& [line, sentence] : wrong)
    CHECK_THROWS_WITH_AS(painted(std::string("[paint]\n") + line + "\n"),
                         doctest::Contains(sentence), RequestError);
  CHECK_THROWS_WITH_AS(painted("paint = 1\n"), doctest::Contains("must be a table"), RequestError);
}

TEST_CASE("a key that an option gave is refused by the name of the option") {
  DocumentNode document = parse_document("", "file");
  set_value(document, "paint.share", value_in_words("7", "--share"));
  CHECK_THROWS_WITH_AS(page.read(document.find("paint")), "--share is 7; it must be in [0, 1]",
                       RequestError);
}

TEST_CASE("a page says what its keys are") {
  const PageInfo info = page.info();
  REQUIRE(info.keys.size() == 7);
  CHECK(option_range(info.keys[0]) == "number in [0, 1]");
  CHECK(option_range(info.keys[1]) == "whole number in [1, 100000]");
  CHECK(option_range(info.keys[2]) == "number in [0, 10] or any");
  CHECK(option_range(info.keys[3]) == "one of red, green");
  CHECK(option_range(info.keys[6]) == "a list of texts");
  CHECK(std::get<double>(info.keys[1].default_value) == 2.0);
}

TEST_CASE("pages of analyses have one name each, and their defaults are admissible") {
  for (const PageInfo& one : study_pages()) {
    CHECK(&page_named(one.name) == &one);
    for (const OptionInfo& key : one.keys)
      CHECK_MESSAGE(option_misfit(key, key.default_value).empty(), one.name << "." << key.name);
  }
}
