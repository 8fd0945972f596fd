// Views of findings that are made up: what is written is what stands in the tables.
#include "dalembert/analysis/views.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/library.hpp"
#include "analysis/run_analysis.hpp"
#include "dalembert/analysis/volume_analysis.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/study/plan_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

RunPlan some_plan() {
  const DocumentNode document = parse_document(
      "problem = \"knife-edge\"\n[run]\nstep = 0.5\nsteps = 2\n[initial]\nq = [0, 0, 0]\n"
      "v = [1, 0, 1]\n[[method]]\nname = \"dla\"\nlabel = \"one, two\"\n",
      "file");
  return plan_runs(read_study(document)).front();
}

Findings made_up() {
  Finding finding;
  finding.steps = 2;
  finding.heading = "heading";
  finding.rows = {{"name", "value"}, {"a", "1"}};
  finding.table = {
      .dimensions = {{"t", 2}, {"of", 2}, {"by", 3}, {"bound", 2, {"low", "high"}}},
      .coordinates = {{"t", "", {"t"}, std::vector{0.0, 1.0}},
                      {"of", "", {"of"}, std::vector<std::string>{"x", "y, z"}}},
      .variables = {{"slope",
                     "",
                     {"t", "of", "by"},
                     std::vector{1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., unknown},
                     {},
                     "slopes"},
                    {"value", "", {"t", "of"}, std::vector{0.25, 0.5, 0.75, 1.0}},
                    {"rate", "", {"bound"}, std::vector{-1.0, 1.0}},
                    {"count", "", {}, std::vector{std::int64_t{7}}},
                    {"kept", "", {}, std::vector{std::int64_t{1}}, {}, {}, true}}};
  return {{some_plan()}, {finding}};
}

}  // namespace

TEST_CASE("JSON has lists along dimensions, objects of parts, and null for what is no number") {
  const auto json = nlohmann::json::parse(json_of(made_up()));
  const auto& run = json["runs"][0];
  CHECK(run["problem"] == "knife-edge");
  CHECK(run["method"]["name"] == "dla");
  CHECK(run["status"] == "ok");
  CHECK(run["until"] == 1.0);
  CHECK(run["slopes"][0][1] == nlohmann::json::parse("[4.0, 5.0, 6.0]"));
  CHECK(run["slopes"][1][1][2].is_null());
  CHECK(!run.contains("slope"));
  CHECK(run["value"] == nlohmann::json::parse("[[0.25, 0.5], [0.75, 1.0]]"));
  CHECK(run["rate"] == nlohmann::json::parse(R"({"low": -1.0, "high": 1.0})"));
  CHECK(run["count"].is_number_integer());
  CHECK(run["kept"] == true);
}

TEST_CASE("CSV has a line for each place of the largest arrays along time") {
  const std::string text = csv_of(made_up());
  CHECK(text.starts_with(
      "run,t,of,by,slope,value\n\"knife-edge, one, two, h = 0.5\",0,x,1,1,0.25\n"));
  CHECK(text.find(",1,\"y, z\",2,11,1\n") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 1 + 2 * 2 * 3);
}

TEST_CASE("runs with one heading share a table, and those without rows leave nothing") {
  Findings found = made_up();
  found.plans.assign(4, found.plans.front());
  found.findings.assign(4, found.findings.front());
  found.findings[1].rows[1] = {"b", "2"};
  found.findings[2].rows.clear();
  found.findings[3].heading = "another";
  CHECK(text_of(found) ==
        "heading\nname  value\na     1\nb     2\n\nanother\nname  value\na     1\n");
}

TEST_CASE("lines of one title and label share a panel") {
  Findings found = made_up();
  found.plans.assign(2, found.plans.front());
  found.findings.assign(2, found.findings.front());
  found.plans[1].start = "b";
  const LinesOfRun lines = [](const RunPlan& plan, const LabelledTable& table) {
    return std::vector<FoundLine>{
        {"title", "label", plan.start, {table.numbers("t"), table.along_time("slope", 4, 6)}},
        {"title", "other", "", {table.numbers("t"), table.along_time("value", 1, 2)}}};
  };
  const Picture picture = picture_of(lines, "all", found);
  REQUIRE(picture.panels.size() == 2);
  REQUIRE(picture.panels[0].curves.size() == 2);
  CHECK(picture.panels[0].y.label == "label");
  CHECK(picture.panels[0].curves[1].curve.values == std::vector{5.0, 11.0});
  CHECK(picture.panels[1].curves[0].curve.values == std::vector{0.5, 1.0});
  CHECK(picture.panels[1].row == 1);
  CHECK(picture.legend.size() == 2);
  CHECK_THROWS_AS(found.findings[0].table.numbers("nothing"), std::out_of_range);
}

TEST_CASE("a run that is refused leaves the others, and its sentence once") {
  const RunPlan plan = some_plan();
  int asked = 0;
  const FindOfRun once = [&](const RunPlan&, const AnalysisWatch&) {
    if (asked++ != 1) throw RequestError("not this one");
    return Finding{};
  };
  const Findings found = analyse_runs(once, {plan, plan, plan}, {});
  CHECK(found.findings.size() == 1);
  CHECK(found.plans.size() == 1);
  CHECK(found.refused == std::vector<std::string>{"not this one"});
  const FindOfRun always = [](const RunPlan&, const AnalysisWatch&) { return Finding{}; };
  std::atomic<bool> stop = false;
  CHECK(analyse_runs(always, {plan, plan}, {&stop}).findings.size() == 2);
  stop = true;
  CHECK(analyse_runs(always, {plan, plan}, {&stop}).findings.empty());
}

TEST_CASE("analyses are found by their names") {
  for (const Analysis& one : analyses()) CHECK(&analysis_named(one.page.name) == &one);
  CHECK_THROWS_WITH_AS(analysis_named("lyapunow"), doctest::Contains("did you mean \"lyapunov\"?"),
                       RequestError);
}

TEST_CASE("lines of analyses are those of their tables") {
  const RunPlan plan = some_plan();
  LabelledTable table{
      .dimensions = {{"t", 2}, {"exponent", 2}, {"of", 1}, {"by", 2}},
      .coordinates = {{"t", "", {"t"}, std::vector{1.0, 2.0}},
                      {"of", "", {"of"}, std::vector<std::string>{"x"}},
                      {"by", "", {"by"}, std::vector<std::string>{"y", "z"}}},
      .variables = {{"running", "", {"t", "exponent"}, std::vector{1.0, 2.0, 3.0, 4.0}},
                    {"derivative", "", {"t", "of", "by"}, std::vector{5.0, 6.0, 7.0, 8.0}},
                    {"log_volume", "", {"t"}, std::vector{1.0, 3.0}},
                    {"log_volume_of_motion", "", {"t"}, std::vector{0.25, 0.5}}}};
  const auto lines = exponent_lines(plan, table);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].name == "exponent 2");
  CHECK(lines[1].curve.values == std::vector{2.0, 4.0});
  CHECK(lines[1].curve.t == std::vector{1.0, 2.0});
  const auto derivatives = derivative_lines(plan, table);
  REQUIRE(derivatives.size() == 2);
  CHECK(derivatives[1].y_label == "derivatives of x");
  CHECK(derivatives[1].name == "by z");
  CHECK(derivatives[1].curve.values == std::vector{6.0, 8.0});
  const auto volume = volume_lines(plan, table);
  REQUIRE(volume.size() == 1);
  CHECK(volume[0].curve.values == std::vector{0.75, 2.5});
}
