#include "dalembert/document/toml.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/node.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

const std::string text = R"(b = 1
a = [1, 2.5, "three", true]

[run]   # a comment
step = 0.1
[[method]]
name = "dla"
[[method]]
name = "leapfrog"
)";

}  // namespace

TEST_CASE("a document keeps order, lines and keys") {
  const DocumentNode document = parse_document(text, "file.toml");
  REQUIRE(document.table().size() == 4);
  CHECK(document.table()[0].first == "b");
  CHECK(document.table()[1].first == "a");
  const DocumentNode& name = *document.find("method")->array()[1].find("name");
  CHECK(name.place.text() == "file.toml:9");
  CHECK(name.key == "method.1.name");
  CHECK(as_text(name) == "leapfrog");
  CHECK(as_number(*document.find("b")) == 1.0);
  CHECK(as_list(*document.find("b")).size() == 1);
}

TEST_CASE("what is not TOML is refused with its line") {
  CHECK_THROWS_WITH_AS(parse_document("a = 1\nb = = 2\n", "f"), doctest::Contains("f:2"),
                       RequestError);
  CHECK_THROWS_WITH_AS(parse_document("a = 1979-05-27\n", "f"), doctest::Contains("f:1"),
                       RequestError);
  CHECK_THROWS_AS(read_document("/nowhere/at/all.toml"), OutputError);
}

TEST_CASE("settings change, add and complain") {
  DocumentNode document = parse_document(text, "f");
  apply_setting(document, "run.step=pi/10");
  CHECK(as_text(*document.find("run")->find("step")) == "pi/10");
  apply_setting(document, "run.steps=[1, 2]");
  CHECK(document.find("run")->find("steps")->array().size() == 2);
  apply_setting(document, "method.1.base={ name = \"dla\" }");
  CHECK(as_text(*document.find("method")->array()[1].find("base")->find("name")) == "dla");
  apply_setting(document, "initial.name=rotating");
  CHECK(document.find("initial")->find("name")->place.text() == "--set initial.name=rotating");
  CHECK_THROWS_AS(apply_setting(document, "run"), RequestError);
  CHECK_THROWS_AS(apply_setting(document, "=1"), RequestError);
  CHECK_THROWS_AS(apply_setting(document, "run..step=1"), RequestError);
  CHECK_THROWS_AS(apply_setting(document, "method.2.name=x"), RequestError);
  CHECK_THROWS_AS(apply_setting(document, "run.step.x=1"), RequestError);
}

TEST_CASE("a document written as TOML reads back the same") {
  const DocumentNode first = parse_document(
      text + "[x.\"odd key\"]\nt = \"a \\\"b\\\" \\\\ \\n\"\nn = 0.1\ne = 1e300\n", "f");
  const std::string written = to_toml(first);
  CHECK(to_toml(parse_document(written, "g")) == written);
  const DocumentNode second = parse_document(written, "g");
  CHECK(as_text(*second.find("x")->find("odd key")->find("t")) == "a \"b\" \\ \n");
  CHECK(as_number(*second.find("x")->find("odd key")->find("e")) == 1e300);
}

TEST_CASE("values of the wrong kind are named") {
  const DocumentNode document = parse_document("t = 'x'\nn = nan\nb = 2.5\n", "f");
  CHECK_THROWS_WITH_AS(as_number(*document.find("t")),
                       "f:1: key \"t\" must be a number, not the text \"x\"", RequestError);
  CHECK_THROWS_WITH_AS(as_number(*document.find("n")),
                       "f:2: key \"n\" is nan; it must be a finite number", RequestError);
  CHECK_THROWS_WITH_AS(as_whole(*document.find("b"), 1, 3),
                       "f:3: key \"b\" is 2.5; it must be a whole number in [1, 3]", RequestError);
  CHECK_THROWS_AS(as_boolean(*document.find("b")), RequestError);
}

TEST_CASE("keys that nobody asked for are refused with the nearest one") {
  const DocumentNode document = parse_document("first = 1\nsecnd = 2\n", "f");
  TableReader table(document);
  table.find("first");
  table.find("second");
  CHECK_THROWS_WITH_AS(table.finish(), "f:2: unknown key \"secnd\"; did you mean \"second\"?",
                       RequestError);
}
