#include "study_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Numbers that the records of all runs of a study hold at most: 320 MB.
constexpr double most_recorded = 4e7;

/// Steps between the records that fit.
std::uint64_t every_that_fits(const std::vector<RunPlan>& plans) {
  double all = 0.0;
  for (const RunPlan& plan : plans)
    all += static_cast<double>(plan.steps) * static_cast<double>(plan.columns.width());
  return static_cast<std::uint64_t>(std::ceil(all / most_recorded));
}

/// The next odd number: to a stride of two every other step would look like all.
std::uint64_t odd_from(std::uint64_t number) { return number + (number % 2 == 0 ? 1 : 0); }

/// Every so many of the records, and the last.
std::vector<double> rows_shown(const std::vector<double>& records, std::size_t width,
                               std::uint64_t every) {
  std::vector<double> kept;
  const std::size_t count = records.size() / width;
  for (std::size_t row = 0; row < count; ++row)
    if (row % every == 0 || row + 1 == count)
      kept.insert(kept.end(), records.begin() + static_cast<std::ptrdiff_t>(row * width),
                  records.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  return kept;
}

}  // namespace

StudyRuns::StudyRuns(const std::string& name, const ReproductionEffort& effort,
                     const std::vector<std::string>& settings)
    : study_(read_study_file(find_study(name), settings)), plans_(plan_runs(study_)) {
  const std::uint64_t every = every_that_fits(plans_);
  for (RunPlan& plan : plans_) {
    shown_every_.push_back(plan.record_every);
    if (!plan.record_times.are_given())
      plan.record_every = odd_from(std::min<std::uint64_t>(plan.record_every, every));
  }
  ExecutionOptions options;
  options.threads = effort.threads;
  options.keep_records = true;
  options.cancelled = effort.cancelled;
  results_ = execute_runs(plans_, options);
}

std::size_t StudyRuns::find(const std::string& method, const std::string& label) const {
  for (const RunPlan& plan : plans_) {
    if (plan.method.label == method && (label.empty() || plan.label == label)) return plan.index;
  }
  std::vector<std::string> known;
  for (const RunPlan& plan : plans_) {
    const bool is_method = plan.method.label == method;
    known.push_back(is_method && !label.empty() ? plan.label : plan.method.label);
  }
  const bool has_method =
      std::ranges::any_of(plans_, [&](const RunPlan& plan) { return plan.method.label == method; });
  throw RequestError("\"" + study_.title + "\" has no " +
                     (has_method ? "run \"" + label + "\" of method \"" : "method \"") + method +
                     "\"" + suggestion(has_method ? label : method, known));
}

Curve StudyRuns::column(std::size_t run, const std::string& name) const {
  const RecordColumns& columns = plans_[run].columns;
  const auto at = std::find(columns.names.begin(), columns.names.end(), columns.own_name(name));
  if (at == columns.names.end())
    throw RequestError("\"" + study_.title + "\" has no column \"" + name + "\"" +
                       suggestion(name, columns.names));
  const auto offset = static_cast<std::size_t>(at - columns.names.begin());
  const std::vector<double>& records = results_[run].records;
  Curve curve;
  for (std::size_t row = 0; row + columns.width() <= records.size(); row += columns.width()) {
    curve.t.push_back(records[row]);
    curve.values.push_back(records[row + offset]);
  }
  return curve;
}

Curve StudyRuns::change(std::size_t run, const std::string& name) const {
  Curve curve = column(run, name);
  if (curve.values.empty()) return curve;
  const double start = curve.values.front();
  for (double& value : curve.values) value -= start;
  return curve;
}

double StudyRuns::energy_error(std::size_t run) const {
  const RunResult& result = results_[run];
  return result.status == RunResult::Status::ok ? result.diagnostics.energy.max_error
                                                : std::numeric_limits<double>::quiet_NaN();
}

Picture StudyRuns::picture() const {
  std::vector<RunResult> shown;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    shown.push_back(results_[i]);
    const std::uint64_t each = shown_every_[i] / plans_[i].record_every;
    shown.back().records = rows_shown(results_[i].records, plans_[i].columns.width(),
                                      std::max<std::uint64_t>(each, 1));
  }
  return picture_of_runs(shown_by(study_, plans_), study_.title, plans_, shown);
}

double largest(const Curve& curve) {
  double most = 0.0;
  for (const double value : curve.values) {
    most = numeric::larger(most, std::fabs(value));
  }
  return most;
}

}  // namespace dalembert::reproduce
