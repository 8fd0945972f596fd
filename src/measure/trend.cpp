#include "dalembert/measure/trend.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "student_distribution.hpp"

namespace dalembert {
namespace {

using Column = std::vector<double>;

/// One ratio of walk to white noise: the slope is Student t around `slope` with `scale`.
struct Candidate {
  double slope = 0.0, level = 0.0, scale = 0.0;
  double log_likelihood = 0.0;
  double random_walk_share = 0.0;
  double weight = 0.0;
};

/// The factor L, by rows, of the covariance cos^2 I + sin^2 min(i, j) of white noise plus a random
/// walk. No pivot is small: white noise alone, or the walk's matrix alone, is well conditioned.
std::vector<Column> noise_factor(std::size_t count, double angle) {
  const double white = std::pow(numeric::cos(angle), 2), walk = std::pow(numeric::sin(angle), 2);
  std::vector<Column> factor(count, Column(count, 0.0));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = walk * static_cast<double>(j + 1) + (i == j ? white : 0.0);
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i][k] * factor[j][k];
      factor[i][j] = i == j ? std::sqrt(rest) : rest / factor[j][j];
    }
  }
  return factor;
}

Column solve_lower(const std::vector<Column>& factor, Column column) {
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) column[i] -= factor[i][k] * column[k];
    column[i] /= factor[i][i];
  }
  return column;
}

double dot_product(const Column& x, const Column& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// Generalized least squares for one ratio. `floor` bounds the residual from below, so that exact
/// data have a likelihood.
Candidate fit_with(const Column& x, const Column& y, double angle, double floor) {
  const auto factor = noise_factor(x.size(), angle);
  const Column one = solve_lower(factor, Column(x.size(), 1.0)), a = solve_lower(factor, x),
               b = solve_lower(factor, y);
  const double oo = dot_product(one, one), oa = dot_product(one, a), aa = dot_product(a, a);
  const double determinant = oo * aa - oa * oa;
  Candidate fit;
  fit.slope = (oo * dot_product(a, b) - oa * dot_product(one, b)) / determinant;
  fit.level = (dot_product(one, b) - fit.slope * oa) / oo;
  double residual = 0.0, log_factor = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    residual += std::pow(b[i] - fit.level * one[i] - fit.slope * a[i], 2);
    log_factor += numeric::log(factor[i][i]);
  }
  const double degrees = static_cast<double>(x.size()) - 2.0;
  residual = numeric::larger(residual, floor * floor * degrees);
  fit.scale = std::sqrt(residual / degrees * oo / determinant);
  fit.log_likelihood =
      -log_factor - 0.5 * numeric::log(determinant) - 0.5 * degrees * numeric::log(residual);
  fit.random_walk_share = numeric::sin(angle) / (numeric::sin(angle) + numeric::cos(angle));
  return fit;
}

/// The point below which the mixture of t distributions has the given probability.
double mixture_quantile(const std::vector<Candidate>& fits, int degrees, double probability) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Candidate& fit : fits) {
    low = numeric::smaller(low, fit.slope - 1e3 * fit.scale);
    high = numeric::larger(high, fit.slope + 1e3 * fit.scale);
  }
  for (int pass = 0; pass < 100 && low < high; ++pass) {
    const double middle = low + (high - low) / 2.0;
    double below = 0.0;
    for (const Candidate& fit : fits) {
      if (fit.weight > 0.0)
        below += fit.weight * student_distribution((middle - fit.slope) / fit.scale, degrees);
    }
    (below < probability ? low : high) = middle;
  }
  return low + (high - low) / 2.0;
}

void require(bool condition, const std::string& sentence) {
  if (!condition) throw RequestError(sentence);
}

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

void check(std::span<const double> x, std::span<const double> y, double confidence) {
  require(x.size() == y.size(), "a line needs as many x as y: there are " +
                                    std::to_string(x.size()) + " and " + std::to_string(y.size()));
  require(x.size() >= 6, "a line with its uncertainty needs at least 6 points: there are " +
                             std::to_string(x.size()));
  require(confidence > 0.0 && confidence < 1.0,
          "the confidence lies between 0 and 1: it is " + std::to_string(confidence));
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(std::isfinite(x[i]) && std::isfinite(y[i]),
            "a line needs finite numbers: number " + std::to_string(i + 1) + " is not");
    require(i == 0 || x[i - 1] < x[i],
            "the x of a line must increase: number " + std::to_string(i + 1) + " does not");
  }
}

}  // namespace

Trend fit_trend(std::span<const double> x, std::span<const double> y, double confidence) {
  check(x, y, confidence);
  // The ratio of the standard deviations, walk to white, from where the walk is lost in the white
  // noise over the whole series to where the white noise is lost in one step of the walk.
  constexpr int ratios = 32;
  const double log_least = -numeric::log(2.0 * static_cast<double>(x.size())),
               log_most = numeric::log(1e3);
  constexpr double widening = 1.15;
  const double x_mean = mean(x), y_mean = mean(y);
  const double unit = (x.back() - x.front()) / static_cast<double>(x.size() - 1);
  Column scaled_x, shifted_y;
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    scaled_x.push_back((x[i] - x_mean) / unit);
    shifted_y.push_back(y[i] - y_mean);
    largest = numeric::larger(largest, std::fabs(y[i]));
  }
  const double floor = numeric::larger(largest * std::numeric_limits<double>::epsilon(),
                                       1e-150);  // round-off of the data; its square is a number
  std::vector<Candidate> fits;
  double best = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < ratios; ++k) {
    const double ratio = numeric::exp(log_least + (log_most - log_least) * (k + 0.5) / ratios);
    fits.push_back(fit_with(scaled_x, shifted_y, numeric::atan(ratio), floor));
    fits.back().scale *= widening;
    best = numeric::larger(best, fits.back().log_likelihood);
  }
  double total = 0.0;
  for (Candidate& fit : fits) total += fit.weight = numeric::exp(fit.log_likelihood - best);
  Trend trend;
  double slope = 0.0;
  for (Candidate& fit : fits) {
    fit.weight /= total;
    slope += fit.weight * fit.slope;
    trend.level += fit.weight * fit.level;
    trend.random_walk_share += fit.weight * fit.random_walk_share;
  }
  const int degrees = static_cast<int>(x.size()) - 2;
  const double tail = (1.0 - confidence) / 2.0;
  trend.slope = {slope / unit, mixture_quantile(fits, degrees, tail) / unit,
                 mixture_quantile(fits, degrees, 1.0 - tail) / unit, confidence};
  trend.level += y_mean;
  const double plain = dot_product(scaled_x, shifted_y) / dot_product(scaled_x, scaled_x);
  for (std::size_t i = 0; i < x.size(); ++i)
    trend.spread += std::pow(shifted_y[i] - plain * scaled_x[i], 2) / static_cast<double>(x.size());
  trend.spread = std::sqrt(trend.spread);
  return trend;
}

}  // namespace dalembert
