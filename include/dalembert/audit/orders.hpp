#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/audit.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/arithmetic.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// The part of the audit that measures orders on one problem: of q, v and the multipliers up
/// to the problem's unit of time, and of the local error after one step. `Wide` is a number type
/// with more digits than double; methods of order up to 4 are measured in long double, which is
/// faster.
///
/// Errors are the largest at four times, so that an error that happens to cross zero hides nothing.
/// The reference is Gauss collocation of order 12 on the eliminated equations with 64 steps (error
/// about 1e-21). It is computed once, for any number of methods.
///
/// The local error is also measured after steps so short that it falls to 1e-31 (1e-21 for local
/// order 2): long ones hide what a coefficient that is wrong in its ninth digit adds to it.
///
/// Errors that are round-off measure no order: where steps are exact, as those of many methods are
/// under a constant force, nothing else is left. Round-off is relative to the largest entry of the
/// state, and in a type that is wider than the constants of 106 bits it is theirs.
template <class Wide>
class OrderAudit {
 public:
  template <class Number>
  using Parts =
      std::array<std::vector<Number>, 4>;  ///< q, v, lambda, recomputed lambda at four times

  explicit OrderAudit(const AuditProblem& problem) {
    StepMap<Wide> map(problem.system, Method(Gauss{.stages = 6}), problem.parameters);
    const std::optional<Parts<Wide>> reference = run(map, problem, 64);
    if (!reference) return;
    global_ = *reference;
    size_ = numeric::larger(1.0, numeric::larger(size_of(0), size_of(1)));
    BasicPoint<Wide> point = map.start(problem.q, problem.v);
    const Wide h = Wide(problem.time) / Wide(512.0);
    for (std::uint64_t steps : {2, 2, 4, 8, 16, 32}) {  // up to 1/256, 1/128, ..., 1/8
      if (!map.apply(point, h, steps)) return;
      local_.insert(local_.begin(), state_of(point));
    }
    add_short_steps(map, problem);
  }

  /// The orders of a method on the problem, or on an equal one. Multipliers only where there are
  /// constraints. Nothing if the reference solution was refused. Throws RequestError if
  /// the method does not fit.
  std::vector<AuditFinding> findings(const AuditProblem& problem, const Method& method) const {
    if (local_.size() < 6) return {};
    std::vector<AuditFinding> found = global_orders(problem, method, OrderGrid::runs);
    // A promise is broken where shorter steps break it, too.
    const auto is_broken = [](const AuditFinding& of) {
      return of.verdict == AuditVerdict::broken;
    };
    if (std::ranges::any_of(found, is_broken))
      found = global_orders(problem, method, OrderGrid::runs + 1);
    if (found.size() == 1) return found;  // a step was refused
    const Facts facts = method.facts();
    found.push_back(local_order(problem, method, facts.local_order.value_or(facts.order + 1)));
    return found;
  }

  /// Errors of q, v, lambda and recomputed lambda, by step.
  using Errors = std::array<std::vector<double>, 4>;
  /// The errors themselves, for first_steps, 2 first_steps, ... steps; nothing if one was refused.
  template <class Number>
  std::optional<Errors> errors(const AuditProblem& problem, const Method& method,
                               std::uint64_t first_steps, int runs = OrderGrid::runs) const {
    StepMap<Number> map(problem.system, method, problem.parameters);
    Errors errors;
    for (int k = 0; k < runs; ++k) {
      const auto found = run(map, problem, first_steps << k);
      if (!found) return std::nullopt;
      for (std::size_t part = 0; part < 4; ++part) {
        std::vector<Number> reference;
        for (const Wide& entry : global_[part]) reference.push_back(static_cast<Number>(entry));
        errors[part].push_back(largest_difference((*found)[part], reference));
      }
    }
    return errors;
  }

