#pragma once

#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/error.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// Coordinates xi = (q, v^a) of the constraint set D in which the velocities v^a are free and the
/// others, v^alpha = -A_alpha(q)^-1 (A_a(q) v^a + b(q)), follow: a chart of D wherever A_alpha is
/// regular. Source: [JimenezScheurle2015], Eq. (27), there with A_alpha the identity.
struct ConstraintChart {
  /// Chooses v^alpha by pivoting A at a point. Constraints linear or affine in the velocities and
  /// independent there, else RequestError.
  ConstraintChart(const System& system, std::span<const double> q,
                  std::span<const double> parameters = {});

  std::vector<std::size_t> free, dependent;  ///< indices of v^a and v^alpha
};

/// A one-step method as the flow of a perturbed equation.
///
/// A method of order p on D is, at its nodes, the flow over one period of z' = f(z) + h^p g(h, t/h,
/// z), where f are the eliminated equations in coordinates of D and g is smooth and has period one
/// in tau = t/h. With the exact flow F, the method's step Phi, and a cut-off chi(tau) that falls
/// from 1 at 0 to 0 at 1,
///
///   G(tau, y) = chi(tau) F(h tau, y) + (1 - chi(tau)) F(h tau - h, Phi(y)),   0 <= tau <= 1,
///
/// is a curve in D from y to Phi(y), and g(tau, G(tau, y)) = (dG/dtau/h - f(G))/h^p. As h -> 0, g
/// stays bounded for p = the order, and doubles with each halving of h for p = the order + 1.
/// Source: [JimenezScheurle2015], Proposition 4.1, Corollary 4.1 and Eqs. (39) to (43); chi of
/// Sect. 3.2.
///
/// Accuracy: F to round-off (ExactFlow); g divides differences by h^(p+1), so its round-off is
/// about (machine epsilon)/h^(p+1): use long double or more for high orders and small steps.
template <class Number>
class Embedding {
 public:
  using Values = std::vector<Number>;
  /// A point of the curve and the perturbation there, in coordinates of D.
  struct Perturbation {
    Values z, g;  ///< [dimension()]
  };

  /// `q` is the point at which the chart of D is chosen; `order` is p. RequestError if the method
  /// does not fit the system, is no map of D (it leaves D, or carries a multiplier), or the
  /// constraints are nonlinear.
  Embedding(const System& system, const Method& method, int order, std::span<const double> q,
            std::span<const double> parameters = {})
      : order_(order),
        dof_(system.dof()),
        chart_(system, q, parameters),
        map_(system, checked(method), parameters),
        flow_(system, parameters),
        dependent_(dependent_velocities(system, chart_, parameters)),
        slope_(2 * dof_) {
    if (map_.program().carried_count() > 0)
      throw RequestError("method \"" + method.name() +
                         "\" carries more than q and v, so it is no map of D");
  }

  /// Sets the step size h of Phi; 1 until then.
  void set_step(const Number& h) { h_ = h; }
  /// Dimension of D: positions and free velocities.
  std::size_t dimension() const { return dof_ + chart_.free.size(); }
  const ConstraintChart& chart() const { return chart_; }  ///< of D

  /// Coordinates of D of a state, [dimension()].
  Values coordinates(std::span<const Number> q, std::span<const Number> v) const {
    Values xi(q.begin(), q.end());
    for (const std::size_t a : chart_.free) xi.push_back(v[a]);
    return xi;
  }
  /// State (q, v) with these coordinates of D.
  std::pair<Values, Values> state(std::span<const Number> xi) {
    Values q(xi.begin(), xi.begin() + static_cast<std::ptrdiff_t>(dof_)), v(dof_);
    for (std::size_t a = 0; a < chart_.free.size(); ++a) v[chart_.free[a]] = xi[dof_ + a];
    const std::span<const Number> others = dependent_(Number(0.0), q, v);
    for (std::size_t i = 0; i < others.size(); ++i) v[chart_.dependent[i]] = others[i];
    return {std::move(q), std::move(v)};
  }

  /// Phi(y); empty if the method refused the step.
  Values step(const Values& y) {
    const auto [q, v] = state(y);
    const std::vector<double> room(dof_, 0.0);
    BasicPoint<Number> point = map_.start(room, room);
    point.q = q;
    point.v = v;
    if (!map_.apply(point, h_)) return {};
    return coordinates(point.q, point.v);
  }
  /// F(t, y); empty where the solution does not exist.
  Values flow(const Number& t, const Values& y) {
    auto [q, v] = state(y);
    Number time(0.0);
    if (!flow_.advance(time, q, v, t)) return {};
    return coordinates(q, v);
  }
  /// f(z).
  Values slope(const Values& z) {
    const auto [q, v] = state(z);
    flow_.slope(Number(0.0), q, v, slope_);
    Values f(slope_.begin(), slope_.begin() + static_cast<std::ptrdiff_t>(dof_));
    for (const std::size_t a : chart_.free) f.push_back(slope_[dof_ + a]);
    return f;
  }

