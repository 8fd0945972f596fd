#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Options of `modified_field`.
struct ModifiedFieldOptions {
  int terms = 2;        ///< coefficients of the expansion, from the method's order on
  int half_width = 30;  ///< most steps to either side that the logarithm at the step takes
  /// The largest step that the expansion's coefficients are found with; the smallest is its half.
  /// Zero chooses one: 2^-8 in 113 bits (2^-7 from order 8 on), 2^-5 in double, half of it where
  /// two steps are taken for one.
  double largest_step = 0.0;
};

/// The field whose exact flow after the time h is the step map, f~ = f + h^p f_p + ..., at a state.
/// Vectors are slopes of (q, v), [storage_count + dof].
template <class Number>
struct ModifiedField {
  std::vector<Number> field = {};     ///< f, of the system
  std::vector<Number> modified = {};  ///< f~ at the step h
  /// Of `modified`: the smallest change when half_width grows by one, with what a geometric series
  /// of such changes would add. Where the step is large, this is the remainder of the series,
  /// exponentially small in 1/h; where it is small, round-off/h. Where the changes fall slowly, by
  /// less than a fifth, no less than the change since half the width, and then a lower bound.
  double error = 0.0;
  int half_width = 0;            ///< at which that change was smallest
  std::vector<int> powers = {};  ///< p, p + 2, ... (symmetric) or p, p + 1, ...
  std::vector<std::vector<Number>> coefficients = {};  ///< f_p, one vector for each power
  /// Of the coefficients, largest entry: the change when the expansion has a step less.
  std::vector<double> coefficient_errors = {};
  std::string failure = {};  ///< the reason where a step was refused: then vectors are empty
};

/// Throws RequestError, with the reason, for a method or a system whose step map has no modified
/// field here: adaptive steps, elements of Lie groups.
void require_modified_field(const System& system, const Method& method);
/// Number of steps of the method that are near the identity together: 1, or 2 where it carries a
/// multiplier or leaves the constraint set, because the deviation then changes its sign in a step.
int steps_near_identity(const System& system, const Method& method);

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The logarithm of a step map: f~ = (1/h) sum_{k=1..m} c_k (Phi^k - Phi^-k) with c_k = (-1)^(k+1)
/// m!^2/(k (m - k)! (m + k)!), whose error is O(h^2m). The inverse of a step is a step of -h for a
/// symmetric method and one of the adjoint with -h for others. Two steps are taken for one, with
/// 2 h for h, where `steps_near_identity` says so: then f~ is the field of Phi^2 at a state on the
/// constraints with its exact multiplier. Source: central differences of the flow of f~ at time
/// zero, whose existence up to exponentially small terms is [HairerLubichWanner2006], Sect. IX.7.
/// One per thread.
template <class Number>
class StepLogarithm {
 public:
  /// Parameters in the order of the description; the defaults if empty. Throws RequestError as
  /// `require_modified_field`, and for a method that is not symmetric and has no adjoint.
  StepLogarithm(const System& system, const Method& method, std::span<const double> parameters = {})
      : method_((require_modified_field(system, method), method)),
        forward_(system, method, parameters),
        flow_(system, forward_.parameters()),
        stride_(steps_near_identity(system, method)) {
    if (!method.facts().symmetric)
      adjoint_.emplace(system, Method(Adjoint{.base = method}), forward_.parameters());
  }

  /// The admissible state nearest to (q, v), with the exact multiplier.
  BasicPoint<Number> start(std::span<const double> q, std::span<const double> v) {
    return forward_.start(q, v);
  }
  /// The method itself, forward in time.
  StepMap<Number>& step_map() { return forward_; }
  /// First power of the expansion: the method's order.
  int first_power() const { return method_.facts().order; }
  /// Distance of its powers: 2 for a symmetric method, else 1.
  int power_step() const { return method_.facts().symmetric ? 2 : 1; }

  /// (q', v') of the system at a point.
  std::vector<Number> field(const BasicPoint<Number>& point) {
    std::vector<Number> slope(point.q.size() + point.v.size(), Number(0.0));
    flow_.slope(point.t, point.q, point.v, slope);
    return slope;
  }

