#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// A matrix of numbers, by rows.
template <class Number>
using NumberMatrix = std::vector<std::vector<Number>>;

/// The increment of the central differences of `difference_jacobian`: a power of two near
/// eps^(1/7).
template <class Number>
Number difference_increment() {
  const double bits = -std::log2(static_cast<double>(numeric::round_off<Number>()));
  return Number(std::ldexp(1.0, -static_cast<int>(std::lround(bits / 7.0))));
}

/// The Jacobian of a map of R^n to R^m at x, by central differences of order 8 with increment d
/// (`difference_increment`, for coordinates of size one): entry (i, j) is the derivative of
/// component i along x_j. Truncation d^8 |f^(9)|/630 and round-off eps/d are together about
/// eps^(6/7): 1e-13 in double, 1e-16 in extended and 1e-28 in quadruple precision, where the map is
/// analytic within a radius of about one half. `map` takes and returns vectors; an empty result
/// (a step was refused) makes the matrix empty. Source: [HairerLubichWanner2006] for the use, the
/// coefficients are those of the interpolating polynomial of degree 8.
template <class Number, class Map>
NumberMatrix<Number> difference_jacobian(Map&& map, const std::vector<Number>& x) {
  const Number d = difference_increment<Number>();
  const Number weights[] = {Number(4.0) / Number(5.0), Number(-1.0) / Number(5.0),
                            Number(4.0) / Number(105.0), Number(-1.0) / Number(280.0)};
  NumberMatrix<Number> jacobian;
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (int k = 1; k <= 4; ++k) {
      std::vector<Number> shifted = x;
      shifted[j] = x[j] + Number(static_cast<double>(k)) * d;
      const std::vector<Number> above = map(shifted);
      shifted[j] = x[j] - Number(static_cast<double>(k)) * d;
      const std::vector<Number> below = map(shifted);
      if (above.empty() || below.empty()) return {};
      if (jacobian.empty())
        jacobian.assign(above.size(), std::vector<Number>(x.size(), Number(0.0)));
      for (std::size_t i = 0; i < above.size(); ++i)
        jacobian[i][j] = jacobian[i][j] + weights[k - 1] * (above[i] - below[i]) / d;
    }
  }
  return jacobian;
}

/// The determinant, by elimination with row pivoting.
template <class Number>
Number determinant(NumberMatrix<Number> a) {
  const auto size = [](const Number& x) { return x < Number(0.0) ? Number(-x) : x; };
  Number product(1.0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      if (size(a[i][k]) > size(a[pivot][k])) pivot = i;
    }
    if (pivot != k) {
      std::swap(a[pivot], a[k]);
      product = -product;
    }
    product = product * a[k][k];
    if (!(size(a[k][k]) > Number(0.0))) return product;
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      const Number factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < a.size(); ++j) a[i][j] = a[i][j] - factor * a[k][j];
    }
  }
  return product;
}

/// q and v (and a multiplier that is carried) as one vector, the coordinates of the step map.
template <class Number>
std::vector<Number> coordinates_of(const BasicPoint<Number>& point, bool with_multiplier) {
  std::vector<Number> x = point.q;
  x.insert(x.end(), point.v.begin(), point.v.end());
  if (with_multiplier) x.insert(x.end(), point.lambda.begin(), point.lambda.end());
  return x;
}

/// The point with these coordinates; what else it holds is that of `like`.
template <class Number>
BasicPoint<Number> point_at(const std::vector<Number>& x, const BasicPoint<Number>& like) {
  BasicPoint<Number> point = like;
  std::size_t next = 0;
  for (Number& q : point.q) q = x[next++];
  for (Number& v : point.v) v = x[next++];
  for (std::size_t i = 0; i < point.lambda.size() && next < x.size(); ++i)
    point.lambda[i] = x[next++];
  return point;
}

/// The Jacobian of the step map (q, v) -> (q, v) of size h at `start`, where a method carries its
/// multiplier that of (q, v, lambda); what else it carries starts from (q, v). Accuracy of
/// `difference_jacobian`. Empty if a step was refused. For systems without constraints; with them
/// the map is defined on the constraint set only, see `volume_change`.
template <class Number>
NumberMatrix<Number> step_jacobian(StepMap<Number>& map, const BasicPoint<Number>& start,
                                   const Number& h) {
  const bool carries = map.program().method().facts().carries_multiplier;
  const auto step = [&](const std::vector<Number>& x) -> std::vector<Number> {
    BasicPoint<Number> point = point_at(x, start);
    map.start_carried(point);
    if (!map.apply(point, h)) return {};
    return coordinates_of(point, carries);
  };
  return difference_jacobian<Number>(step, coordinates_of(start, carries));
}

}  // namespace dalembert
