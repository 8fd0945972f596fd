#include "dalembert/mechanics/difference/discrete_gradient.hpp"

#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"

namespace dalembert {
namespace {

constexpr int points_for_any_function = 12;
constexpr int highest_exact_degree = 20;

/// The segment in centred form: x(s) = middle + s * difference, s in [-1/2, 1/2].
struct Segment {
  Vector variables, middle, difference;

  Expr at(const Expr& function, const Expr& s) const {
    return substitute(function, variables, middle + s * difference);
  }
  /// The change of an affine expression from one end to the other.
  Expr change(const Expr& affine) const { return dot(gradient(affine, variables), difference); }
};

/// What a rule of quadrature integrates is smooth along the segment.
void require_smooth(const Expr& function, const Segment& segment) {
  const GraphPointer& graph = function.graph();
  for (const NodeId id : reachable(*graph, {function.id()})) {
    const Node node = graph->node(id);
    if (!has_condition(node.operation) && node.operation != Operation::floor &&
        node.operation != Operation::table)
      continue;
    if (depends_on(Expr(graph, node.a), segment.variables))
      throw RequestError(
          "the difference of a function along a step is not known for pieces that change with the "
          "state: where min, max, floor, tables or the conditions of piecewise in the energy "
          "depend on coordinates or velocities, take a method without discrete gradients");
  }
}

Expr quadrature(const Expr& function, const Segment& segment, int points) {
  if (points <= 1) return segment.at(function, 0.0);
  require_smooth(function, segment);
  const QuadratureRule rule = gauss_rule(points);
  Expr sum = 0.0;
  for (int i = 0; i < points; ++i) {
    const auto k = static_cast<std::size_t>(i);
    sum += Expr(rule.weights[k]) * segment.at(function, Expr(rule.nodes[k] - Constant{0.5}));
  }
  return sum;
}

bool has_affine_argument(const Expr& function, const Segment& segment) {
  return polynomial_degree(function.first(), segment.variables) <= 1;
}

Expr mean(const Expr& function, const Segment& segment);

/// Factors that are constant along the segment are taken out.
Expr mean_of_product(const Expr& function, const Segment& segment) {
  const Expr a = function.first(), b = function.second();
  if (!depends_on(a, segment.variables)) return a * mean(b, segment);
  if (!depends_on(b, segment.variables)) return b * mean(a, segment);
  return quadrature(function, segment, points_for_any_function);
}

Expr mean(const Expr& function, const Segment& segment) {
  if (!depends_on(function, segment.variables)) return function;
  const int degree = polynomial_degree(function, segment.variables);
  if (degree <= highest_exact_degree && terms_of(function).size() == 1) {
    return quadrature(function, segment, (degree + 2) / 2);
  }
  switch (function.operation()) {
    // What is combined is found in statements of its own, here and below: in one order with every
    // compiler.
    case Operation::add: {
      const Expr second = mean(function.second(), segment);
      return mean(function.first(), segment) + second;
    }
    case Operation::subtract: {
      const Expr second = mean(function.second(), segment);
      return mean(function.first(), segment) - second;
    }
    case Operation::where_nonnegative:
    case Operation::where_negative:
      if (!depends_on(function.first(), segment.variables)) {
        const Expr chosen = mean(function.second(), segment);
        return rebuild(function.graph()->node(function.id()), function.first(), chosen);
      }
      break;
    case Operation::negate:
      return -mean(function.first(), segment);
    case Operation::multiply:
      return mean_of_product(function, segment);
    case Operation::divide:
      if (!depends_on(function.second(), segment.variables))
        return mean(function.first(), segment) / function.second();
      break;
    case Operation::function: {
      // For printing: the mean along the segment through this midpoint.
      const Expr middle = segment.at(function, 0.0);
      return opaque_function("mean_" + function.graph()->name(function.id()), middle.first());
    }
    case Operation::sin:
    case Operation::cos:
      if (has_affine_argument(function, segment)) {
        const Expr damping = sinc(0.5 * segment.change(function.first()));
        return segment.at(function, 0.0) * damping;
      }
      break;
    case Operation::exp:
    case Operation::sinh:
    case Operation::cosh:
      if (has_affine_argument(function, segment)) {
        const Expr growth = sinhc(0.5 * segment.change(function.first()));
        return segment.at(function, 0.0) * growth;
      }
      break;
    default:
      break;
  }
  return quadrature(function, segment, points_for_any_function);
}

Segment segment_between(const Vector& variables, const Vector& from, const Vector& to) {
  const Vector difference = to - from;
  return {variables, from + 0.5 * difference, difference};
}

/// Gonzalez' correction, with H(to) - H(from) - dH(middle).d written through the mean gradient,
/// which has no cancellation.
Vector gonzalez(const Vector& middle, const Segment& segment, const Vector& mean_slope) {
  const Vector& d = segment.difference;
  const Expr missing = dot(mean_slope - middle, d);
  if (missing.is_constant(0.0)) return middle;
  // The least positive number keeps 0/0 away where the ends meet; elsewhere it changes nothing.
  const Expr length = dot(d, d) + 1e-300;
  return middle + (missing / length) * d;
}

Vector coordinate_increments(const Vector& slope, const Vector& variables, const Vector& from,
                             const Vector& to, bool backwards) {
  const std::size_t n = variables.size();
  Vector start = from, result(n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = backwards ? n - 1 - k : k;
    Vector end = start;
    end[i] = to[i];
    Segment segment = segment_between(variables, start, end);
    result[i] = mean(slope[i], segment);
    start = end;
  }
  return result;
}

}  // namespace

Vector segment_mean(const Vector& functions, const Vector& variables, const Vector& from,
                    const Vector& to) {
  const GraphPointer graph = common_graph({functions, variables, from, to});
  const Segment segment = segment_between(variables, in_graph(from, graph), in_graph(to, graph));
  Vector result;
  for (const Expr& function : functions) result.push_back(mean(in_graph(function, graph), segment));
  return result;
}

GradientKind gradient_kind(const std::string& name) {
  if (name == "gonzalez") return GradientKind::gonzalez;
  if (name == "mean-value") return GradientKind::mean_value;
  if (name == "coordinate-increment") return GradientKind::coordinate_increment;
  if (name == "symmetric-increment") return GradientKind::symmetric_increment;
  throw RequestError("there is no discrete gradient \"" + name + "\"");
}

Vector gonzalez_gradient(const Expr& function, const Vector& variables, const Vector& from,
                         const Vector& to, const Vector& middle_slope) {
  const Vector mean_slope = segment_mean(gradient(function, variables), variables, from, to);
  return gonzalez(middle_slope, segment_between(variables, from, to), mean_slope);
}

Vector discrete_gradient(GradientKind kind, const Expr& function, const Vector& variables,
                         const Vector& from, const Vector& to) {
  require_size("discrete_gradient: the first point", from.size(), variables.size());
  require_size("discrete_gradient: the second point", to.size(), variables.size());
  // One graph for all terms, wherever the parts come from.
  const GraphPointer graph = common_graph({{&function, 1}, variables, from, to});
  const Vector slope = gradient(in_graph(function, graph), variables);
  switch (kind) {
    case GradientKind::bilinear:
      throw RequestError(
          "the bilinear discrete gradient is one of steps of reduced-gradient alone");
    case GradientKind::mean_value:
      return segment_mean(slope, variables, from, to);
    case GradientKind::gonzalez: {
      const Vector mean_slope = segment_mean(slope, variables, from, to);
      const Segment segment = segment_between(variables, from, to);
      return gonzalez(substitute(slope, variables, segment.middle), segment, mean_slope);
    }
    case GradientKind::coordinate_increment:
      return coordinate_increments(slope, variables, from, to, false);
    default: {
      const Vector back = coordinate_increments(slope, variables, from, to, true);
      return 0.5 * (coordinate_increments(slope, variables, from, to, false) + back);
    }
  }
}

}  // namespace dalembert
