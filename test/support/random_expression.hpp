#pragma once
// Random expression graphs, together with what they mean: every node is built once through the
// library's simplifying operators and once as plain arithmetic with an error bound.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "dalembert/expression/vector.hpp"
#include "support/direct_evaluation.hpp"
#include "unit/numeric/support.hpp"

namespace test_support {

using numeric_test::Random;

/// A value with a first-order bound of what rounding of every operation (relative size `unit`) can
/// change it by.
struct Bounded {
  long double value = 0.0L, error = 0.0L;
};

/// One operation on bounded values: the slopes are difference quotients, which is enough for a
/// bound.
inline Bounded apply_bounded(dalembert::Operation operation, unsigned order, const Bounded& x,
                             const Bounded& y, bool binary, long double unit) {
  const auto f = [&](long double a, long double b) {
    return apply<long double>(operation, order, a, b);
  };
  const long double value = f(x.value, binary ? y.value : x.value);
  const auto spread = [&](long double centre, long double radius, auto g) {
    const long double step = std::max(2.0L * radius, 1e-9L * (1.0L + std::fabs(centre)));
    const long double change =
        std::max(std::fabs(g(centre + step) - value), std::fabs(g(centre - step) - value));
    return std::isfinite(change) ? change * (radius / step)
                                 : std::numeric_limits<long double>::infinity();
  };
  long double error = unit * std::fabs(value);
  if (binary) {
    error += spread(x.value, x.error, [&](long double a) { return f(a, y.value); });
    error += spread(y.value, y.error, [&](long double b) { return f(x.value, b); });
  } else {
    error += spread(x.value, x.error, [&](long double a) { return f(a, a); });
  }
  return {value, 2.0L * error};
}

/// An expression and its plain value at each sample point.
struct Twin {
  dalembert::Expr expression;
  std::vector<Bounded> plain;
};

/// Grows random expressions over given symbols.
class RandomExpressions {
 public:
  /// `unit`: the relative rounding error of one operation that the bounds allow for.
  RandomExpressions(std::uint64_t seed, const dalembert::Vector& symbols,
                    std::vector<std::vector<long double>> points, long double unit)
      : random_{seed}, points_(std::move(points)), unit_(unit) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      Twin twin{symbols[i], {}};
      for (const auto& point : points_) twin.plain.push_back({point[i], 0.0L});
      pool_.push_back(twin);
    }
  }

  const std::vector<Twin>& pool() const { return pool_; }
  Random& random() { return random_; }

  Twin constant(double value) const {
    return {value, std::vector<Bounded>(points_.size(), Bounded{value, 0.0L})};
  }
  Twin pick() {
    switch (random_.next() % 8) {
      case 0:
        return constant(static_cast<double>(random_.next() % 5) - 2.0);
      case 1:
        return constant(random_.uniform(-3.0, 3.0));
      default:  // favour what was made last: deep graphs
        const std::size_t back =
            std::min<std::size_t>(random_.next() % pool_.size(), random_.next() % pool_.size());
        return pool_[pool_.size() - 1 - back];
    }
  }
  Twin unary(dalembert::Operation operation, const Twin& x, unsigned order = 0) {
    return make(operation, order, x, x, false);
  }
  Twin binary(dalembert::Operation operation, const Twin& x, const Twin& y) {
    return make(operation, 0, x, y, true);
  }

  /// One more node in the pool; functions with poles only where they are defined, values kept
  /// moderate.
  void grow() {
    using dalembert::Operation;
    Twin next;
    const Twin x = pick(), y = pick();
    const auto one_plus_square = [&](const Twin& z) {
      return binary(Operation::add, constant(1.0), binary(Operation::multiply, z, z));
    };
    switch (random_.next() % 20) {
      case 0:
      case 1:
      case 2:
        next = binary(Operation::add, x, y);
        break;
      case 3:
      case 4:
      case 5:
        next = binary(Operation::subtract, x, y);
        break;
      case 6:
      case 7:
      case 8:
        next = binary(Operation::multiply, x, y);
        break;
      case 9:
        next = binary(Operation::divide, x, one_plus_square(y));
        break;
      case 10:
        next = unary(Operation::negate, x);
        break;
      case 11:
        next = binary(Operation::power, one_plus_square(x), unary(Operation::sin, y));
        break;
      case 12:
        next = binary(Operation::atan2, x, one_plus_square(y));
        break;
      case 13:
        next = unary(Operation::sqrt, one_plus_square(x));
        break;
      case 14:
        next = unary(Operation::log, one_plus_square(x));
        break;
      case 15:
        next = unary(Operation::abs, x);
        break;
      default: {
        static constexpr Operation functions[] = {Operation::sin,  Operation::cos, Operation::atan,
                                                  Operation::tanh, Operation::sin, Operation::cos};
        next = unary(functions[random_.next() % 6], x);
        if (random_.next() % 4 == 0) {
          static constexpr Operation bounded[] = {Operation::exp, Operation::sinh, Operation::cosh,
                                                  Operation::asin, Operation::tan};
          const Twin small = binary(Operation::multiply, constant(0.5), next);
          const Operation operation = bounded[random_.next() % 5];
          const bool defined = operation != Operation::asin ||
                               std::all_of(small.plain.begin(), small.plain.end(),
                                           [](auto b) { return std::fabs(b.value) < 0.9L; });
          if (defined) next = unary(operation, small);
        }
      }
    }
    // A bound of first order says little where the error is not small or the value is steep.
    const bool moderate = std::all_of(next.plain.begin(), next.plain.end(), [](const Bounded& b) {
      return std::isfinite(b.value) && std::fabs(b.value) < 1e6L && b.error < 1e-3L;
    });
    if (moderate) pool_.push_back(std::move(next));
  }

 private:
  Twin make(dalembert::Operation operation, unsigned order, const Twin& x, const Twin& y,
            bool binary) {
    dalembert::Node like{operation, {}, false, 0, order};
    Twin result{dalembert::rebuild(like, x.expression, y.expression), {}};
    for (std::size_t k = 0; k < points_.size(); ++k)
      result.plain.push_back(
          apply_bounded(operation, order, x.plain[k], y.plain[k], binary, unit_));
    return result;
  }

  Random random_;
  std::vector<std::vector<long double>> points_;
  long double unit_;
  std::vector<Twin> pool_;
};

}  // namespace test_support