  /// f~ at a point for the step h and every half width from 1 to m; empty if a step was refused.
  std::vector<std::vector<Number>> sums(const BasicPoint<Number>& point, const Number& h, int m) {
    BasicPoint<Number> ahead = point, behind = point;
    std::vector<std::vector<Number>> differences;
    for (int k = 1; k <= m; ++k) {
      if (!forward(ahead, h) || !backward(behind, h)) return {};
      differences.push_back(difference(ahead, behind));
    }
    std::vector<std::vector<Number>> results;
    const Number time = Number(static_cast<double>(stride_)) * h;
    for (int width = 1; width <= m; ++width) {
      std::vector<Number> sum(differences.front().size(), Number(0.0));
      Number weight = Number(1.0);
      for (int k = 1; k <= width; ++k) {  // c_k k from that of k - 1
        weight = weight * Number(static_cast<double>(k == 1 ? width : k - 1 - width)) /
                 Number(static_cast<double>(width + k));
        const Number factor = weight / (Number(static_cast<double>(k)) * time);
        const std::vector<Number>& part = differences[static_cast<std::size_t>(k - 1)];
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] + factor * part[i];
      }
      results.push_back(std::move(sum));
    }
    return results;
  }

  /// The whole result at a point; see ModifiedField.
  ModifiedField<Number> operator()(const BasicPoint<Number>& point, const Number& h,
                                   const ModifiedFieldOptions& options = {}) {
    ModifiedField<Number> result;
    result.field = field(point);
    const auto widths = sums(point, h, options.half_width);
    if (widths.empty()) return refused();
    double smallest = std::numeric_limits<double>::infinity(), before = smallest;
    result.error = smallest;
    for (std::size_t m = 1; m < widths.size(); ++m) {
      const double change = largest_difference(widths[m], widths[m - 1]);
      if (change < smallest) {
        const double ratio = numeric::smaller(change / before, 0.95);
        smallest = change;
        result.error = change / (1.0 - ratio);
        // What falls slowly is far from its end.
        if (ratio > 0.8)
          result.error =
              numeric::larger(result.error, largest_difference(widths[m], widths[m / 2]));
        result.half_width = static_cast<int>(m) + 1;
        result.modified = widths[m];
      }
      before = change;
    }
    if (result.modified.empty()) result.modified = widths.back();
    if (options.terms > 0 && !expand(point, options, result)) return refused();
    return result;
  }

 private:
  static constexpr bool is_wide = std::numeric_limits<Number>::digits > 64;

  /// Largest step of `expand` at which truncation, which falls with the step, and
  /// round-off/h^(p + 1) are about equal.
  double chosen_step() const {
    if (is_wide) return first_power() < 8 ? 0x1p-8 : 0x1p-7;
    return stride_ == 1 ? 0x1p-5 : 0x1p-6;
  }
  bool forward(BasicPoint<Number>& point, const Number& h) {
    return forward_.apply(point, h, static_cast<std::uint64_t>(stride_));
  }
  bool backward(BasicPoint<Number>& point, const Number& h) {
    StepMap<Number>& inverse = adjoint_ ? *adjoint_ : forward_;
    return inverse.apply(point, -h, static_cast<std::uint64_t>(stride_));
  }
  static std::vector<Number> difference(const BasicPoint<Number>& a, const BasicPoint<Number>& b) {
    std::vector<Number> result;
    for (std::size_t i = 0; i < a.q.size(); ++i) result.push_back(a.q[i] - b.q[i]);
    for (std::size_t i = 0; i < a.v.size(); ++i) result.push_back(a.v[i] - b.v[i]);
    return result;
  }
  ModifiedField<Number> refused() const {
    ModifiedField<Number> result;
    result.failure = "method \"" + method_.name() + "\" refused a step near the state";
    return result;
  }

  /// The coefficients: (f~ - f)/h^p at several steps, as a polynomial in h or h^2.
  bool expand(const BasicPoint<Number>& point, const ModifiedFieldOptions& options,
              ModifiedField<Number>& result) {
    const int step = power_step(), first = first_power();
    const double largest = options.largest_step > 0.0 ? options.largest_step : chosen_step();
    const int nodes = options.terms + (is_wide ? (step == 2 ? 6 : 10) : 2);
    // An error of the multiplier that the point carries would not vanish with the step.
    BasicPoint<Number> clean = point;
    if (!clean.lambda.empty()) clean.lambda = forward_.exact_multiplier(point);
    std::vector<Number> x;
    std::vector<std::vector<Number>> y;
    const auto power = [](const Number& base, int exponent) {
      Number product(1.0);
      for (int i = 0; i < exponent; ++i) product = product * base;
      return product;
    };
    for (int j = 0; j < nodes; ++j) {
      // Fractions between 1/2 and 1 that a double holds: 1 - j/64, and so on.
      const double fraction = 1.0 - std::floor(32.0 * j / (nodes - 1)) / 64.0;
      const Number h(largest * fraction);
      const auto widths = sums(clean, h, 10);
      if (widths.empty()) return false;
      std::vector<Number> row = widths.back();
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = (row[i] - result.field[i]) / power(h, first);
      x.push_back(power(Number(fraction), step));
      y.push_back(std::move(row));
    }
    const auto all = polynomial(x, y, nodes), fewer = polynomial(x, y, nodes - 1);
    for (int term = 0; term < options.terms; ++term) {
      const Number scale = power(Number(largest), step * term);
      std::vector<Number> best = all[static_cast<std::size_t>(term)];
      std::vector<Number> other = fewer[static_cast<std::size_t>(term)];
      for (std::size_t i = 0; i < best.size(); ++i) {
        best[i] = best[i] / scale;
        other[i] = other[i] / scale;
      }
      result.powers.push_back(first + step * term);
      result.coefficient_errors.push_back(largest_difference(best, other));
      result.coefficients.push_back(std::move(best));
    }
    return true;
  }

  /// The coefficients of the polynomial through the first `count` points, by Newton's divided
  /// differences.
  static std::vector<std::vector<Number>> polynomial(const std::vector<Number>& x,
                                                     std::vector<std::vector<Number>> y,
                                                     int count) {
    const auto n = static_cast<std::size_t>(count), size = y.front().size();
    for (std::size_t level = 1; level < n; ++level) {
      for (std::size_t i = n; i-- > level;) {
        for (std::size_t k = 0; k < size; ++k)
          y[i][k] = (y[i][k] - y[i - 1][k]) / (x[i] - x[i - level]);
      }
    }
    std::vector<std::vector<Number>> coefficients(n, std::vector<Number>(size, Number(0.0)));
    for (std::size_t i = n; i-- > 0;) {  // Horner: p <- p (t - x_i) + y_i
      for (std::size_t k = 0; k < size; ++k) {
        for (std::size_t power = n; power-- > 1;)
          coefficients[power][k] = coefficients[power - 1][k] - x[i] * coefficients[power][k];
        coefficients[0][k] = y[i][k] - x[i] * coefficients[0][k];
      }
    }
    return coefficients;
  }

  Method method_;
  StepMap<Number> forward_;
  std::optional<StepMap<Number>> adjoint_;
  ExactFlow<Number> flow_;
  int stride_;
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE

/// The modified field of a method at a state, for the step h: see StepLogarithm and ModifiedField.
/// In 113 bits the coefficients have some 15 digits, in double about 10 - 2 p; f~ itself has the
/// stated error in any number type. Parameters in the order of the description; if empty, the
/// defaults with those that the start sets. Throws RequestError like StepLogarithm and
/// `prepare_start`.
template <class Number>
ModifiedField<Number> modified_field(const System& system, const Method& method, const Start& state,
                                     const Number& h, const ModifiedFieldOptions& options = {},
                                     std::span<const double> parameters = {}) {
  const std::vector<double> values =
      parameters.empty() ? named_parameter_values(system, state.parameters)
                         : std::vector<double>(parameters.begin(), parameters.end());
  StepLogarithm<Number> logarithm(system, method, values);
  const Start ready = prepare_start(system, state, values);
  return logarithm(logarithm.start(ready.q, ready.v), h, options);
}

}  // namespace dalembert
