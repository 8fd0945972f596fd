#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/arithmetic.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/basic_stepper.hpp"

namespace dalembert {

/// Start, time and step sizes with which the order is measured.
struct OrderRequest {
  /// Parameters in the order of the description, and a start that is brought onto the constraints
  /// in the number type: see ConsistentStart.
  std::vector<double> parameters, q, v;
  double until = 1.0;  ///< errors are the largest over the nodes of the coarsest run up to here
  std::uint64_t first_steps = 10;  ///< number of steps of the coarsest run; doubled each time
  int runs = 6;                    ///< number of runs, each with half the step of the one before
  /// True: lambda is that of the motion through the method's own (q, v), a function of the state,
  /// in place of what the method carries or reports.
  bool recomputed_multiplier = false;
  const std::atomic<bool>* cancelled = nullptr;  ///< asked at each node; a failure, "interrupted"
};

/// The measured orders of a method on a system.
struct OrderMeasurement {
  std::vector<double> steps;     ///< step sizes
  OrderSeries q, v, lambda;      ///< by halving the step
  double reference_error = 0.0;  ///< of the reference solution, estimated by halving its step
  std::string failure;           ///< reason if a run failed; empty if none did
};

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

namespace order_detail {

/// State at a node.
template <class Number>
struct Final {
  std::vector<Number> q, v, lambda;  ///< angles not wrapped
};

/// Runs one method from one start to one time in the number type.
template <class Number>
class Runner {
 public:
  Runner(const System& system, const OrderRequest& request)
      : request_(request), consistent_(system, request.parameters) {
    const auto start =
        consistent_(Number(0.0), std::vector<Number>(request.q.begin(), request.q.end()),
                    std::vector<Number>(request.v.begin(), request.v.end()));
    q_ = start.q;
    v_ = start.v;
  }

  /// The states at `nodes` equidistant times, the last of them the final time; nothing if a step
  /// was refused, with the report in `failure`.
  std::optional<std::vector<Final<Number>>> run(const std::shared_ptr<const StepProgram>& program,
                                                std::uint64_t steps, std::uint64_t nodes,
                                                std::string& failure) {
    const Number h = Number(request_.until) / Number(static_cast<double>(steps));
    BasicStepper<Number> stepper(program, h, request_.parameters);
    BasicPoint<Number> point = stepper.make_point(request_.q, request_.v);
    point.q = q_;
    point.v = v_;
    const std::vector<Number> start = multiplier_at(Number(0.0), q_, v_);
    if (!point.lambda.empty()) point.lambda = start;
    if (!point.carried.empty()) point.carried = carried_start(*program);
    std::vector<Final<Number>> states;
    const bool own = !point.lambda.empty() && !request_.recomputed_multiplier;
    for (std::uint64_t node = 0; node < nodes; ++node) {
      if (request_.cancelled != nullptr && *request_.cancelled) {
        failure = "interrupted";
        return std::nullopt;
      }
      const std::uint64_t first = node * (steps / nodes);
      const StepReport report = stepper.advance(point, Number(0.0), first, steps / nodes);
      if (report.status != StepStatus::ok) {
        failure = "method \"" + program->method().name() + "\" failed in step " +
                  std::to_string(first + report.steps + 1) + " of " + std::to_string(steps);
        return std::nullopt;
      }
      states.push_back(
          {point.q, point.v, own ? point.lambda : multiplier_at(point.t, point.q, point.v)});
    }
    return states;
  }

 private:
  /// Data that the method carries beside q, v and lambda, at the start.
  std::vector<Number> carried_start(const StepProgram& program) const {
    const System& system = program.system();
    const Symbols s = system.symbols();
    const State state{s.q, s.v, system.eliminated(s.q, s.v, s.t).lambda, {}, s.t};

    StateFunction<Number> carried(system, s, program.method().carried_start(system, state),
                                  request_.parameters);
    const std::span<const Number> values = carried(Number(0.0), q_, v_);
    return {values.begin(), values.end()};
  }
  std::vector<Number> multiplier_at(const Number& t, const std::vector<Number>& q,
                                    const std::vector<Number>& v) {
    return consistent_.multiplier(t, q, v);
  }

