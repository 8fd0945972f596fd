#include "ensemble_summary.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {
namespace {

double largest(const QuantityStatistics& quantity) {
  double result = 0.0;
  for (const SampleStatistics& record : quantity.records) {
    if (record.count == 0) continue;
    result = numeric::larger(result, std::fabs(record.min));
    result = numeric::larger(result, std::fabs(record.max));
  }
  return result;
}

IntegralSummary summary(const std::string& name, double initial, const QuantityStatistics& errors) {
  const double change = errors.records.empty() ? 0.0 : errors.records.back().mean;
  return {name, initial, initial + change, largest(errors)};
}

}  // namespace

std::array<double, ensemble_columns.size()> column_values(const SampleStatistics& s) {
  return {static_cast<double>(s.count),
          s.mean,
          s.variance,
          s.mean_square,
          s.min,
          s.quantiles[0],
          s.quantiles[1],
          s.quantiles[2],
          s.quantiles[3],
          s.quantiles[4],
          s.max};
}

RunResult as_run(const EnsemblePlan& plan, const EnsembleResult& result) {
  RunResult run;
  run.status = result.status;
  run.message = result.message;
  run.steps = result.steps;
  run.newton_iterations = result.newton_iterations;
  run.native = result.native;
  run.native_refusal = result.native_refusal;
  run.seconds = result.seconds;
  run.seconds_per_step =
      result.stepper_seconds / static_cast<double>(std::max<std::uint64_t>(1, result.member_steps));
  const auto mean = [&](std::size_t j) {
    return j < result.start_means.size() ? result.start_means[j] : 0.0;
  };
  run.diagnostics.energy = summary("energy", mean(0), result.quantities[0]);
  run.diagnostics.constraint_max = largest(result.quantities[2]);
  const auto& integrals = plan.run.system.mechanics().integrals;
  for (std::size_t i = 0; i < integrals.size(); ++i) {
    run.diagnostics.integrals.push_back(
        summary(integrals[i].first, mean(2 + i), result.quantities[3 + i]));
  }
  return run;
}

}  // namespace dalembert::study
