#include "dalembert/method/stage/tableau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/text/split.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"

namespace dalembert {
namespace {

/// Coefficients have some 100 bits; conditions that fail do so by more than this.
bool vanishes(const Constant& defect) { return std::fabs(defect.high) < 1e-24; }

Constant whole(int number) { return Constant{static_cast<double>(number)}; }

/// The powers c_j^exponent.
std::vector<Constant> powers(const std::vector<Constant>& c, int exponent) {
  std::vector<Constant> result(c.size(), Constant{1.0});
  for (int k = 0; k < exponent; ++k)
    for (std::size_t j = 0; j < c.size(); ++j) result[j] = result[j] * c[j];
  return result;
}

Constant sum_of_products(const std::vector<Constant>& x, const std::vector<Constant>& y) {
  Constant sum{0.0};
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

std::vector<Constant> applied(const Tableau::Coefficients& a, const std::vector<Constant>& x) {
  std::vector<Constant> result;
  for (const std::vector<Constant>& row : a) result.push_back(sum_of_products(row, x));
  return result;
}

/// The largest number up to `most` for which conditions 1, 2, ... hold without a gap.
template <class Condition>
int largest_order(int first, int most, Condition holds) {
  int order = first - 1;
  while (order < most && holds(order + 1)) ++order;
  return order;
}

/// The solution of (a_ij) x = (a_i1), i, j > 1; empty where the matrix is singular.
std::vector<Constant> inner_solution(const Tableau::Coefficients& a) {
  const std::size_t n = a.size() - 1;
  std::vector<std::vector<Constant>> rows;
  for (std::size_t i = 1; i <= n; ++i) {
    rows.emplace_back(a[i].begin() + 1, a[i].end());
    rows.back().push_back(a[i][0]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(),
        [&](const auto& x, const auto& y) { return std::fabs(x[k].high) < std::fabs(y[k].high); });
    if (vanishes((*pivot)[k])) return {};
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(k), pivot);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Constant factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j <= n; ++j) rows[i][j] = rows[i][j] - factor * rows[k][j];
    }
  }
  std::vector<Constant> x;
  for (std::size_t k = 0; k < n; ++k) x.push_back(rows[k][n] / rows[k][k]);
  return x;
}

bool is_symmetric(const Tableau::Coefficients& a, const std::vector<Constant>& b) {
  const std::size_t s = b.size();
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) {
      if (!vanishes(a[s - 1 - i][s - 1 - j] + a[i][j] - b[j])) return false;
    }
  }
  return true;
}

}  // namespace

Tableau collocation_tableau(const std::vector<Constant>& nodes) {
  if (nodes.size() < 2) throw RequestError("needs at least two nodes, as in \"0, 1/2, 1\"");
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (!((nodes[i] - nodes[i - 1]).high > 0.0))
      throw RequestError("has nodes that do not ascend; write them from 0 to 1");
  }
  return {collocation_coefficients(nodes), integrated_lagrange(nodes, Constant{1.0}), nodes};
}

Tableau gauss_tableau(int stages) {
  const QuadratureRule rule = gauss_rule(stages);
  return {collocation_coefficients(rule.nodes), rule.weights, rule.nodes};
}

Tableau radau_iia_tableau(int stages) {
  const QuadratureRule rule = radau_rule(stages);
  return {collocation_coefficients(rule.nodes), rule.weights, rule.nodes};
}

Tableau::Coefficients conjugate_tableau(const Tableau::Coefficients& a,
                                        const std::vector<Constant>& b) {
  Tableau::Coefficients result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (vanishes(b[i])) {
      throw RequestError("has no conjugate: the weight b_" + std::to_string(i + 1) +
                         " is zero; choose second = same, or other nodes");
    }
    for (std::size_t j = 0; j < b.size(); ++j) result[i][j] = b[j] - b[j] * a[j][i] / b[i];
  }
  return result;
}

std::vector<Constant> tableau_numbers(const std::string& text) {
  std::vector<Constant> numbers;
  for (const std::string& part : split(text, ',')) {
    if (part.find('.') != std::string::npos)
      throw RequestError("has the decimal number \"" + part +
                         "\" in its coefficients; write it exactly, as 3/5 or sqrt(5)/5");
    try {
      const Expr value = parse(part, {});
      if (!value.is_constant() || !std::isfinite(value.constant().high))
        throw RequestError("has \"" + part + "\" in its coefficients, which is no number");
      numbers.push_back(value.constant());
    } catch (const ParseError& error) {
      throw RequestError("cannot read its coefficients: " + std::string(error.what()));
    }
  }
  return numbers;
}

Tableau tableau_of_rows(const std::string& text) {
  Tableau tableau;
  for (const std::string& row : split(text, ';')) tableau.a.push_back(tableau_numbers(row));
  const std::size_t s = tableau.a.size();
  for (std::size_t i = 0; i < s; ++i) {
    if (tableau.a[i].size() != s) {
      throw RequestError("has " + std::to_string(tableau.a[i].size()) + " numbers in row " +
                         std::to_string(i + 1) + " of its tableau, which has " + std::to_string(s) +
                         " rows; a row has as many numbers as there are rows, as in \"0, 0; 1/2, "
                         "1/2\"");
    }
    Constant sum{0.0};
    for (const Constant& entry : tableau.a[i]) sum = sum + entry;
    tableau.c.push_back(sum);
  }
  tableau.b = tableau.a.back();
  return tableau;
}

