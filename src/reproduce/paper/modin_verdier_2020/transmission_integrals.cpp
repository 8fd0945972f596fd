#include "transmission_integrals.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "dalembert/audit/drift_prediction.hpp"
#include "dalembert/audit/fibration.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Integrals of size 1 that a method keeps walk by round-off.
constexpr double round_off = 1e-10;
constexpr double lost = 0.1;  // of integrals of size 1, far more than any oscillation

Curve latitude_change(const StudyRuns& runs, std::size_t run, std::size_t samples) {
  const RunPlan& plan = runs.plans()[run];
  Latitude latitude(plan.system, plan.parameters);
  const std::vector<double>& records = runs.results()[run].records;
  const std::size_t width = plan.columns.width(), rows = records.size() / width;
  const std::size_t stride = std::max<std::size_t>(1, rows / samples);
  Curve curve;
  for (std::size_t row = 0; row < rows; row += stride) {
    const std::span<const double> record(records.data() + row * width, width);
    const auto stored = record.subspan(plan.columns.q_begin(), plan.columns.q_count);
    std::vector<double> q(stored.begin(), stored.end());
    // Records have the driver's turns in its angle; with a hundred thousand of them the return to
    // the same state is not found to round-off, and the search takes a second.
    q[latitude.driver()] = std::remainder(q[latitude.driver()], 2.0 * std::numbers::pi);
    curve.t.push_back(record[0]);
    curve.values.push_back(
        latitude(q, record.subspan(plan.columns.v_begin(), plan.columns.q_count)));
  }
  const double start = curve.values.empty() ? 0.0 : curve.values.front();
  for (double& value : curve.values) value -= start;
  return curve;
}

/// What the method's modes say, if it has them.
std::optional<PredictedChange> predicted_latitude(const RunPlan& plan) {
  AuditProblem problem{plan.system, plan.parameters, plan.q, plan.v};
  const auto predictions =
      predicted_changes({std::move(problem), plan.step, plan.steps}, plan.program->method());
  const auto found = predictions.find("latitude");
  if (found == predictions.end()) return std::nullopt;
  return found->second;
}

bool is_chosen(const std::vector<std::string>& methods, const RunPlan& plan) {
  return methods.empty() ||
         std::find(methods.begin(), methods.end(), plan.method.label) != methods.end();
}

/// A number that lies between two.
Evidence between(const std::string& what, double low, double high, double least, double most,
                 EvidenceRole role) {
  return {what, (low + high) / 2.0, (high - low) / 2.0, least, most, role};
}

}  // namespace

const CaseChoice all_cases{"all cases", {0, 1, 2, 3, 4, 5}};
const CaseChoice reversible_cases{"reversible cases", {0, 1, 2, 3}};
const CaseChoice not_reversible_cases{"rotating driver, epsilon not 0", {4, 5}};

TransmissionIntegral TransmissionIntegral::energy(const StudyRuns& runs,
                                                  const std::string& column) {
  std::string name = column;
  std::replace(name.begin(), name.end(), '_', ' ');
  TransmissionIntegral integral(runs, name, round_off);
  for (std::size_t run = 0; run < runs.size(); ++run)
    integral.curves_[run] = runs.change(run, column);
  return integral;
}

TransmissionIntegral TransmissionIntegral::latitude(const StudyRuns& runs, std::size_t samples,
                                                    std::size_t threads) {
  TransmissionIntegral integral(runs, "latitude", round_off);
  parallel_for(threads, runs.size(), [&](std::size_t run, std::size_t) {
    integral.curves_[run] = latitude_change(runs, run, samples);
    const RunPlan& plan = runs.plans()[run];
    integral.predictions_[run] = predicted_latitude(plan);
    integral.initial_[run] = Latitude(plan.system, plan.parameters)(plan.q, plan.v);
  });
  return integral;
}

Steadiness TransmissionIntegral::steadiness_of(const std::string& method,
                                               std::size_t number) const {
  const std::size_t run = runs_->find(method, transmission_cases[number]);
  return predictions_[run]
             ? steadiness(curves_[run], negligible_, *predictions_[run], initial_[run])
             : steadiness(curves_[run], negligible_);
}

Evidence TransmissionIntegral::free(const std::string& method, const CaseChoice& choice,
                                    EvidenceRole role) const {
  double least = 0.0, most = 0.0;
  for (const std::size_t number : choice.numbers) {
    const Steadiness now = steadiness_of(method, number);
    least = numeric::larger(least, now.noise_at_least);
    most = numeric::larger(most, now.noise_at_most);
  }
  return between(
      "largest drift of the " + name_ + " over what hides it, " + method + ", " + choice.words,
      least, most, 0.0, 1.0, role);
}

Evidence TransmissionIntegral::drifting(const std::string& method, const CaseChoice& choice,
                                        EvidenceRole role) const {
  double least = INFINITY, most = INFINITY;
  for (const std::size_t number : choice.numbers) {
    const Steadiness now = steadiness_of(method, number);
    least = numeric::smaller(least, now.at_least);
    most = numeric::smaller(most, now.at_most);
  }
  return between("least drift of the " + name_ + " over what the oscillation hides, " + method +
                     ", " + choice.words,
                 least, most, 1.0, INFINITY, role);
}

