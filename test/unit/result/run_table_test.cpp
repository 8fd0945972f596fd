#include "dalembert/result/run_table.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/study/execute_runs.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

LabelledTable table_of(const std::string& text) {
  const Study study = read_study(parse_document(text, "text"));
  const PlannedRuns planned = plan_fitting_runs(study);
  return run_table(study, planned.plans, execute_runs(planned.plans, {}), planned.refused);
}

const LabelledArray& array(const LabelledTable& table, const std::string& name) {
  for (const auto* arrays : {&table.coordinates, &table.variables})
    for (const LabelledArray& found : *arrays)
      if (found.name == name) return found;
  FAIL("the table has no \"" << name << "\"");
  return table.variables.front();
}

}  // namespace

TEST_CASE("runs of several sizes share the names of their coordinates") {
  const LabelledTable table = table_of(R"(
problem = "wheeled-chain"
[run]
step = 0.1
steps = 2
[[method]]
name = "dla01"
[sweep]
sizes.n = [3, 4]
)");
  CHECK(array(table, "q").dimensions == std::vector<std::string>{"n", "method", "position"});
  const auto names = std::get<std::vector<std::string>>(array(table, "position").values);
  const auto q = std::get<std::vector<double>>(array(table, "q").values);
  REQUIRE(q.size() == 2 * names.size());
  // n = 3 has fewer of them; the rest is unknown.
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < q.size(); ++i) unknown += std::isnan(q[i]) ? 1 : 0;
  CHECK(unknown == 2);
  CHECK(array(table, "step").dimensions.empty());
  CHECK(std::get<std::vector<double>>(array(table, "steps").values) == std::vector<double>{2, 2});
}

TEST_CASE("names that are taken get another, and refused runs have no numbers") {
  const LabelledTable table = table_of(R"(
[system]
coordinates = ["x", "y"]
parameters = { q = 1.0, runs = 1.0, step = 1.0, method = 1.0 }
lagrangian = { kinetic = "(x_dot^2 + y_dot^2)/2", potential = "runs*x^2/2" }
constraints = { expressions = ["y_dot - q*x_dot"] }
[parameters]
q = [0.5, 1]
runs = [1, 2]
step = [1]
method = [1, 3]
[initial]
q = [1, 0]
v = [0, 0]
[run]
step = [0.1, 0.2]
steps = 2
[[method]]
name = "dla01"
[[method]]
name = "shake"
)");
  CHECK(array(table, "q_").dimensions ==
        std::vector<std::string>{"q", "runs_", "method_", "method", "step", "position"});
  CHECK(std::get<std::vector<double>>(array(table, "q").values) == std::vector<double>{0.5, 1.0});
  const auto status = std::get<std::vector<std::string>>(array(table, "status").values);
  const auto errors = std::get<std::vector<double>>(array(table, "energy_error").values);
  REQUIRE(status.size() == 32);
  for (std::size_t i = 0; i < 32; ++i) {
    const bool is_refused = i / 2 % 2 == 1;
    CHECK(status[i] == (is_refused ? "refused" : "ok"));
    CHECK(std::isnan(errors[i]) == is_refused);
  }
  std::set<std::string> names;
  for (const auto* arrays : {&table.coordinates, &table.variables})
    for (const LabelledArray& found : *arrays) CHECK(names.insert(found.name).second);
  CHECK_FALSE(names.contains("runs"));  // the group of the records
}
