#include "rate_triples.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/window_rate.hpp"
#include "dalembert/error.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "reproduce/paper/modin_verdier_2020/transmission_integrals.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// The energy may change by about so much in a window, which is as long as that allows.
constexpr double change_in_window = 0.2, shortest_window = 500.0, longest_window = 8000.0;

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

void measure(RateTriple& triple, const RunPlan& plan, const Start& start, double longest) {
  const Method& method = plan.program->method();
  try {
    triple.exponents = predicted_rates(plan.system, method, start, triple.step, plan.parameters);
  } catch (const RequestError& error) {
    triple.failure = error.what();
  }
  const double step = triple.exponents ? triple.exponents->step : triple.step;
  const auto energy = [&](const Symbols& s) {
    const Expr squares = s.q[0] * s.q[0] + s.q[1] * s.q[1];
    const Expr kinetic = s.v[0] * s.v[0] + s.v[1] * s.v[1];
    return (kinetic + squares) / 2.0;
  };
  const double expected = triple.exponents ? std::fabs(triple.from_exponents()) : 0.0;
  const double window = std::clamp(change_in_window / (expected + 1e-9), shortest_window, longest);
  const auto seen = [&](double length) {
    return window_rate(plan.system, method, start, step, energy, length, RateScale::logarithm,
                       plan.parameters);
  };
  const WindowRate whole = seen(window), half = seen(window / 2.0);
  triple.measured = 2.0 * half.rate - whole.rate;
  triple.error = numeric::larger(std::fabs(half.rate - whole.rate), half.error);
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
      measure(triple, plan, start, effort.quick ? 1000.0 : longest_window);
    }
  });
  return triples;
}

}  // namespace dalembert::reproduce