Evidence TransmissionIntegral::gone(const std::string& method, const CaseChoice& choice,
                                    double least) const {
  double smallest = INFINITY;
  for (const std::size_t number : choice.numbers) {
    const double now = std::fabs(end(method, number));
    smallest = numeric::smaller(smallest, now);
  }
  return {"least mean change of the " + name_ + " at the end, " + method + ", " + choice.words,
          smallest, 0.0, least};
}

double TransmissionIntegral::end(const std::string& method, std::size_t number) const {
  const std::vector<double>& values =
      curves_[runs_->find(method, transmission_cases[number])].values;
  const std::size_t tenth = values.size() / 10;
  const double sum =
      std::accumulate(values.end() - static_cast<std::ptrdiff_t>(tenth), values.end(), 0.0);
  return sum / static_cast<double>(tenth);
}

Standing TransmissionIntegral::standing(const std::string& method, std::size_t number) const {
  const Steadiness now = steadiness_of(method, number);
  if (now.at_least >= 1.0 || std::fabs(end(method, number)) >= lost) return Standing::drifts;
  if (now.noise_at_most <= 1.0) return Standing::free;
  return now.noise_at_least >= 1.0 && now.at_most <= 1.0 ? Standing::slow : Standing::undecided;
}

Evidence TransmissionIntegral::largest_slope(const std::string& method,
                                             const CaseChoice& choice) const {
  Evidence result{.what = "largest |slope| of the " + name_ + " within its interval, " + method +
                          ", " + choice.words,
                  .role = EvidenceRole::shown};
  for (const std::size_t number : choice.numbers) {
    const Steadiness now = steadiness_of(method, number);
    result.value = numeric::larger(result.value, std::fabs(now.slope) + now.uncertainty);
  }
  return result;
}

Evidence TransmissionIntegral::largest_change(const std::string& method,
                                              const CaseChoice& choice) const {
  Evidence result{.what = "largest change of the " + name_ + ", " + method + ", " + choice.words,
                  .role = EvidenceRole::shown};
  for (const std::size_t number : choice.numbers)
    result.value = numeric::larger(
        result.value, largest(curves_[runs_->find(method, transmission_cases[number])]));
  return result;
}

Picture TransmissionIntegral::picture(double window,
                                      const std::vector<std::string>& methods) const {
  Picture picture{
      fmt::format("Error of the {}, h = 0.1, running mean over {} units of time", name_, window)};
  double least = INFINITY, most = 0.0;
  for (std::size_t number = 0; number < transmission_cases.size(); ++number) {
    PicturePanel panel{
        .title = transmission_cases[number], .row = number / 3, .column = number % 3};
    panel.x.label = "time t (nondimensional)";
    panel.y = {"|mean " + name_ + " error|", true};
    for (const RunPlan& plan : runs_->plans()) {
      if (plan.label != transmission_cases[number] || !is_chosen(methods, plan)) continue;
      Curve curve = shown_error(curves_[plan.index], window);
      for (const double value : curve.values) {
        least = numeric::smaller(least, value);
        most = numeric::larger(most, value);
      }
      panel.curves.push_back({picture.entry(plan.method.label), std::move(curve)});
    }
    picture.panels.push_back(std::move(panel));
  }
  for (PicturePanel& panel : picture.panels) panel.y.range = std::pair(least / 2.0, most * 2.0);
  return picture;
}

ResultTable TransmissionIntegral::table() const {
  ResultTable table{"Drift of the " + name_ +
                    " per unit of time with the half length of its 95 % interval; * where it is "
                    "surely more than what hides it"};
  table.head = {"method"};
  for (const char* name : transmission_cases) table.head.emplace_back(name);
  for (const RunPlan& plan : runs_->plans()) {
    if (plan.label != transmission_cases[0]) continue;
    table.rows.push_back({plan.method.label});
    for (std::size_t number = 0; number < transmission_cases.size(); ++number) {
      const Steadiness s = steadiness_of(plan.method.label, number);
      table.rows.back().push_back(
          fmt::format("{:.1e} +- {:.0e}{}", s.slope, s.uncertainty, s.at_least >= 1.0 ? " *" : ""));
    }
  }
  return table;
}

Evidence driver_alone(const RunPlan& plan) {
  StepMap<Extended> map(plan.system, plan.program->method(), plan.parameters);
  const std::vector<double> q{1.0, -0.4, 0.7}, v{-0.3 * std::sin(0.7), 0.3, 1.3};
  const std::optional<Coupling> coupling = find_coupling(plan.system);
  const double defect =
      coupling ? fibration_defect(map, map.start(q, v), Extended(1) / 16, *coupling, 1) : NAN;
  return {"change of the driver's step with the passengers' state, " + plan.method.label, defect,
          0.0, 0.0, exact_defect};
}

}  // namespace dalembert::reproduce
