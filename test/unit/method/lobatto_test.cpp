#include "dalembert/method/lobatto.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/numeric/extremes.hpp"

using namespace dalembert;

namespace {

Constant node_power(const Constant& x, int exponent) {
  Constant result{1.0};
  for (int k = 0; k < exponent; ++k) result = result * x;
  return result;
}

/// The largest deviation of sums over stages from their values.
class Deviation {
 public:
  void expect(const Constant& value, const Constant& expected) {
    const double error = std::fabs((value - expected).high);
    largest_ = numeric::larger(largest_, error);
  }
  double largest() const { return largest_; }

 private:
  double largest_ = 0.0;
};

/// sum_j weights_j c_j^exponent.
Constant moment(const std::vector<Constant>& weights, const std::vector<Constant>& c,
                int exponent) {
  Constant sum{0.0};
  for (std::size_t j = 0; j < weights.size(); ++j)
    sum = sum + weights[j] * node_power(c[j], exponent);
  return sum;
}

/// C(order): exact integrals of powers below `order` up to every node.
void collocates(const LobattoTableaux& t, const LobattoTableaux::Coefficients& a, int order,
                Deviation& deviation) {
  for (int k = 1; k <= order; ++k) {
    for (std::size_t i = 0; i < t.c.size(); ++i)
      deviation.expect(moment(a[i], t.c, k - 1), node_power(t.c[i], k) / Constant{double(k)});
  }
}

/// D(order): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k, k <= order.
void adjoint_collocates(const LobattoTableaux& t, const LobattoTableaux::Coefficients& a, int order,
                        Deviation& deviation) {
  for (int k = 1; k <= order; ++k) {
    for (std::size_t j = 0; j < t.c.size(); ++j) {
      Constant sum{0.0};
      for (std::size_t i = 0; i < t.c.size(); ++i)
        sum = sum + t.b[i] * node_power(t.c[i], k - 1) * a[i][j];
      deviation.expect(sum, t.b[j] * (Constant{1.0} - node_power(t.c[j], k)) / Constant{double(k)});
    }
  }
}

/// The determinant of a matrix, in doubles.
double determinant(std::vector<std::vector<double>> a) {
  double product = 1.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < a.size(); ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    }
    if (pivot != k) product = -product;
    std::swap(a[pivot], a[k]);
    product *= a[k][k];
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < a.size(); ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return product;
}

/// R(z) = det(1 - z A + z 1 b^T)/det(1 - z A) of IIIA.
double stability(const LobattoTableaux& t, double z) {
  std::vector<std::vector<double>> above, below;
  for (std::size_t i = 0; i < t.c.size(); ++i) {
    above.emplace_back();
    below.emplace_back();
    for (std::size_t j = 0; j < t.c.size(); ++j) {
      const double one = i == j ? 1.0 : 0.0, a = t.a[i][j].high;
      below[i].push_back(one - z * a);
      above[i].push_back(one - z * a + z * t.b[j].high);
    }
  }
  return determinant(above) / determinant(below);
}

// 106 bits, less what the Lagrange polynomials in powers cost.
constexpr double tableau_round_off = 1e-27;

}  // namespace

TEST_CASE("The Lobatto tableaux satisfy their simplifying assumptions") {
  for (int s = 2; s <= 8; ++s) {
    CAPTURE(s);
    const LobattoTableaux t = lobatto_tableaux(s);
    const auto last = static_cast<std::size_t>(s) - 1;
    Deviation deviation;
    for (int k = 1; k <= 2 * s - 2; ++k)  // B(2s - 2)
      deviation.expect(moment(t.b, t.c, k - 1), Constant{1.0} / Constant{double(k)});
    collocates(t, t.a, s, deviation);
    adjoint_collocates(t, t.a, s - 2, deviation);
    collocates(t, t.a_hat, s - 2, deviation);
    adjoint_collocates(t, t.a_hat, s, deviation);
    // IIID: the mean of IIIC and its conjugate, C(s - 1) and D(s - 1).
    collocates(t, t.d, s - 1, deviation);
    adjoint_collocates(t, t.d, s - 1, deviation);
    for (const auto* iiic : {&t.c3, &t.c3_star}) {
      collocates(t, *iiic, s - 1, deviation);
      adjoint_collocates(t, *iiic, s - 1, deviation);
    }
    for (std::size_t i = 0; i <= last; ++i) {
      deviation.expect(t.c3[last][i], t.b[i]);
      deviation.expect(t.c3[i][0], t.b[0]);
      deviation.expect(t.c3_star[0][i], Constant{0.0});
      deviation.expect(t.c3_star[i][last], Constant{0.0});
      deviation.expect(t.a[0][i], Constant{0.0});
      deviation.expect(t.a[last][i], t.b[i]);
      deviation.expect(t.a_hat[i][0], t.b[0]);
      deviation.expect(t.a_hat[i][last], Constant{0.0});
    }
    // sum_jl a_ij ahat_jl c_l^(k-2) = c_i^k/(k (k-1)), k = 2..s: forces to positions.
    for (int k = 2; k <= s; ++k) {
      for (std::size_t i = 0; i <= last; ++i) {
        Constant sum{0.0};
        for (std::size_t j = 0; j <= last; ++j)
          sum = sum + t.a[i][j] * moment(t.a_hat[j], t.c, k - 2);
        deviation.expect(sum, node_power(t.c[i], k) / Constant{double(k * (k - 1))});
      }
    }
    CHECK(deviation.largest() < tableau_round_off);
  }
}

TEST_CASE("The inner coefficients of IIIA are regular, and R(infinity) = (-1)^(s-1)") {
  for (int s = 2; s <= 5; ++s) {
    CAPTURE(s);
    const LobattoTableaux t = lobatto_tableaux(s);
    std::vector<std::vector<double>> inner;
    for (std::size_t i = 1; i < t.c.size(); ++i) {
      inner.emplace_back();
      for (std::size_t j = 1; j < t.c.size(); ++j) inner.back().push_back(t.a[i][j].high);
    }
    CHECK(std::fabs(determinant(inner)) > 1e-4);  // 1/2, 1/24, 1/600, 1/25200 or so
    const double z = 1e6;                         // the next term is of order 1/z
    CHECK(stability(t, z) == doctest::Approx(s % 2 == 0 ? -1.0 : 1.0).epsilon(1e-4));
  }
}

TEST_CASE("Dense output interpolates at the ends, at the stages and at one more node") {
  const Method method(Lobatto{.stages = 4, .dense_output = true});
  CHECK(method.interpolation_nodes().size() == 5);
  CHECK(method.interpolation_nodes().front().high == 0.0);
  CHECK(method.interpolation_nodes().back().high == 1.0);
  CHECK(Method(Lobatto{}).interpolation_nodes().empty());
}
