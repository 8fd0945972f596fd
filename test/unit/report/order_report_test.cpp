#include "dalembert/report/order_report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/document/toml.hpp"
#include "dalembert/study/plan_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

/// A row as of `dla`, of order 1 by its facts, with errors of order `order` in q and v.
OrderRow row(double order) {
  OrderRow made{
      .plan =
          plan_runs(read_study(parse_document(
                        "problem = \"pendulum-cvt\"\n[initial]\nname = \"rotating\"\n[run]\nstep = "
                        "0.1\nuntil = 1\n[[method]]\nname = \"dla01\"\n",
                        "text")))
              .at(0)};
  made.until = 1.0;
  std::vector<double> errors;
  for (int k = 0; k < 5; ++k) {
    made.steps.push_back(0.1 / std::exp2(k));
    errors.push_back(1e-3 * std::exp2(-order * k));
  }
  made.q = made.v = fit_order(errors, 1e-15);
  const int promised = made.plan.program->method().facts().order;
  made.q_verdict = judge_order(made.q, promised);
  made.v_verdict = judge_order(made.v, promised);
  return made;
}

}  // namespace

TEST_CASE("the table of orders says slope, promise and verdict") {
  const std::string table = order_table({row(2.0)});
  CHECK(table.find("2.00 +- 0.00") != std::string::npos);
  CHECK(table.find("q holds, v holds, lambda not measured") != std::string::npos);
  CHECK(order_table({row(1.0)}).find("q BROKEN, v BROKEN") != std::string::npos);
}

TEST_CASE("the JSON of orders reads back as the same numbers") {
  const OrderRow made = row(2.0);
  const auto json = nlohmann::json::parse(order_json("title", {made, row(1.0)}));
  CHECK(json["study"] == "title");
  REQUIRE(json["orders"].size() == 2);
  CHECK(json["orders"][0]["steps"].get<std::vector<double>>() == made.steps);
  CHECK(json["orders"][0]["q"]["errors"].get<std::vector<double>>() == made.q.errors);
  CHECK(json["orders"][0]["q"]["slope"] == made.q.slope);
  CHECK(json["orders"][0]["lambda"]["slope"].is_null());
  CHECK(json["orders"][0]["holds"] == true);
  CHECK(json["orders"][1]["holds"] == false);
}

TEST_CASE("the picture of orders has a panel for each method, and lines of whole slopes") {
  OrderRow other = row(1.0), other_start = row(2.0);
  other.plan.method.label = "other";
  other_start.plan.label = "resting";
  const Picture picture = order_picture("title", {row(2.0), other, other_start});
  REQUIRE(picture.panels.size() == 2);
  CHECK(picture.panels[0].title == "dla01");
  // q and v from two starts, and one slope.
  CHECK(picture.panels[0].curves.size() == 5);
  CHECK(picture.panels[1].title == "other");
  CHECK(picture.panels[1].curves.size() == 3);
  CHECK(picture.panels[0].y.range == picture.panels[1].y.range);
  CHECK(picture.legend.front().label == "error in q, rotating");
  CHECK(picture.legend.back().reference);
  CHECK(picture.legend.back().label == "slopes 1, 2");
}

TEST_CASE("an error that is no number leaves the ranges of the picture of orders finite") {
  OrderRow exploded = row(2.0);
  exploded.q.errors[0] = INFINITY;
  exploded.v.errors[0] = NAN;
  const Picture picture = order_picture("title", {exploded});
  CHECK(std::isfinite(picture.panels.at(0).y.range->second));
  CHECK(picture.panels[0].curves[0].curve.t.size() == 4);
}
