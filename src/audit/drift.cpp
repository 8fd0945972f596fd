#include "dalembert/audit/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/audit/drift_prediction.hpp"
#include "dalembert/audit/fibration.hpp"
#include "dalembert/error.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/measure/watch/energy_promise.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

constexpr std::uint64_t most_samples = 20000;
constexpr std::size_t picture_points = 160;
constexpr const char* latitude_name = "latitude";

/// Energy and integrals of a state in one evaluation.
class ConservedQuantities {
 public:
  explicit ConservedQuantities(const AuditProblem& problem) {
    const System& system = problem.system;
    const Symbols s = system.symbols();
    Vector outputs;
    const auto add = [&](const std::string& name, const Expr& value) {
      names_.push_back(name);
      outputs.push_back(value);
    };
    if (problem.keeps_energy) add("energy", system.energy(s.q, s.v));
    for (const auto& [name, value] : system.mechanics().integrals) add(name, value);
    function_ = StateFunction<double>(system, s, outputs, problem.parameters);
  }

  const std::vector<std::string>& names() const { return names_; }
  /// Valid until the next call.
  std::span<const double> at(const Point& point) { return function_(point.t, point.q, point.v); }

 private:
  std::vector<std::string> names_;
  StateFunction<double> function_;
};

/// The hidden integral of coupled systems that have it; each value costs a period of the driver.
class LatitudeSamples {
 public:
  static constexpr std::uint64_t count = 480;

  explicit LatitudeSamples(const LongRun& run)
      : every_(std::max<std::uint64_t>(1, run.steps / count)) {
    if (!find_coupling(run.problem.system)) return;
    try {
      latitude_.emplace(run.problem.system, run.problem.parameters);
    } catch (const RequestError&) {  // the system is of another kind
    }
  }
  void see(const Sample& sample) {
    if (!latitude_ || sample.step % every_ != 0) return;
    values_.t.push_back(sample.t);
    values_.y.push_back((*latitude_)(sample.point->q, sample.point->v));
    if (std::isfinite(values_.y.back())) return;
    // A driver that stopped returning is waited for in vain, for far longer than it took to return.
    latitude_.reset();
    values_ = {};
  }
  /// Empty where there is no latitude, or where the driver stopped returning.
  Series take() { return std::move(values_); }

 private:
  std::uint64_t every_;
  std::optional<Latitude> latitude_;
  Series values_;
};

Series thinned(const Series& series) {
  const std::size_t every = series.t.size() / picture_points + 1;
  Series result;
  for (std::size_t i = 0; i < series.t.size(); i += every) {
    result.t.push_back(series.t[i]);
    result.y.push_back(series.y[i]);
  }
  return result;
}

/// Whether the running mean is off by more than a tenth of the size somewhere in the last half.
bool is_lost(const DriftFinding& finding) {
  const double limit = 0.1 * numeric::larger(1.0, std::fabs(finding.initial));
  const std::vector<double>& error = finding.mean_error.y;
  return std::any_of(error.begin() + static_cast<std::ptrdiff_t>(error.size() / 2), error.end(),
                     [limit](double value) { return !(std::fabs(value) <= limit); });
}

LongRunVerdict judged(const DriftFinding& finding, double walk) {
  if (finding.largest_error <= walk) return LongRunVerdict::exact;
  const auto judge = [walk](const Drift& drift) {
    return judge_drift(drift, drift.oscillation, walk);
  };
  // What fell at once and stays there has no slope either.
  if (judge(finding.drift) != DriftVerdict::drifts && is_lost(finding)) return LongRunVerdict::lost;
  switch (judge(settled_drift(finding.drift, finding.predicted, finding.initial))) {
    case DriftVerdict::drifts:
      return LongRunVerdict::drifts;
    case DriftVerdict::slow:
      return LongRunVerdict::slow;
    case DriftVerdict::free:
      return LongRunVerdict::free;
    default:
      return LongRunVerdict::undecided;
  }
}

