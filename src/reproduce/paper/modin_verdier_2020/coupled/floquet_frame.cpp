#include "floquet_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/measure/extrapolation.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::reproduce {

namespace {

constexpr std::size_t samples_per_period = 192;
constexpr double not_solved = std::numeric_limits<double>::quiet_NaN();

/// B of u' = B u from the coefficients of the passengers' equations.
SquareMatrix coefficient_matrix(const CoupledPassengers::Coefficients& c) {
  const std::size_t m = c.springs.size();
  SquareMatrix b(m + 2);
  for (std::size_t i = 0; i < m; ++i) {
    b(i, m) = c.springs[i];
    b(m, i) = -c.springs[i];
  }
  b(m, m + 1) = c.force;
  return b;
}

}  // namespace

FloquetFrame::FloquetFrame(const System& system, std::span<const double> parameters,
                           std::span<const double> q, std::span<const double> v)
    : system_(&system),
      parameters_(parameters.begin(), parameters.end()),
      coupled_(system, parameters, "", "driver"),
      start_{q[coupled_.driver()], v[coupled_.driver()]},
      average_(FloquetAverage(system, parameters).at(start_[0], start_[1])) {}

std::optional<FloquetFrame> FloquetFrame::at_turning_point() const {
  FloquetFrame frame = *this;
  const std::vector<std::array<double, 2>> driver = frame.samples(samples_per_period).driver;
  const auto turned = std::find_if(driver.begin(), driver.end(),
                                   [&](const auto& state) { return state[1] * start_[1] < 0.0; });
  if (turned == driver.end()) return std::nullopt;
  double t = period() * static_cast<double>(turned - driver.begin()) / samples_per_period;
  for (int pass = 0; pass < 8; ++pass) {
    const std::array<double, 2> now = frame.driver(t);
    t -= now[1] / frame.coupled_.at(now[0]).acceleration;
  }
  frame.start_ = {frame.driver(t)[0], 0.0};
  frame.average_ = FloquetAverage(*system_, parameters_).at(frame.start_[0], frame.start_[1]);
  return frame;
}

SquareMatrix FloquetFrame::matrix_at(double position) {
  return coefficient_matrix(coupled_.at(position));
}

/// The driver, and N = Phi^{-1} by rows, at time zero.
std::vector<double> FloquetFrame::first_state() const {
  std::vector<double> y{start_[0], start_[1]};
  const std::vector<double> one = SquareMatrix::one(size()).entries();
  y.insert(y.end(), one.begin(), one.end());
  return y;
}

/// The same a duration later: N' = -N B.
void FloquetFrame::advance(std::vector<double>& y, double duration) {
  const std::size_t n = size();
  const auto motion = [this, n](std::span<const double> state, std::span<double> slope) {
    slope[0] = state[1];
    slope[1] = coupled_.at(state[0]).acceleration;
    const SquareMatrix b = matrix_at(state[0]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < n; ++k) sum -= state[2 + i * n + k] * b(k, j);
        slope[2 + i * n + j] = sum;
      }
    }
  };
  Extrapolation<double, decltype(motion)> solver(motion, y.size());
  if (!solver.advance(y, duration)) std::fill(y.begin(), y.end(), not_solved);
}

std::array<double, 2> FloquetFrame::driver(double t) {
  std::vector<double> y = first_state();
  advance(y, t);
  return {y[0], y[1]};
}

FloquetFrame::Samples FloquetFrame::samples(std::size_t count) {
  Samples result;
  std::vector<double> y = first_state();
  for (std::size_t i = 0; i < count; ++i) {
    result.driver.push_back({y[0], y[1]});
    result.coefficients.push_back(matrix_at(y[0]));
    advance(y, period() / static_cast<double>(count));
  }
  return result;
}

SquareMatrix FloquetFrame::backward(double t) {
  std::vector<double> y = first_state();
  advance(y, t);
  return SquareMatrix(size(), {y.begin() + 2, y.end()});
}

SquareMatrix FloquetFrame::change_of_variables(double t) {
  return exponential(generator() * t) * backward(t);
}

std::vector<double> FloquetFrame::variables(std::span<const double> q, std::span<const double> v) {
  std::vector<double> u = coupled_.variables(q, v);
  u.push_back(1.0);
  return u;
}

double reversal_condition_defect(const std::vector<SquareMatrix>& coefficients,
                                 const SquareMatrix& rho) {
  const std::size_t count = coefficients.size();
  double least = std::numeric_limits<double>::infinity();
  // About the middle between the samples 0 and j, sample i is reflected to j - i.
  for (std::size_t j = 0; j < count; ++j) {
    double most = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const SquareMatrix& image = coefficients[(j + count - i) % count];
      const double now = (rho * coefficients[i] * rho + image).largest();
      most = numeric::larger(most, now);
    }
    least = numeric::smaller(least, most);
  }
  return least;
}

}  // namespace dalembert::reproduce