 private:
  std::vector<AuditFinding> global_orders(const AuditProblem& problem, const Method& method,
                                          int runs) const {
    const Facts facts = method.facts();
    const bool is_wide = std::max<int>(facts.order.get(), facts.multiplier_order) >= 5;
    const std::uint64_t first = OrderGrid::first_steps(facts);
    const auto found = is_wide ? errors<Wide>(problem, method, first, runs)
                               : errors<long double>(problem, method, first, runs);
    std::vector<AuditFinding> orders{judge_slope("order of q", facts.order, {})};
    if (!found) {
      orders.front().verdict = AuditVerdict::broken;
      return orders;
    }
    orders.clear();
    const auto judge = [&](const char* property, int promised, std::size_t part) {
      const double size = part < 2 ? size_ : numeric::larger(size_, size_of(2)),
                   floor = is_wide ? order_floor<Wide>(size) : order_floor<long double>(size);
      orders.push_back(judge_slope(property, promised,
                                   fit_order((*found)[part], part < 2 ? floor : 100.0 * floor)));
    };
    judge("order of q", facts.order, 0);
    judge("order of v", facts.order, 1);
    if (problem.system.constraint_count() == 0) return orders;
    judge("order of lambda", multiplier_order(facts, problem.system.traits()), 2);
    judge("recomputed lambda", facts.order, 3);  // a smooth function of the state
    return orders;
  }

  template <class Number>
  static std::vector<Number> state_of(const BasicPoint<Number>& point) {
    std::vector<Number> state = point.q;
    state.insert(state.end(), point.v.begin(), point.v.end());
    return state;
  }

