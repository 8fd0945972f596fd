#include "dalembert/method/velocity_dla.hpp"

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

/// A finite-difference map for one coordinate, with its derivatives.
class DifferenceMap {
 public:
  DifferenceMap(const VelocityDla& method, const Expr& h) {
    const GraphPointer& graph = h.graph();
    symbols_ = {make_symbol(graph, "q0"), make_symbol(graph, "q1")};
    const Scope scope{
        {{"q0", symbols_[0]}, {"q1", symbols_[1]}, {"h", h}, {"beta", Expr(method.beta)}}, {}, {}};
    // Written in the increment, so that nearby nodes lose no digits.
    const Expr increment = make_symbol(graph, "increment");
    const Vector base{parse(method.node, scope), parse(method.velocity, scope)};
    slopes_ = jacobian(base, symbols_);
    maps_ = substitute(base, {symbols_[1]}, {symbols_[0] + increment});
    increment_ = increment;
  }

  struct Value {
    Vector node, velocity;
    Vector node_slope[2], velocity_slope[2];  ///< with respect to the first and the second node
  };
  /// The map from `left` to `left + increment`, coordinate by coordinate.
  Value at(const Vector& left, const Vector& increment) const {
    Value value;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Vector images = substitute(maps_, {symbols_[0], increment_}, {left[i], increment[i]});
      value.node.push_back(images[0]);
      value.velocity.push_back(images[1]);
      const Matrix slopes = substitute(slopes_, symbols_, {left[i], left[i] + increment[i]});
      for (std::size_t k = 0; k < 2; ++k) {
        value.node_slope[k].push_back(slopes(0, k));
        value.velocity_slope[k].push_back(slopes(1, k));
      }
    }
    return value;
  }

 private:
  Vector symbols_, maps_;
  Matrix slopes_;
  Expr increment_;
};

Vector scaled(const Vector& factors, const Vector& x) {
  Vector result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) result[i] = factors[i] * x[i];
  return result;
}

/// D_side of the discrete Lagrangian h L(node, velocity), with the share of the external force.
Vector discrete_momentum(const System& s, const DifferenceMap::Value& map, std::size_t side,
                         const Expr& h) {
  const Vector external = s.force(map.node, map.velocity, s.symbols(h).t);
  const Vector force = s.lagrangian_gradient(map.node, map.velocity) + external;
  const Vector inertia = scaled(map.velocity_slope[side], s.momentum(map.node, map.velocity));
  return h * (scaled(map.node_slope[side], force) + inertia);
}

}  // namespace

MethodPage<VelocityDla> VelocityDla::page() {
  return {
      .name = "velocity-dla",
      .title = "velocity integrator of a finite-difference map",
      .use = {"you try a finite-difference map of your own, typed as an expression",
              "you have none: with the built-in map it is dla with alpha = beta"},
      .description =
          "The discrete Lagrange-d'Alembert principle for the discrete Lagrangian h L(node, "
          "velocity), with any map from pairs of positions to a node and a velocity.",
      .source = "JimenezScheurle2015, Sects. 5 and 6",
      .facts = &VelocityDla::facts,
      .requirements =
          Requirements{.lagrangian = LagrangianKind::general,
                       .constraints = ConstraintKind::affine,
                       .handles_force = true,
                       .reason =
                           "a finite-difference map says where between two nodes the mechanics is "
                           "evaluated, but not when"},
      .equations = &VelocityDla::equations,
      .options = {{"beta", &VelocityDla::beta, "parameter of the built-in map, available as beta",
                   0.0, 1.0},
                  {"nodes", &VelocityDla::nodes,
                   "redefined nodes keep the constraint, original ones a deformed constraint",
                   Words<Nodes>{{Nodes::redefined, "redefined"}, {Nodes::original, "original"}}},
                  {"node", &VelocityDla::node,
                   "position of the map, an expression of q0, q1, h, beta"},
                  {"velocity", &VelocityDla::velocity,
                   "velocity of the map, an expression of q0, q1, h, beta"}},
      .conflict = &VelocityDla::conflict};
}

Facts VelocityDla::facts() const {
  const bool built_in = node == VelocityDla{}.node && velocity == VelocityDla{}.velocity;
  const bool redefined = nodes == Nodes::redefined;
  const bool midpoint = built_in && redefined && beta == 0.5;
  Facts facts{.order = midpoint ? 2 : 1,
              .multiplier_order = 1,
              .symmetric = midpoint,
              .reversible = midpoint,
              .maps_constraint_set = redefined || (built_in && beta == 1.0),
              .keeps_fibration = true};
  // What is kept is a deformed constraint, from which a state on the constraint is a step away.
  if (!facts.maps_constraint_set) facts.local_order = 1;
  // The symplectic Euler methods.
  const bool one_sided = built_in && (beta == 0.0 || beta == 1.0);
  if (one_sided && redefined) facts.symplectic = LagrangianKind::constant_mass;
  return facts;
}

std::optional<std::string> VelocityDla::conflict() const {
  const Expr h = make_symbol(std::make_shared<Graph>(), "h");
  try {
    const Expr q = make_symbol(h.graph(), "q");
    const DifferenceMap::Value map = DifferenceMap(*this, h).at({q}, {Expr(0.0)});
    if (same(map.node[0], q) && map.velocity[0].is_constant(0.0)) return std::nullopt;
    return "needs a map that sends (q, q) to (q, 0)";
  } catch (const ParseError& error) {
    return std::string("cannot read its map: ") + error.what();
  }
}

Equations VelocityDla::equations(const System& s, const State& a, Unknowns& u,
                                 const Expr& h) const {
  const DifferenceMap map(*this, h);
  const Vector lambda = u.multiplier("lambda", a.lambda);
  const Vector back = u.vector("increment_before", h * a.v);
  const Vector next = u.vector("increment", h * a.v);
  const bool redefined = nodes == Nodes::redefined;
  // The node in the middle: part of the state, or found with the one before it from the state's
  // position.
  const Vector middle = redefined ? a.q + u.vector("offset", zeros(s.dof())) : a.q;
  const DifferenceMap::Value left = map.at(middle - back, back), right = map.at(middle, next);
  const Vector state =
      redefined ? concatenate({left.node - a.q, left.velocity - a.v}) : left.velocity - a.v;
  const Vector leaving = discrete_momentum(s, right, 0, h);
  const Vector balance = discrete_momentum(s, left, 1, h) + leaving;
  return {.zero = concatenate({state, balance + h * s.constraint_force(middle, lambda)}),
          .constraint = s.constraint(right.node, right.velocity),
          .after = {redefined ? right.node : a.q + next, right.velocity, lambda}};
}

}  // namespace dalembert
