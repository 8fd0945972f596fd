#include "dalembert/mechanics/difference/quadrature.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>

#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert {
namespace {

/// P_n(x) and P_n'(x) on [-1, 1] by the three-term recurrence.
struct Legendre {
  Constant value, slope, before;  // P_n, P_n', P_{n-1}
};

Legendre legendre(int n, Constant x) {
  Constant previous{0.0}, current{1.0}, slope_previous{0.0}, slope{0.0};
  for (int k = 0; k < n; ++k) {
    const Constant a{2.0 * k + 1.0}, b{double(k)}, c{k + 1.0};
    const Constant next = (a * x * current - b * previous) / c;
    const Constant slope_next = (a * (current + x * slope) - b * slope_previous) / c;
    previous = current;
    current = next;
    slope_previous = slope;
    slope = slope_next;
  }
  return {current, slope, previous};
}

/// The root of `function` between two points where its sign changes: bisection, then secant-free
/// Newton by `step`.
Constant root(const std::function<Constant(Constant)>& function, double low, double high,
              const std::function<Constant(Constant)>& slope) {
  const bool rises = function(Constant{low}).high < 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (((function(Constant{middle}).high < 0.0) == rises) ? low : high) = middle;
  }
  Constant x{0.5 * (low + high)};
  for (int i = 0; i < 3; ++i) x = x - function(x) / slope(x);
  return x;
}

/// All roots of a function with simple roots in (-1, 1), found by sampling finely (Chebyshev
/// spacing) for sign changes.
std::vector<Constant> roots(const std::function<Constant(Constant)>& function,
                            const std::function<Constant(Constant)>& slope, int count) {
  std::vector<Constant> found;
  const int samples = 40 * count + 41;
  double left = -1.0 + 1e-9, left_value = function(Constant{left}).high;
  for (int i = 1; i <= samples; ++i) {
    const double right =
        i == samples ? 1.0 - 1e-9 : -numeric::cos(3.14159265358979323846 * i / samples);
    const double right_value = function(Constant{right}).high;
    if ((left_value < 0.0) != (right_value < 0.0))
      found.push_back(root(function, left, right, slope));
    left = right;
    left_value = right_value;
  }
  if (static_cast<int>(found.size()) != count)
    throw std::logic_error("quadrature nodes were missed");
  return found;
}

Constant to_unit_interval(Constant x) { return Constant{0.5} * (Constant{1.0} + x); }

/// Interpolatory weights int_0^1 l_j, from the collocation coefficients at 1.
QuadratureRule rule_of(std::vector<Constant> nodes);

/// Coefficients of the Lagrange polynomial l_j in powers of x.
std::vector<Constant> lagrange_polynomial(const std::vector<Constant>& nodes, std::size_t j) {
  std::vector<Constant> polynomial{Constant{1.0}};
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (k == j) continue;
    const Constant gap = nodes[j] - nodes[k];
    std::vector<Constant> product(polynomial.size() + 1);
    for (std::size_t i = 0; i < polynomial.size(); ++i) {
      product[i + 1] = product[i + 1] + polynomial[i] / gap;
      product[i] = product[i] - polynomial[i] * nodes[k] / gap;
    }
    polynomial = product;
  }
  return polynomial;
}

Constant integral(const std::vector<Constant>& polynomial, Constant end) {
  Constant sum{0.0};
  for (std::size_t i = polynomial.size(); i-- > 0;)
    sum = sum * end + polynomial[i] / Constant{double(i + 1)};
  return sum * end;
}

QuadratureRule rule_of(std::vector<Constant> nodes) {
  QuadratureRule rule{std::move(nodes), {}};
  for (std::size_t j = 0; j < rule.nodes.size(); ++j) {
    rule.weights.push_back(integral(lagrange_polynomial(rule.nodes, j), Constant{1.0}));
  }
  return rule;
}

/// Weights from polynomials in powers lose digits with every point.
constexpr int most_points_of_powers = 10;

void require(bool condition, const char* message) {
  if (!condition) throw RequestError(message);
}

}  // namespace

QuadratureRule gauss_rule(int points) {
  require(points >= 1 && points <= most_quadrature_nodes, "a Gauss rule has 1 to 64 points");
  const std::vector<Constant> found =
      roots([points](Constant x) { return legendre(points, x).value; },
            [points](Constant x) { return legendre(points, x).slope; }, points);
  std::vector<Constant> nodes;
  for (const Constant& x : found) nodes.push_back(to_unit_interval(x));
  if (points <= most_points_of_powers) return rule_of(nodes);
  QuadratureRule rule{std::move(nodes), {}};
  for (const Constant& x : found) {
    const Constant slope = legendre(points, x).slope;
    rule.weights.push_back(Constant{1.0} / ((Constant{1.0} - x * x) * slope * slope));
  }
  return rule;
}

QuadratureRule lobatto_rule(int points) {
  require(points >= 2 && points <= 20, "a Lobatto rule has 2 to 20 points");
  const int n = points - 1;
  std::vector<Constant> nodes{Constant{0.0}};
  // The inner nodes are the roots of P_n'; P_n'' follows from Legendre's equation.
  const auto slope = [n](Constant x) {
    const Legendre p = legendre(n, x);
    return (Constant{2.0} * x * p.slope - Constant{double(n) * (n + 1.0)} * p.value) /
           (Constant{1.0} - x * x);
  };
  if (points > 2) {
    for (const Constant& x :
         roots([n](Constant x) { return legendre(n, x).slope; }, slope, points - 2)) {
      nodes.push_back(to_unit_interval(x));
    }
  }
  nodes.push_back(Constant{1.0});
  return rule_of(nodes);
}

QuadratureRule radau_rule(int points) {
  require(points >= 1 && points <= 20, "a Radau rule has 1 to 20 points");
  std::vector<Constant> nodes;
  // The inner nodes are the roots of (P_s - P_{s-1})/(x - 1), with the sign of x turned to have the
  // right end.
  const auto value = [points](Constant x) {
    const Legendre p = legendre(points, x);
    return (p.value - p.before) / (x - Constant{1.0});
  };
  const auto slope = [points, value](Constant x) {
    const Legendre p = legendre(points, x), q = legendre(points - 1, x);
    return (p.slope - q.slope - value(x)) / (x - Constant{1.0});
  };
  if (points > 1) {
    for (const Constant& x : roots(value, slope, points - 1)) nodes.push_back(to_unit_interval(x));
  }
  nodes.push_back(Constant{1.0});
  return rule_of(nodes);
}

Constant lagrange_value(const std::vector<Constant>& nodes, std::size_t j, const Constant& x) {
  Constant value{1.0};
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (k != j) value = value * (x - nodes[k]) / (nodes[j] - nodes[k]);
  }
  return value;
}

std::vector<Constant> integrated_lagrange(const std::vector<Constant>& nodes, const Constant& end) {
  std::vector<Constant> result;
  for (std::size_t j = 0; j < nodes.size(); ++j)
    result.push_back(integral(lagrange_polynomial(nodes, j), end));
  return result;
}

std::vector<std::vector<Constant>> collocation_coefficients(const std::vector<Constant>& nodes) {
  std::vector<std::vector<Constant>> a;
  for (const Constant& node : nodes) a.push_back(integrated_lagrange(nodes, node));
  return a;
}

}  // namespace dalembert