  OrderRequest request_;
  ConsistentStart<Number> consistent_;
  std::vector<Number> q_, v_;
};

/// The largest difference of one part of the states over all nodes.
template <class Number>
double distance(const std::vector<Final<Number>>& x, const std::vector<Final<Number>>& y,
                std::vector<Number> Final<Number>::*part) {
  Number largest(0.0);
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t i = 0; i < (x[k].*part).size(); ++i) {
      const Number difference = (x[k].*part)[i] - (y[k].*part)[i];
      const Number size = difference < Number(0.0) ? Number(-difference) : difference;
      largest = numeric::larger(largest, size);
    }
  }
  return static_cast<double>(largest);
}

}  // namespace order_detail

/// Measures the order of a method in q, v and the multipliers (each against what it approximates at
/// the final time) by halving the step, in the number type `Number` (double, long double, or a
/// multiprecision type). The reference is Gauss collocation of order 12 on the eliminated equations
/// with a much smaller step; its error is estimated and bounds what can be measured. Angles are not
/// wrapped. Throws RequestError if the method does not fit the system.
template <class Number>
OrderMeasurement measure_order(const System& system, const Method& method,
                               const OrderRequest& request) {
  using namespace order_detail;
  const StepOptions options{.compensated = false, .wrap_angles = false};
  Runner<Number> runner(system, request);
  OrderMeasurement result;
  const auto reference = StepProgram::compile(system, Method(Gauss{.stages = 6}), options);
  const std::uint64_t nodes = request.first_steps;
  const std::uint64_t fine = nodes * std::max<std::uint64_t>(4, 64 / nodes + 1);
  const auto best = runner.run(reference, 2 * fine, nodes, result.failure);
  const auto check = runner.run(reference, fine, nodes, result.failure);
  if (!best || !check) return result;
  const auto program = StepProgram::compile(system, method, options);
  std::vector<double> q, v, lambda;
  for (int k = 0; k < request.runs; ++k) {
    const std::uint64_t steps = request.first_steps << k;
    const auto states = runner.run(program, steps, nodes, result.failure);
    if (!states) return result;
    result.steps.push_back(request.until / static_cast<double>(steps));
    q.push_back(distance(*states, *best, &Final<Number>::q));
    v.push_back(distance(*states, *best, &Final<Number>::v));
    lambda.push_back(distance(*states, *best, &Final<Number>::lambda));
  }
  // Round-off is relative to the largest entry of the state: the others come from it.
  const auto size_of = [&](std::vector<Number> Final<Number>::*part) {
    Number size(1.0);
    for (const Final<Number>& state : *best)
      size = numeric::larger(size, numeric::largest_size<Number>(state.*part));
    return static_cast<double>(size);
  };
  const double state = numeric::larger(size_of(&Final<Number>::q), size_of(&Final<Number>::v));
  // Halving the step of the order-12 reference leaves 2^-12 of the difference. Round-off in lambda
  // is larger by 1/h.
  const auto floor_of = [&](std::vector<Number> Final<Number>::*part, double factor) {
    const double round = arithmetic_round_off<Number>() * numeric::larger(state, size_of(part));
    return numeric::larger(100.0 / 4096.0 * distance(*best, *check, part), 1000.0 * factor * round);
  };
  result.reference_error = numeric::larger(distance(*best, *check, &Final<Number>::q),
                                           distance(*best, *check, &Final<Number>::v)) /
                           4096.0;
  result.q = fit_order(q, floor_of(&Final<Number>::q, 1.0));
  result.v = fit_order(v, floor_of(&Final<Number>::v, 1.0));
  result.lambda = fit_order(lambda, floor_of(&Final<Number>::lambda, 1.0 / result.steps.back()));
  return result;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