TableauProperties tableau_properties(const Tableau& tableau, const Tableau::Coefficients& second) {
  const Tableau::Coefficients& a = tableau.a;
  const std::vector<Constant>&b = tableau.b, &c = tableau.c;
  const std::size_t s = tableau.stages();
  const int most = 2 * static_cast<int>(s) + 1;
  TableauProperties found;
  found.quadrature = largest_order(1, most, [&](int k) {
    return vanishes(sum_of_products(b, powers(c, k - 1)) - Constant{1.0} / whole(k));
  });
  found.stage = largest_order(1, most, [&](int k) {
    const std::vector<Constant> sums = applied(a, powers(c, k - 1)), exact = powers(c, k);
    for (std::size_t i = 0; i < s; ++i)
      if (!vanishes(sums[i] - exact[i] / whole(k))) return false;
    return true;
  });
  found.adjoint = largest_order(1, most, [&](int k) {
    const std::vector<Constant> before = powers(c, k - 1), exact = powers(c, k);
    for (std::size_t j = 0; j < s; ++j) {
      Constant sum{0.0};
      for (std::size_t i = 0; i < s; ++i) sum = sum + b[i] * before[i] * a[i][j];
      if (!vanishes(sum - b[j] * (Constant{1.0} - exact[j]) / whole(k))) return false;
    }
    return true;
  });
  found.paired = largest_order(2, most, [&](int k) {
    const std::vector<Constant> sums = applied(a, applied(second, powers(c, k - 2)));
    const std::vector<Constant> exact = powers(c, k);
    for (std::size_t i = 0; i < s; ++i)
      if (!vanishes(sums[i] - exact[i] / whole(k * (k - 1)))) return false;
    return true;
  });
  found.starts_at_node = std::ranges::all_of(a.front(), vanishes);
  found.ends_at_node = true;
  for (std::size_t j = 0; j < s; ++j)
    found.ends_at_node = found.ends_at_node && vanishes(a.back()[j] - b[j]);
  const std::vector<Constant> inner = s > 1 ? inner_solution(a) : std::vector<Constant>{};
  found.is_regular = !inner.empty();
  const bool has_limit = found.starts_at_node && found.is_regular && found.ends_at_node;
  found.at_infinity = has_limit ? (-inner.back()).high : std::numeric_limits<double>::quiet_NaN();
  found.is_symmetric = is_symmetric(a, b) && is_symmetric(second, b);
  return found;
}

TableauOrders predicted_orders(const TableauProperties& properties, bool is_conjugate) {
  const int p = properties.quadrature, q = properties.stage, r = properties.adjoint;
  TableauOrders orders;
  orders.states = is_conjugate ? std::min<int>(p, 2 * r + 2) : std::min<int>({p, 2 * q, q + r + 1});
  int local = is_conjugate ? r + 1 : q;
  const bool adds_up = std::fabs(properties.at_infinity - 1.0) < 1e-12;
  const bool is_odd = local % 2 != 0;
  if (properties.is_symmetric && is_odd != adds_up) ++local;
  orders.multiplier = adds_up ? local - 1 : local;
  return orders;
}

TableauOrders least_orders(const TableauProperties& properties, int second_stage) {
  const int stage = std::min<int>(properties.stage, second_stage);
  const bool adds_up = std::fabs(properties.at_infinity - 1.0) < 1e-12;
  return {std::min<int>(properties.quadrature, stage + 1), adds_up ? stage - 1 : stage};
}

std::string tableau_text(const Tableau& tableau, const TableauProperties& properties) {
  const auto order = [](const std::string& name, int value) {
    return name + "(" + std::to_string(value) + ")";
  };
  std::string text = std::to_string(tableau.stages()) +
                     " stages: " + order("B", properties.quadrature) + ", " +
                     order("C", properties.stage) + ", " + order("D", properties.adjoint) + ", " +
                     order("CC2", properties.paired);
  std::string conditions;
  const auto add = [&](bool holds, const char* name) {
    if (holds) conditions += (conditions.empty() ? "; " : ", ") + std::string(name);
  };
  add(properties.starts_at_node, "H1");
  add(properties.is_regular, "H2");
  add(properties.ends_at_node, "H3");
  text += conditions;
  if (std::isfinite(properties.at_infinity)) {
    // A whole number is one, though coefficients are rounded.
    const double nearest = std::round(properties.at_infinity);
    const bool is_whole = std::fabs(properties.at_infinity - nearest) < 1e-14;
    text += "; R(inf) = " + to_string(is_whole ? nearest : properties.at_infinity);
  }
  return text + (properties.is_symmetric ? "; symmetric" : "; not symmetric");
}

}  // namespace dalembert
