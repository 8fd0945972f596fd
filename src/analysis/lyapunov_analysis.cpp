#include <fmt/format.h>

#include <limits>

#include "dalembert/sensitivity/lyapunov.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"
#include "library.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

std::vector<std::string> estimate_row(const std::string& name, const Estimate& estimate) {
  return {name, fmt::format("{:.6g}", estimate.value), fmt::format("{:.6g}", estimate.low),
          fmt::format("{:.6g}", estimate.high)};
}

Finding found_exponents(const RunPlan& plan, const LyapunovSpectrum& result) {
  Finding finding = finding_of(result);
  const std::size_t times = result.t.size(),
                    count = times == 0 ? result.exponents.size() : result.running.size() / times;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> exponents, sum(3, unknown);
  for (const Estimate& one : result.exponents)
    exponents.insert(exponents.end(), {one.value, one.low, one.high});
  exponents.resize(3 * count, unknown);
  if (result.ok()) sum = {result.sum.value, result.sum.low, result.sum.high};
  finding.table = {
      .dimensions = {{"t", times}, {"exponent", count}, {"bound", 3, {"value", "low", "high"}}},
      .coordinates = {{"t", "time", {"t"}, result.t, plan.columns.unit(0)}},
      .variables = {{"dimension",
                     "of the constraint set",
                     {},
                     std::vector{static_cast<std::int64_t>(result.dimension)}},
                    {"exponents",
                     "the largest first, with intervals of 95 %",
                     {"exponent", "bound"},
                     std::move(exponents)},
                    {"sum", "of these exponents", {"bound"}, std::move(sum)},
                    {"running", "means up to t", {"t", "exponent"}, result.running}}};
  if (result.ok()) {
    finding.heading = fmt::format("{}, until t = {:g}: {} of {} exponents", run_heading(plan),
                                  plan.end(), result.exponents.size(), result.dimension);
    finding.rows = {{"exponent", "value", "from", "to (95 %)"}};
    for (std::size_t i = 0; i < result.exponents.size(); ++i)
      finding.rows.push_back(estimate_row(std::to_string(i + 1), result.exponents[i]));
    finding.rows.push_back(estimate_row("sum", result.sum));
  }
  return finding;
}

}  // namespace

std::vector<FoundLine> exponent_lines(const RunPlan& plan, const LabelledTable& table) {
  std::vector<FoundLine> lines;
  const std::size_t count = table.size_of("exponent");
  for (std::size_t i = 0; i < count; ++i)
    lines.push_back({run_heading(plan),
                     "exponents: means up to t",
                     "exponent " + std::to_string(i + 1),
                     {table.numbers("t"), table.along_time("running", i, count)}});
  return lines;
}

Analysis lyapunov_analysis() {
  return {.page = lyapunov_page().info(),
          .options = words_of_runs(),
          .footer =
              "Example: dalembert lyapunov chaotic --method leapfrog --step 0.05 --until "
              "10000 --exponents 3 --plot exponents.svg",
          .interrupted = "exponents need the whole time, and only running means are kept",
          .json = "exponents and running means",
          .csv = along_time,
          .picture = "running means",
          .plan = [](const Study& study, const AnalysisPlanning& planning) {
            return plan_of_runs(
                study, planning, 1.0,
                with_options(read_page(lyapunov_page(), study),
                             [](const RunPlan& plan, const LyapunovOptions& options) {
                               return found_exponents(plan, lyapunov_of_run(plan, options));
                             }),
                exponent_lines);
          }};
}

}  // namespace dalembert::study
