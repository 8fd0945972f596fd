#include "householder.hpp"

#include <array>
#include <cmath>

#include "dalembert/audit/jacobian.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr std::size_t dof = 4, constraints = 2;              // of the rolling disk
using Columns = std::array<std::array<Extended, dof>, dof>;  // columns, of which A^T fills two

/// Q, or the derivative of Q along theta, as the algorithm leaves them.
struct Factors {
  Columns q, slope;
};

Extended dot_product(const std::array<Extended, dof>& x, const std::array<Extended, dof>& y) {
  Extended sum(0);
  for (std::size_t i = 0; i < dof; ++i) sum += x[i] * y[i];
  return sum;
}

/// w and dw of the k-th reflection, for the k-th columns of R and dR, with the sign +1.
std::array<std::array<Extended, dof>, 2> reflection(std::array<Extended, dof> w,
                                                    std::array<Extended, dof> dw, std::size_t k) {
  for (std::size_t j = 0; j < k; ++j) w[j] = dw[j] = Extended(0);
  const Extended norm = sqrt(dot_product(w, w)), rate = dot_product(w, dw) / norm;
  w[k] += norm;
  dw[k] += rate;
  const Extended length = sqrt(dot_product(w, w)), length_rate = dot_product(w, dw) / length;
  for (std::size_t j = 0; j < dof; ++j) {
    dw[j] = (dw[j] - w[j] / length * length_rate) / length;
    w[j] /= length;
  }
  return {w, dw};
}

/// Algorithm 1 for the rolling disk at theta; `sign` is that of the last term of the update of dQ.
Factors factorize(const Extended& theta, int sign) {
  Columns r{}, dr{};
  Factors found{};
  for (std::size_t i = 0; i < dof; ++i) found.q[i][i] = Extended(1);
  r[0][0] = r[1][1] = Extended(1);
  r[0][3] = -cos(theta);
  r[1][3] = -sin(theta);
  dr[0][3] = sin(theta);
  dr[1][3] = -cos(theta);
  for (std::size_t k = 0; k < constraints; ++k) {
    const auto [w, dw] = reflection(r[k], dr[k], k);
    for (std::size_t c = 0; c < constraints; ++c) {
      const Extended u = dot_product(w, r[c]), du = dot_product(dw, r[c]) + dot_product(w, dr[c]);
      for (std::size_t i = 0; i < dof; ++i) {
        dr[c][i] -= 2 * (dw[i] * u + w[i] * du);
        r[c][i] -= 2 * w[i] * u;
      }
    }
    for (std::size_t i = 0; i < dof; ++i) {  // row i of Q and dQ
      Extended along(0), along_rate(0), slope_along(0);
      for (std::size_t c = 0; c < dof; ++c) {
        along += found.q[c][i] * w[c];
        along_rate += found.q[c][i] * dw[c];
        slope_along += found.slope[c][i] * w[c];
      }
      for (std::size_t c = 0; c < dof; ++c) {
        found.slope[c][i] +=
            -2 * slope_along * w[c] + 2 * sign * (along_rate * w[c] + along * dw[c]);
        found.q[c][i] -= 2 * along * w[c];
      }
    }
  }
  return found;
}

std::vector<Extended> entries(const Columns& columns) {
  std::vector<Extended> all;
  for (const auto& column : columns) all.insert(all.end(), column.begin(), column.end());
  return all;
}

/// The largest difference of dQ from differences of Q.
double derivative_error(int sign) {
  const Extended theta = Extended(7) / 10;
  const auto q = [&](const std::vector<Extended>& x) { return entries(factorize(x[0], sign).q); };
  const auto differences = difference_jacobian<Extended>(q, {theta});
  std::vector<Extended> quotient;
  for (const auto& row : differences) quotient.push_back(row[0]);
  return largest_difference(entries(factorize(theta, sign).slope), quotient);
}

}  // namespace

std::vector<Evidence> householder_evidence() {
  constexpr double truncation = 1e-24;  // of the difference quotients of order 8
  return {{"error of dQ with the printed sign, rolling disk", derivative_error(1), 0.0, 0.0,
           truncation, EvidenceRole::published},
          {"error of dQ with the sign -, rolling disk", derivative_error(-1), 0.0, 0.0, truncation,
           EvidenceRole::qualified}};
}

}  // namespace dalembert::reproduce