/// Of samples of the quantity, with terms of a size.
DriftFinding finding_for(const std::string& name, Series values, const LongRun& run,
                         const std::map<std::string, PredictedChange>& predictions, double size) {
  DriftFinding finding{.quantity = name, .initial = values.y.front()};
  for (double& value : values.y) {
    size = numeric::larger(size, std::fabs(value));
    value -= finding.initial;
    finding.largest_error = numeric::larger(finding.largest_error, std::fabs(value));
  }
  finding.drift = fit_drift(values.t, values.y);
  finding.mean_error = thinned(running_mean(values.t, values.y, run.window));
  const double walk = 32.0 * std::numeric_limits<double>::epsilon() *
                      std::sqrt(static_cast<double>(run.steps)) * size;
  const auto prediction = predictions.find(name);
  if (prediction != predictions.end())
    finding.predicted = seen_prediction(prediction->second, values);
  if (finding.predicted) finding.predicted->error += walk / finding.drift.duration;
  finding.verdict = judged(finding, walk);
  return finding;
}

}  // namespace

std::string verdict_text(LongRunVerdict verdict) {
  switch (verdict) {
    case LongRunVerdict::exact:
      return "exact";
    case LongRunVerdict::free:
      return "no drift";
    case LongRunVerdict::slow:
      return "slow drift";
    case LongRunVerdict::drifts:
      return "drifts";
    case LongRunVerdict::undecided:
      return "undecided";
    case LongRunVerdict::lost:
      return "lost";
    default:
      return "stopped";
  }
}

bool DriftFinding::agrees() const { return !predicted || predicted->agrees(); }

std::vector<DriftFinding> audit_long_run(const LongRun& run, const Method& method) {
  const AuditProblem& problem = run.problem;
  ConservedQuantities quantities(problem);
  Stepper stepper(StepProgram::compile(problem.system, method, {.compensated = true}), run.step,
                  problem.parameters);
  Evaluator evaluator(problem.system, problem.parameters);
  Point point = start_point(stepper, evaluator, problem.q, problem.v);
  std::vector<Series> values(quantities.names().size());
  LatitudeSamples latitude(run);
  EnergyPromise energy(problem.system, problem.parameters);
  bool is_finite = true;
  const RunReport report =
      integrate(stepper, evaluator, point,
                {.steps = run.steps,
                 .observe_every = run.steps > most_samples ? run.steps / most_samples : 1},
                [&](const Sample& sample) {
                  const std::span<const double> now = quantities.at(*sample.point);
                  for (std::size_t i = 0; i < now.size(); ++i) {
                    is_finite = is_finite && std::isfinite(now[i]);
                    values[i].t.push_back(sample.t);
                    values[i].y.push_back(now[i]);
                  }
                  if (is_finite) latitude.see(sample);
                  if (problem.keeps_energy)
                    energy.see(sample.t, sample.point->q, sample.point->v, now.front());
                  return is_finite;
                });
  const bool is_good = report.status == RunReport::Status::ok && is_finite;
  std::map<std::string, PredictedChange> predictions;
  if (is_good) predictions = predicted_changes(run, method);
  std::vector<DriftFinding> findings;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = quantities.names()[i];
    if (is_good) {
      const bool is_energy = problem.keeps_energy && i == 0;
      const double size = is_energy ? numeric::larger(1.0, energy.terms()) : 1.0;
      findings.push_back(finding_for(name, std::move(values[i]), run, predictions, size));
      if (is_energy) findings.back().off = energy.off();
    } else {
      findings.push_back({.quantity = name,
                          .initial = values[i].y.front(),
                          .failure = is_finite ? report.message : "the state overflows"});
    }
  }
  Series latitudes = latitude.take();
  if (!is_good || latitudes.t.size() <= 2) return findings;
  findings.push_back(finding_for(latitude_name, std::move(latitudes), run, predictions, 1.0));
  return findings;
}

}  // namespace dalembert
