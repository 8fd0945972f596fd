#include "dalembert/report/audit_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_in_code.hpp"
#include "dalembert/report/audit_html.hpp"
#include "dalembert/report/audit_json.hpp"
#include "dalembert/report/audit_summary.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

AuditFinding finding(const std::string& property, double value, AuditVerdict verdict) {
  AuditFinding made;
  made.property = property;
  made.value = value;
  made.verdict = verdict;
  return made;
}

/// An audit of one method on one problem, as if it had been measured.
AuditReport report(AuditVerdict verdict) {
  const test_support::SmallSystem system = test_support::pendulum_cvt();
  Start start;
  start.name = "rotating";
  start.q = system.q;
  start.v = system.v;
  AuditReport made{audit_set_of(problem_in_code(system.system, {start})), {}, {}};
  made.set.long_runs.clear();
  made.methods.push_back({make_method({"dla01", {}}), "dla01", {}, {}});
  made.methods[0].problems.push_back({"", {finding("symmetry", 2.5e-30, verdict)}});
  return made;
}

}  // namespace

TEST_CASE("a kept promise is a row of the table") {
  const std::string text = audit_text(report(AuditVerdict::kept));
  CHECK(text.starts_with("dla01: 1 of 1 problems"));
  CHECK(text.find("symmetry") != std::string::npos);
  CHECK(text.find("<= 2.5e-30") != std::string::npos);
  CHECK(text.find("BROKEN PROMISES") == std::string::npos);
}

TEST_CASE("a broken promise is named with its problem in every form") {
  const AuditReport broken = report(AuditVerdict::broken);
  CHECK(broken.is_broken());
  CHECK(audit_text(broken).find("BROKEN PROMISES") != std::string::npos);
  CHECK(summarize(broken.methods[0], broken.set).at(0).where ==
        std::vector<std::string>{"pendulum-cvt"});
  CHECK(audit_html(broken).find("Broken promises") != std::string::npos);
  CHECK_FALSE(report(AuditVerdict::kept).is_broken());
}

TEST_CASE("a drift that is not as predicted is named in every form") {
  AuditReport made = report(AuditVerdict::kept);
  made.set = audit_set_of(std::vector<std::string>{"pendulum-cvt"});
  DriftFinding finding{.quantity = "energy", .initial = 1.0};
  finding.verdict = LongRunVerdict::drifts;
  finding.drift.slope = {1e-3, 0.9e-3, 1.1e-3};
  finding.predicted =
      DriftPrediction{.slope = 2e-3, .error = 1e-4, .rest = {-1e-3, -1.2e-3, -0.9e-3}};
  made.methods[0].long_runs.push_back({"", {finding}});
  CHECK(made.has_surprises());
  CHECK(audit_text(made).find("drifts, not as predicted") != std::string::npos);
  CHECK_FALSE(nlohmann::json::parse(audit_json(made))["methods"][0]["as_predicted"]);
  // Within the error of the prediction and the interval of what is beyond it.
  made.methods[0].long_runs[0].findings[0].predicted->error = 1e-3;
  CHECK_FALSE(made.has_surprises());
}

TEST_CASE("only what is measured as an order is shown as one") {
  const AuditFinding defect = finding("integral border", 3e-30, AuditVerdict::surplus);
  CHECK(defect.value_text() == "3.0e-30");
  CHECK(defect.promise_text() == "-");
  const AuditFinding order = judge_slope("order of q", 2, OrderSeries{});
  CHECK(order.is_order());
  CHECK(order.promise_text() == "2");
}

TEST_CASE("JSON and Markdown hold every method") {
  const AuditReport made = report(AuditVerdict::kept);
  const auto json = nlohmann::json::parse(audit_json(made));
  CHECK(json.dump().find("dla01") != std::string::npos);
  CHECK(json.dump().find("2.5e-30") != std::string::npos);
  CHECK(audit_markdown(made).find("| `dla01` |") != std::string::npos);
}
