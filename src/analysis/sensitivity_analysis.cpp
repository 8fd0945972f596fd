#include <fmt/format.h>

#include "dalembert/sensitivity/sensitivity.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"
#include "library.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

/// The derivatives at the last record: a row for each argument, a column for each quantity.
std::vector<std::vector<std::string>> rows_at_end(const Sensitivity& result) {
  std::vector<std::vector<std::string>> rows{{"by"}};
  rows[0].insert(rows[0].end(), result.of.begin(), result.of.end());
  for (std::size_t j = 0; j < result.by.size(); ++j) {
    rows.push_back({result.by[j]});
    for (std::size_t i = 0; i < result.of.size(); ++i)
      rows.back().push_back(fmt::format("{:.6g}", result.derivative(result.size() - 1, i, j)));
  }
  return rows;
}

Finding found_derivatives(const RunPlan& plan, Sensitivity result) {
  Finding finding = finding_of(result);
  const std::size_t records = result.size(), of = result.of.size(), by = result.by.size();
  finding.heading = fmt::format("{}: derivatives at t = {:g}", run_heading(plan), result.t.back());
  finding.rows = rows_at_end(result);
  const std::string mode = result.mode == SensitivityMode::adjoint ? "adjoint" : "tangent";
  finding.table = {
      .dimensions = {{"t", records}, {"of", of}, {"by", by}},
      .coordinates = {{"t", "time", {"t"}, result.t, plan.columns.unit(0)},
                      {"of", "what is differentiated", {"of"}, result.of},
                      {"by", "by what", {"by"}, result.by}},
      .variables = {{"mode", "how derivatives were found", {}, std::vector{mode}},
                    {"value", "of the run", {"t", "of"}, std::move(result.values), {}, "values"},
                    {"derivative",
                     "exact for the steps of the run",
                     {"t", "of", "by"},
                     std::move(result.derivatives),
                     {},
                     "derivatives"}}};
  return finding;
}

}  // namespace

std::vector<FoundLine> derivative_lines(const RunPlan& plan, const LabelledTable& table) {
  std::vector<FoundLine> lines;
  const std::vector<std::string>&of = table.texts("of"), &by = table.texts("by");
  for (std::size_t i = 0; i < of.size(); ++i)
    for (std::size_t j = 0; j < by.size(); ++j)
      lines.push_back({run_heading(plan),
                       "derivatives of " + of[i],
                       "by " + by[j],
                       {table.numbers("t"),
                        table.along_time("derivative", i * by.size() + j, of.size() * by.size())}});
  return lines;
}

Analysis sensitivity_analysis() {
  return {.page = sensitivity_page().info(),
          .options = words_of_runs(),
          .footer =
              "Examples: dalembert sensitivity pendulum-cvt --method gauss --step 0.1 --until 20 "
              "--by start,epsilon\n"
              "          dalembert sensitivity rolling-disk --method lobatto --step 0.05 --until "
              "10 --of \"x, y, energy\"",
          .interrupted = "derivatives up to there are shown, and cannot be resumed",
          .json = "values and derivatives",
          .csv = along_time,
          .picture = "derivatives at records",
          .plan = [](const Study& study, const AnalysisPlanning& planning) {
            const SensitivityChoice asked = read_page(sensitivity_page(), study);
            // The way back takes every step again.
            const double passes = asked.mode == SensitivityMode::adjoint ? 2.0 : 1.0;
            return plan_of_runs(
                study, planning, passes,
                with_options(asked,
                             [](const RunPlan& plan, const SensitivityChoice& choice) {
                               return found_derivatives(plan, differentiate_run(plan, choice));
                             }),
                derivative_lines);
          }};
}

}  // namespace dalembert::study
