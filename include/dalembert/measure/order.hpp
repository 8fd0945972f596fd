#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/number_function.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Where and how the order is measured.
struct OrderRequest {
  std::vector<double> parameters, q, v;  ///< v is projected onto the constraints in the number type
  double until = 1.0;                    ///< errors are taken here
  std::uint64_t first_steps = 10;        ///< number of steps of the coarsest run; doubled each time
  int runs = 6;
};

/// The measured orders of a method on a system.
struct OrderMeasurement {
  std::vector<double> steps;  ///< step sizes
  OrderSeries q, v, lambda;
  double reference_error = 0.0;  ///< of the reference solution, estimated by halving its step
  std::string failure;           ///< why a run failed; empty if none did
};

namespace order_detail {

template <class Number>
struct Final {
  std::vector<Number> q, v, lambda;
};

/// Runs one method from one start to one time in the number type.
template <class Number>
class Runner {
 public:
  Runner(const System& system, const OrderRequest& request)
      : request_(request),
        start_(functions_of(system, true)),
        multiplier_(functions_of(system, false)) {
    const std::size_t n = request.q.size();
    q_.assign(request.q.begin(), request.q.end());
    v_.assign(request.v.begin(), request.v.end());
    const bool projects =
        !system.is_skew_gradient() && system.traits().constraints != ConstraintKind::nonlinear;
    if (projects) v_ = start_(arguments(Number(0.0), q_, v_));
    static_cast<void>(n);
  }

  /// nothing if a step was refused, with the report in `failure`.
  std::optional<Final<Number>> run(const std::shared_ptr<const StepProgram>& program,
                                   std::uint64_t steps, std::string& failure) {
    const Number h = Number(request_.until) / Number(static_cast<double>(steps));
    BasicStepper<Number> stepper(program, h, request_.parameters);
    BasicPoint<Number> point = stepper.make_point(request_.q, request_.v);
    point.q = q_;
    point.v = v_;
    const std::vector<Number> start = multiplier_at(Number(0.0), q_, v_);
    if (!point.lambda.empty()) point.lambda = start;
    if (point.extra.size() == start.size()) point.extra = start;
    const StepReport report = stepper.advance(point, Number(0.0), 0, steps);
    if (report.status != StepStatus::ok) {
      failure = "method \"" + program->method().name() + "\" failed in step " +
                std::to_string(report.steps + 1) + " of " + std::to_string(steps);
      return std::nullopt;
    }
    const bool own = !point.lambda.empty();
    return Final<Number>{point.q, point.v,
                         own ? point.lambda : multiplier_at(point.t, point.q, point.v)};
  }

 private:
  static NumberFunction<Number> functions_of(const System& system, bool projection) {
    const std::scoped_lock lock(system.mutex());
    const Symbols& s = system.symbols();
    const Vector inputs = concatenate({system.parameter_symbols(), Vector{s.t}, s.q, s.v});
    if (system.is_skew_gradient()) return {system.graph(), inputs, {}};
    return {system.graph(), inputs,
            projection ? system.projected_velocity(s.q, s.v, s.t)
                       : system.eliminated(s.q, s.v, s.t).lambda};
  }
  std::vector<Number> arguments(const Number& t, const std::vector<Number>& q,
                                const std::vector<Number>& v) const {
    std::vector<Number> values(request_.parameters.begin(), request_.parameters.end());
    values.push_back(t);
    values.insert(values.end(), q.begin(), q.end());
    values.insert(values.end(), v.begin(), v.end());
    return values;
  }
  std::vector<Number> multiplier_at(const Number& t, const std::vector<Number>& q,
                                    const std::vector<Number>& v) {
    return multiplier_(arguments(t, q, v));
  }

  OrderRequest request_;
  NumberFunction<Number> start_, multiplier_;
  std::vector<Number> q_, v_;
};

template <class Number>
double distance(const std::vector<Number>& x, const std::vector<Number>& y) {
  using std::abs;
  Number largest(0.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Number difference = abs(x[i] - y[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return static_cast<double>(largest);
}

}  // namespace order_detail

/// Measures the order of a method in q, v and the multipliers (each against what it approximates at
/// the final time) by halving the step, in the number type `Number` (double, long double, or a
/// multiprecision type). The reference is Gauss collocation of order 12 on the eliminated equations
/// with a much smaller step; its error is estimated and bounds what can be measured. Angles are not
/// wrapped. Throws std::invalid_argument if the method does not fit the system.
template <class Number>
OrderMeasurement measure_order(const System& system, const Method& method,
                               const OrderRequest& request) {
  using namespace order_detail;
  const StepOptions options{.compensated = false, .wrap_angles = false};
  Runner<Number> runner(system, request);
  OrderMeasurement result;
  const auto reference = StepProgram::compile(system, Method(Gauss{.stages = 6}), options);
  const std::uint64_t fine = std::max<std::uint64_t>(64, 4 * request.first_steps);
  const auto best = runner.run(reference, 2 * fine, result.failure);
  const auto check = runner.run(reference, fine, result.failure);
  if (!best || !check) return result;
  const auto program = StepProgram::compile(system, method, options);
  std::vector<double> q, v, lambda;
  for (int k = 0; k < request.runs; ++k) {
    const std::uint64_t steps = request.first_steps << k;
    const auto final = runner.run(program, steps, result.failure);
    if (!final) return result;
    result.steps.push_back(request.until / static_cast<double>(steps));
    q.push_back(distance(final->q, best->q));
    v.push_back(distance(final->v, best->v));
    lambda.push_back(distance(final->lambda, best->lambda));
  }
  // Halving the step of the order-12 reference leaves 2^-12 of the difference. Round-off in lambda
  // is larger by 1/h.
  const auto floor_of = [&](const std::vector<Number>& x, const std::vector<Number>& y,
                            double factor) {
    Number size(0.0);
    for (const Number& entry : x)
      size = std::max(size, entry < Number(0.0) ? Number(-entry) : entry);
    const double round = static_cast<double>(round_off<Number>() * (size + Number(1.0)));
    return std::max(distance(x, y) / 4096.0 * 100.0, 1000.0 * factor * round);
  };
  result.reference_error =
      std::max(distance(best->q, check->q), distance(best->v, check->v)) / 4096.0;
  result.q = fit_order(q, floor_of(best->q, check->q, 1.0));
  result.v = fit_order(v, floor_of(best->v, check->v, 1.0));
  result.lambda =
      fit_order(lambda, floor_of(best->lambda, check->lambda, 1.0 / result.steps.back()));
  return result;
}

}  // namespace dalembert
