#include "rate_triples.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/run/integrate.hpp"
#include "reproduce/paper/modin_verdier_2020/transmission_integrals.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Units of time over which a rate is measured.
constexpr double long_time = 4000.0, short_time = 1000.0;

std::size_t case_of(const RunPlan& plan) {
  const auto place = std::ranges::distance(transmission_cases.begin(),
                                           std::ranges::find(transmission_cases, plan.label));
  return static_cast<std::size_t>(place);
}

/// In double where the order is two, else in 113 bits.
std::optional<AveragedRates> average(const RunPlan& plan, const Start& start) {
  const Method& method = plan.program->method();
  try {
    if (method.facts().order <= 2)
      return averaged_rates<double>(plan.system, method, start, plan.parameters);
    return averaged_rates<Extended>(plan.system, method, start, plan.parameters);
  } catch (const RequestError&) {
    return std::nullopt;
  }
}

/// The slope of the passengers' energy along a run over the curve that the exponents predict: of
/// the quotient, since a mixture of modes bends, and not of its logarithm, whose mean falls with
/// the square of an oscillation.
Estimate slope_beyond(const RunPlan& plan, const PassengerExponents& map, double time) {
  const Symbols s = plan.system.symbols();
  const Expr motion = square(s.v[0]) + square(s.v[1]), place = square(s.q[0]) + square(s.q[1]);
  StateFunction<double> energy(plan.system, s, {(motion + place) / 2.0}, plan.parameters);
  Stepper stepper(StepProgram::compile(plan.system, plan.program->method(), {.compensated = true}),
                  map.step, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  Series beyond;
  const auto see = [&](const Sample& sample) {
    const double now = energy(sample.t, sample.point->q, sample.point->v).front();
    beyond.t.push_back(sample.t);
    beyond.y.push_back(now / map.energy_after(sample.t) - 1.0);
    return true;
  };
  const auto steps = static_cast<std::uint64_t>(std::llround(time / map.step));
  const RunReport report = integrate(stepper, evaluator, point, {.steps = steps}, see);
  if (report.status != RunReport::Status::ok)
    throw RequestError("the run was stopped: " + report.message);
  return fit_drift(beyond.t, beyond.y).slope;
}

void measure(RateTriple& triple, const RunPlan& plan, const Start& start, double time) {
  try {
    triple.exponents =
        predicted_rates(plan.system, plan.program->method(), start, triple.step, plan.parameters);
    const Estimate beyond = slope_beyond(plan, triple.exponents->map, time);
    triple.measured = triple.from_exponents() + beyond.value;
    triple.error = beyond.uncertainty();
  } catch (const RequestError& error) {
    triple.failure = error.what();
  }
}

}  // namespace

double RateTriple::from_exponents() const { return exponents ? exponents->initial_rate() : NAN; }

double RateTriple::from_average() const {
  if (!averaged || !exponents) return NAN;
  double rate = 0.0;
  for (const RateMode& mode : exponents->modes) {
    if (mode.kind == RateMode::Kind::axis) rate += mode.share * averaged->axis_at(exponents->step);
    if (mode.kind == RateMode::Kind::pair) rate += mode.share * averaged->pair_at(exponents->step);
  }
  return rate;
}

std::vector<RateTriple> rate_triples(const std::vector<RunPlan>& plans,
                                     const std::vector<double>& steps,
                                     const ReproductionEffort& effort) {
  std::vector<RateTriple> triples(plans.size() * steps.size());
  parallel_for(effort.threads, plans.size(), [&](std::size_t i, std::size_t) {
    const RunPlan& plan = plans[i];
    const Start start{.q = plan.q, .v = plan.v};
    // Short runs leave out the averages that no claim is about.
    const bool is_needed = !effort.quick || case_of(plan) >= 4;
    const std::optional<AveragedRates> averaged = is_needed ? average(plan, start) : std::nullopt;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      RateTriple& triple = triples[i * steps.size() + k];
      triple = {.method = plan.method.label,
                .number = case_of(plan),
                .step = steps[k],
                .averaged = averaged};
      measure(triple, plan, start, effort.quick ? short_time : long_time);
    }
  });
  return triples;
}

}  // namespace dalembert::reproduce
