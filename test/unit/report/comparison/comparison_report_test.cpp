#include "dalembert/report/comparison/comparison_report.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

/// Of leap-frog three steps, of which the first is not to be believed, of Gauss' method one.
Comparison sample_comparison() {
  const Study study = read_study(parse_document(R"(
problem = "pendulum-cvt"
[initial]
name = "rotating"
[run]
step = 0.1
until = 10
[[method]]
name = "leapfrog"
[[method]]
name = "gauss"
label = "Gauss, \"two stages\""
)",
                                                "text"));
  Comparison found = compare_methods(study, {.levels = 3});
  found.methods[0].runs[0].cautions = {"energy out of scale"};
  found.methods[1].runs.resize(1);
  return found;
}

}  // namespace

TEST_CASE("arrays have nan where a method has fewer steps") {
  const Comparison found = sample_comparison();
  const LabelledTable table = comparison_arrays(found);
  CHECK(table.size_of("method") == 2);
  CHECK(table.size_of("level") == 3);
  const auto values = [&](const std::string& name) {
    for (const LabelledArray& array : table.variables)
      if (array.name == name) return std::get<std::vector<double>>(array.values);
    FAIL("no array " << name);
    return std::vector<double>{};
  };
  const std::vector<double> steps = values("step");
  CHECK(std::vector<double>(steps.begin(), steps.begin() + 4) ==
        std::vector<double>{0.1, 0.05, 0.025, 0.1});
  CHECK(std::isnan(steps[4]));
  CHECK(std::isnan(values("driver_energy_error")[5]));
  CHECK(values("energy_drift_low")[3] == found.methods[1].runs[0].kept[0].drift->low);
}

TEST_CASE("pictures leave out what is not to be believed, and say so") {
  const Comparison found = sample_comparison();
  const Picture picture = comparison_picture(found, CostAxis::step);
  REQUIRE(picture.panels.size() == 8);  // solution, constraint, and two for each of three
  const PicturePanel& solution = picture.panels[0];
  REQUIRE(solution.curves.size() == 2);
  CHECK(solution.curves[0].curve.t == std::vector<double>{0.05, 0.025});
  CHECK(solution.curves[0].curve.values[0] == found.methods[0].runs[1].solution_error);
  CHECK(solution.curves[1].curve.t == std::vector<double>{0.1});
  REQUIRE(picture.notes.size() == 1);
  CHECK(picture.notes[0].find("not to be believed") != std::string::npos);
}

TEST_CASE("the table shows the largest step that is accurate enough, or marks the smallest") {
  const Comparison found = sample_comparison();
  const double error = 1.01 * found.methods[0].runs[1].solution_error;
  const auto step_in = [](const std::string& table) {
    std::istringstream row(table.substr(table.find("leapfrog")));
    std::string label;
    double step = 0.0;
    row >> label >> step;
    return step;
  };
  CHECK(step_in(comparison_table(found, error)) == 0.05);
  const std::string none = comparison_table(found, 1e-15);
  CHECK(step_in(none) == 0.025);
  CHECK(none.find(" *") != std::string::npos);
  CHECK(none.find("the smallest is shown") != std::string::npos);
}

TEST_CASE("CSV quotes what needs it") {
  const std::string text = comparison_csv(sample_comparison());
  CHECK(text.starts_with("method,step,seconds,evaluations,solution_error,constraint_error,"));
  CHECK(text.find("\n\"Gauss, \"\"two stages\"\"\",0.1,") != std::string::npos);
  CHECK(std::ranges::count(text, '\n') == 5);
}