  template <class Number>
  static std::optional<Parts<Number>> run(StepMap<Number>& map, const AuditProblem& problem,
                                          std::uint64_t steps) {
    BasicPoint<Number> point = map.start(problem.q, problem.v);
    Parts<Number> parts;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const Number h = Number(problem.time) / Number(static_cast<double>(steps));
      if (!map.apply(point, h, steps / 4)) return std::nullopt;
      const std::vector<Number> lambda = map.multiplier(point);
      parts[0].insert(parts[0].end(), point.q.begin(), point.q.end());
      parts[1].insert(parts[1].end(), point.v.begin(), point.v.end());
      parts[2].insert(parts[2].end(), lambda.begin(), lambda.end());
      const std::vector<Number> recomputed = map.exact_multiplier(point);
      parts[3].insert(parts[3].end(), recomputed.begin(), recomputed.end());
    }
    return parts;
  }

  double size_of(std::size_t part) const {
    return static_cast<double>(numeric::largest_size<Wide>(global_[part]));
  }
  static constexpr double many_operations = 1e3;

  /// Lower bound of errors that measure an order: that of the reference, and round-off of entries
  /// of a size.
  template <class Number>
  static double order_floor(double size) {
    return numeric::larger(AuditThresholds<Number>::order_floor,
                           many_operations * arithmetic_round_off<Number>() * size);
  }

  /// Local orders with the shortest step, 1/2^k of the unit of time: one that leaves an error of
  /// 1e-31, but not so short that discrete gradients, which divide by its square, drown.
  struct ShortStep {
    int order, exponent;  ///< k of the shortest step
  };
  static constexpr std::array<ShortStep, 6> short_steps{
      {{2, 36}, {3, 34}, {4, 25}, {5, 20}, {7, 14}, {9, 11}}};
  static constexpr int short_step_count = 6;
  /// A step by this power of two shorter still leaves nothing of an error that falls with the step:
  /// what it leaves is there from the beginning.
  static constexpr int much_shorter = 10;
  /// Factor by which round-off may come out larger in another step.
  static constexpr double round_off_luck = 16.0;

  static Wide short_step(const AuditProblem& problem, int exponent) {
    Wide h(problem.time);
    for (int k = 0; k < exponent; ++k) h = h / Wide(2.0);
    return h;
  }

  /// The states after short steps; none in a number type whose round-off is larger.
  void add_short_steps(StepMap<Wide>& reference, const AuditProblem& problem) {
    if (static_cast<double>(numeric::round_off<Wide>()) > 1e-33) return;
    for (const ShortStep& shortest : short_steps) {
      for (int k = shortest.exponent - short_step_count; ++k <= shortest.exponent;)
        if (!add_short_step(reference, problem, k)) return;
      if (!add_short_step(reference, problem, shortest.exponent + much_shorter)) return;
    }
  }
  /// False if the step was refused.
  bool add_short_step(StepMap<Wide>& reference, const AuditProblem& problem, int exponent) {
    if (short_.contains(exponent)) return true;
    BasicPoint<Wide> point = reference.start(problem.q, problem.v);
    if (!reference.apply(point, short_step(problem, exponent))) return false;
    short_.emplace(exponent, state_of(point));
    return true;
  }

  /// The order that longer steps show, unless short ones show that it is broken.
  AuditFinding local_order(const AuditProblem& problem, const Method& method, int promised) const {
    const AuditFinding found = judge_slope("local order", promised, local_errors(problem, method));
    const AuditFinding refined =
        judge_slope("local order", promised, short_errors(problem, method, promised));
    return refined.verdict == AuditVerdict::broken ? refined : found;
  }

  OrderSeries short_errors(const AuditProblem& problem, const Method& method, int promised) const {
    const auto shortest = std::find_if(short_steps.begin(), short_steps.end(),
                                       [&](const ShortStep& s) { return s.order >= promised; });
    if (shortest == short_steps.end()) return {};
    StepMap<Wide> map(problem.system, method, problem.parameters);
    const int longest = shortest->exponent - short_step_count + 1;
    std::vector<double> errors;
    for (int k = longest; k <= shortest->exponent; ++k) {
      const std::optional<double> error = short_error(map, problem, k);
      if (!error) break;
      errors.push_back(*error);
    }
    if (errors.empty()) return {};
    const double moved =
        largest_difference(state_of(map.start(problem.q, problem.v)), short_.at(longest));
    const auto left = short_error(map, problem, shortest->exponent + much_shorter);
    return fit_order(std::move(errors), short_floor(moved, left));
  }

  /// The error after one step; nothing if one was refused.
  std::optional<double> short_error(StepMap<Wide>& map, const AuditProblem& problem,
                                    int exponent) const {
    const auto exact = short_.find(exponent);
    BasicPoint<Wide> point = map.start(problem.q, problem.v);
    if (exact == short_.end() || !map.apply(point, short_step(problem, exponent))) return {};
    return largest_difference(state_of(point), exact->second);
  }

  /// Lower bound for a usable error of short steps: round-off of the state, that of many operations
  /// on the change in a step, and the error of a near-zero step, unless that is more than round-off
  /// of many operations: then it is a mistake.
  double short_floor(double moved, std::optional<double> left) const {
    const double round = arithmetic_round_off<Wide>();
    const double floor = numeric::larger(round * size_, many_operations * round * moved);
    if (!left || !(*left <= AuditThresholds<Wide>::exact_below * size_)) return floor;
    return numeric::larger(floor, round_off_luck * *left);
  }

  OrderSeries local_errors(const AuditProblem& problem, const Method& method) const {
    StepMap<Wide> map(problem.system, method, problem.parameters);
    // Low orders show at small steps, high ones drown in round-off there.
    const std::size_t first = method.facts().order < 5 ? 2 : 0;
    std::vector<double> errors;
    for (std::size_t k = first; k < first + 4; ++k) {
      BasicPoint<Wide> point = map.start(problem.q, problem.v);
      if (!map.apply(point, Wide(problem.time) / Wide(static_cast<double>(8U << k)))) break;
      errors.push_back(largest_difference(state_of(point), local_[k]));
    }
    return fit_order(std::move(errors),
                     numeric::larger(0.01 * AuditThresholds<Wide>::order_floor,
                                     many_operations * arithmetic_round_off<Wide>() * size_));
  }

  Parts<Wide> global_;
  double size_ = 1.0;                       ///< of the largest entry of q and v, or one
  std::vector<std::vector<Wide>> local_;    // after h = 1/8, 1/16, ..., 1/256
  std::map<int, std::vector<Wide>> short_;  // after h = 1/2^k
};

}  // namespace dalembert
