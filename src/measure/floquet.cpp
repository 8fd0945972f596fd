#include "dalembert/measure/floquet.hpp"

#include <cmath>
#include <limits>

#include "matrix_logarithm.hpp"

namespace dalembert {
namespace {

/// The matrix B of u' = B u, by rows: y' = kappa k s, s' = -(kappa k).y + k.f, 1' = 0.
std::vector<double> matrix_of(const CoupledPassengers::Coefficients& c) {
  const std::size_t m = c.springs.size(), n = m + 2;
  std::vector<double> b(n * n, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    b[i * n + m] = c.springs[i];
    b[m * n + i] = -c.springs[i];
  }
  b[m * n + m + 1] = c.force;
  return b;
}

}  // namespace

FloquetAverage::FloquetAverage(const System& system, std::span<const double> parameters,
                               std::string_view driver)
    : coupled_(system, parameters, driver, "average over a driver") {}

FloquetAverage::Average FloquetAverage::at(double position, double velocity) {
  const std::size_t m = coupled_.rank(), n = m + 2;
  std::vector<double> one(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) one[i * n + i] = 1.0;
  const CoupledPassengers::Coefficients at_start = coupled_.at(position);
  if (velocity == 0.0 && at_start.acceleration == 0.0) return {0.0, one, matrix_of(at_start)};

  // The driver, then the rows of the fundamental matrix but the last, which stays (0, ..., 0, 1).
  const auto motion = [this, m, n](std::span<const double> y, std::span<double> slope) {
    const CoupledPassengers::Coefficients now = coupled_.at(y[0]);
    slope[0] = y[1];
    slope[1] = now.acceleration;
    const auto entry = [&](std::size_t row, std::size_t column) { return y[2 + row * n + column]; };
    for (std::size_t column = 0; column < n; ++column) {
      double force = column + 1 == n ? now.force : 0.0;
      for (std::size_t i = 0; i < m; ++i) {
        slope[2 + i * n + column] = now.springs[i] * entry(m, column);
        force -= now.springs[i] * entry(i, column);
      }
      slope[2 + m * n + column] = force;
    }
  };
  std::vector<double> y{position, velocity};
  y.insert(y.end(), one.begin(), one.end() - static_cast<std::ptrdiff_t>(n));
  const std::optional<double> period = until_return(motion, coupled_.driver_is_angle(), y);
  if (!period) {
    const std::vector<double> unknown(n * n, std::numeric_limits<double>::quiet_NaN());
    return {std::numeric_limits<double>::infinity(), unknown, unknown};
  }
  Average average{*period, one, {}};
  std::copy(y.begin() + 2, y.end(), average.monodromy.begin());
  average.generator = matrix_logarithm(average.monodromy, n);
  for (double& value : average.generator) value /= *period;
  return average;
}

double FloquetAverage::rate(std::span<const double> q, std::span<const double> v) {
  const std::size_t m = coupled_.rank(), n = m + 2;
  const Average average = at(q, v);
  if (m == 0) return std::fabs(average.generator[1]);
  double sum = 0.0;
  for (std::size_t i = 0; i <= m; ++i) {
    for (std::size_t j = 0; j <= m; ++j)
      sum += average.generator[i * n + j] * average.generator[i * n + j];
  }
  return std::sqrt(sum / 2.0);
}

std::vector<double> FloquetAverage::variables(std::span<const double> q,
                                              std::span<const double> v) {
  std::vector<double> u = coupled_.variables(q, v);
  u.push_back(1.0);
  return u;
}

}  // namespace dalembert
