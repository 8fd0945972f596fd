#include "dalembert/result/states_at.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {
namespace {

/// Without the zeros in front.
std::string without_zeros(const std::string& run) {
  return run.substr(std::min(run.find_first_not_of('0'), run.size()));
}

RunPlan chosen_run(std::vector<RunPlan> plans, const std::string& run, const std::string& file) {
  if (run.empty() && plans.size() == 1) return std::move(plans.front());
  std::string known;
  for (RunPlan& plan : plans) {
    const std::string number = std::to_string(plan.index + 1);
    if (without_zeros(run) == number) return std::move(plan);
    known += fmt::format("{}{:04} ({}{}{})", known.empty() ? "" : ", ", plan.index + 1,
                         plan.method.label, plan.label.empty() ? "" : ", ", plan.label);
  }
  throw RequestError(run.empty()
                         ? file + " holds several runs; say which: " + known
                         : "\"" + run + "\" is no run of " + file + "; these are: " + known);
}

/// Some columns of rows, one after the other.
std::vector<double> columns_of(std::span<const double> rows, std::size_t width, std::size_t begin,
                               std::size_t end) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows.size(); row += width)
    for (std::size_t i = begin; i < end; ++i) values.push_back(rows[row + i]);
  return values;
}

}  // namespace

RecordedMotion read_motion(const std::filesystem::path& file, const std::string& run) {
  const Study study = read_study(parse_document(read_hdf5_study(file), file.string()));
  if (study.ensemble) {
    throw RequestError(file.string() +
                       " holds an ensemble, whose statistics are recorded and not its motions");
  }
  std::vector<RunPlan> plans{
      chosen_run(std::move(plan_fitting_runs(study).plans), run, file.string())};
  std::vector<RunResult> results =
      read_hdf5_results(file, plans, {.record_every = study.record_every});
  return {std::move(plans.front()), std::move(results.front().records)};
}

StatesAt states_at(RecordedMotion& motion, std::span<const double> times) {
  const std::vector<double> rows = motion.rows_at(times);
  const RecordColumns& columns = motion.plan().columns;
  const auto names = [&](std::size_t begin, std::size_t end) {
    return std::vector<std::string>(columns.names.begin() + static_cast<std::ptrdiff_t>(begin),
                                    columns.names.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const auto part = [&](std::size_t begin, std::size_t end) {
    return columns_of(rows, columns.width(), begin, end);
  };
  const std::size_t q = columns.q_begin(), v = columns.v_begin(), lambda = columns.lambda_begin(),
                    end = columns.energy();
  return {names(q, v), names(v, lambda), names(lambda, end), part(0, 1),
          part(q, v),  part(v, lambda),  part(lambda, end)};
}

StatesAt states_at(const std::filesystem::path& file, const std::string& run,
                   std::span<const double> times) {
  RecordedMotion motion = read_motion(file, run);
  return states_at(motion, times);
}

}  // namespace dalembert::study