  /// z = G(tau, y) and g(tau, z), for tau >= 0; empty where a step or the flow fails.
  std::optional<Perturbation> along(Number tau, Values y) {
    for (; tau >= Number(1.0); tau = tau - Number(1.0)) {
      y = step(y);
      if (y.empty()) return std::nullopt;
    }
    const Values after = step(y);
    if (after.empty()) return std::nullopt;
    const Values a = flow(h_ * tau, y), b = flow(h_ * (tau - Number(1.0)), after);
    if (a.empty() || b.empty()) return std::nullopt;
    const Number chi = cut_off(tau), chi_slope = cut_off_slope(tau);
    const Values slope_a = slope(a), slope_b = slope(b);
    Perturbation result{Values(dimension()), Values(dimension())};
    for (std::size_t i = 0; i < dimension(); ++i)
      result.z[i] = chi * a[i] + (Number(1.0) - chi) * b[i];
    const Values at_z = slope(result.z);
    Number power(1.0);
    for (int k = 0; k < order_; ++k) power = power * h_;
    for (std::size_t i = 0; i < dimension(); ++i) {
      const Number mixed = slope_b[i] + chi * (slope_a[i] - slope_b[i]) - at_z[i];
      result.g[i] = (mixed + chi_slope * (a[i] - b[i]) / h_) / power;
    }
    return result;
  }

  /// g(tau, z) at a given point: solves z = G(tau, y) for y by y <- F(-h tau, F(h tau, y) + z - G),
  /// whose error falls by O(h^p) per pass.
  std::optional<Perturbation> at(const Number& tau, const Values& z) {
    Values y = flow(-h_ * tau, z);
    for (int pass = 0; pass < 40 && !y.empty(); ++pass) {
      const auto now = along(tau, y);
      if (!now) return std::nullopt;
      Values corrected = flow(h_ * tau, y);
      if (corrected.empty()) return std::nullopt;
      for (std::size_t i = 0; i < dimension(); ++i)
        corrected[i] = corrected[i] + (z[i] - now->z[i]);
      Values next = flow(-h_ * tau, corrected);
      const bool done = next.empty() || largest_difference(next, y) <=
                                            8.0 * static_cast<double>(numeric::round_off<Number>());
      y = std::move(next);
      if (done) break;
    }
    return y.empty() ? std::nullopt : along(tau, y);
  }

  /// The largest |g_i(tau, G(tau, y))| over `points` midpoints of a period; nan where it is not
  /// defined.
  double largest(const Values& y, int points = 32) {
    double most = 0.0;
    for (int k = 0; k < points; ++k) {
      const auto here = along(Number((k + 0.5) / points), y);
      if (!here) return std::numeric_limits<double>::quiet_NaN();
      most = numeric::larger(most, largest_difference(here->g, Values(dimension(), Number(0.0))));
    }
    return most;
  }

  /// chi(tau) = (1 + tanh(cot(pi tau)))/2.
  static Number cut_off(const Number& tau) {
    using std::tanh;
    if (tau <= Number(0.0)) return Number(1.0);
    if (tau >= Number(1.0)) return Number(0.0);
    return (Number(1.0) + tanh(cotangent(tau))) / Number(2.0);
  }
  /// d chi/d tau.
  static Number cut_off_slope(const Number& tau) {
    using std::cosh, std::sin, std::fabs;
    if (tau <= Number(0.0) || tau >= Number(1.0)) return Number(0.0);
    const Number angle = cotangent(tau);
    if (fabs(angle) > Number(200.0)) return Number(0.0);  // exp(-400) is below round-off of all
    const Number product = cosh(angle) * sin(half_turn() * tau);
    return -half_turn() / (Number(2.0) * product * product);
  }

 private:
  static Number half_turn() {
    using std::atan;
    return Number(4.0) * atan(Number(1.0));
  }
  static Number cotangent(const Number& tau) {
    using std::cos, std::sin;
    return cos(half_turn() * tau) / sin(half_turn() * tau);
  }
  static const Method& checked(const Method& method) {
    const Facts facts = method.facts();
    if (!facts.maps_constraint_set || facts.carries_multiplier)
      throw RequestError(
          "method \"" + method.name() + "\" " +
          (facts.carries_multiplier ? "carries a multiplier" : "leaves the constraint set") +
          ", so it is no map of D");
    return method;
  }
  static StateFunction<Number> dependent_velocities(const System& system,
                                                    const ConstraintChart& chart,
                                                    std::span<const double> parameters);

  int order_;
  std::size_t dof_;
  Number h_ = Number(1.0);
  ConstraintChart chart_;
  StepMap<Number> map_;
  ExactFlow<Number> flow_;
  StateFunction<Number> dependent_;  ///< of q and the free velocities; the others count for nothing
  Values slope_;
};

/// v^alpha as expressions in q and v^a.
Vector dependent_velocities(const System& system, const Symbols& s, const ConstraintChart& chart);

template <class Number>
StateFunction<Number> Embedding<Number>::dependent_velocities(const System& system,
                                                              const ConstraintChart& chart,
                                                              std::span<const double> parameters) {
  const Symbols s = system.symbols();
  return {system, s, dalembert::dependent_velocities(system, s, chart), parameters};
}

/// A curve in D between two points of D: in coordinates of the chart, chi(s) x_1 + (1 - chi(s)) x_2
/// for 0 <= s <= 1, smooth with all its derivatives zero at both ends, so that curves from node to
/// node of a discrete flow join smoothly. Source: [JimenezScheurle2015], Proposition 3.1, Eq. (32).
template <class Number>
std::vector<Number> interpolate(const std::vector<Number>& x1, const std::vector<Number>& x2,
                                const Number& s) {
  std::vector<Number> x = x2;
  const Number chi = Embedding<Number>::cut_off(s);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = chi * x1[i] + (Number(1.0) - chi) * x2[i];
  return x;
}

}  // namespace dalembert
