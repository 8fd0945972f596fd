#include "dalembert/mechanics/group/configuration.hpp"

#include "dalembert/error.hpp"
#include "unit/mechanics/group/support.hpp"

using namespace dalembert;
using namespace group_test;

namespace {

Configuration ball_on_table() {
  return Configuration({{"R", Group::rotations()}, {"x", Group::line()}, {"y", Group::line()}});
}

bool same_entries(const Vector& x, const Vector& y) {
  if (x.size() != y.size()) return false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!same(x[i], y[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("A configuration space puts its factors one after the other") {
  const Configuration ball = ball_on_table();
  CHECK(ball.storage_count() == 6);
  CHECK(ball.dof() == 5);
  CHECK(ball.variable_count() == 11);
  CHECK_FALSE(ball.is_flat());
  CHECK(ball.text() == "SO(3) x R^2");
  CHECK(ball.storage()[4].name == "x");
  CHECK(ball.variable_names()[8] == "R[3,3]");
  CHECK(ball.velocity_names()[2] == "R_dot[3]");
  CHECK(ball.velocity_names()[3] == "x_dot");
  CHECK(ball.factors()[2].storage == 5);
  CHECK(ball.factors()[2].velocity == 4);
  const Configuration car({{"B", Group::plane_motions()},
                           {"a", Group::angle()},
                           {"b", Group::angle()},
                           {"z", Group::line()}});
  CHECK(car.text() == "SE(2) x S^1 x S^1 x R");
  CHECK(car.storage()[0].is_angle);
  CHECK(Configuration::of_coordinates({{"x"}, {"phi", true}, {"y"}}).text() == "R x S^1 x R");
  CHECK_THROWS_AS(Configuration({{"x", Group::line()}, {"x", Group::angle()}}), RequestError);
}

TEST_CASE("Every operation acts on each factor by itself") {
  const Configuration ball = ball_on_table();
  const Group turn = Group::rotations();
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector q = make_symbols(graph, "q", 6), r = make_symbols(graph, "r", 6),
               x = make_symbols(graph, "x", 5), u = make_symbols(graph, "u", 5),
               m = make_symbols(graph, "m", 5);
  const auto first = [](const Vector& of, std::size_t size) { return slice(of, 0, size); };
  const auto joined = [](const Vector& rotation, const Vector& plane) {
    return concatenate({rotation, slice(plane, plane.size() - 2, 2)});
  };
  const Retraction kind = Retraction::exponential;
  const Vector step = turn.retract(kind, first(x, 3));
  CHECK(same_entries(ball.move(kind, q, x),
                     concatenate({turn.product(first(q, 4), step), {q[4] + x[3], q[5] + x[4]}})));
  CHECK(same_entries(ball.difference(q, r), concatenate({turn.difference(first(q, 4), first(r, 4)),
                                                         {q[4] - r[4], q[5] - r[5]}})));
  CHECK(same_entries(ball.normalised(q), joined(turn.normalised(first(q, 4)), q)));
  CHECK(same_entries(ball.variables(q), joined(turn.variables(first(q, 4)), q)));
  CHECK(same_entries(ball.coadjoint(q, m), joined(turn.coadjoint(first(q, 4), first(m, 3)), m)));
  CHECK(same_entries(ball.infinitesimal_coadjoint(u, m),
                     joined(turn.infinitesimal_coadjoint(first(u, 3), first(m, 3)), zeros(2))));
  CHECK(same_entries(ball.tangent(kind, x, u),
                     joined(turn.tangent(kind, first(x, 3), first(u, 3)), u)));
  CHECK(same_entries(ball.tangent_transpose(kind, x, m),
                     joined(turn.tangent_transpose(kind, first(x, 3), first(m, 3)), m)));
  CHECK(same_entries(ball.tangent_inverse(kind, x, u),
                     joined(turn.tangent_inverse(kind, first(x, 3), first(u, 3)), u)));
  CHECK(same_entries(ball.ray_tangent_transpose(kind, x, m),
                     joined(turn.ray_tangent_transpose(kind, first(x, 3), first(m, 3)), m)));
  CHECK(same_entries(ball.coadjoint_along(kind, x, m),
                     joined(turn.coadjoint_along(kind, first(x, 3), first(m, 3)), m)));
  CHECK(same_entries(
      ball.tangent_gradient(kind, x, u, m),
      joined(turn.tangent_gradient(kind, first(x, 3), first(u, 3), first(m, 3)), zeros(2))));
  const Vector variables = ball.variables(q);
  CHECK(ball.rates(variables).rows() == 11);
  CHECK(ball.rates(variables)(9, 3).is_constant(1.0));
  CHECK_THROWS_AS(ball.move(kind, x, x), RequestError);
}

TEST_CASE("Left-invariant gradients are derivatives along moves") {
  const Configuration ball({{"R", Group::rotations()},
                            {"B", Group::plane_motions()},
                            {"S", Group::space_motions()},
                            {"P", Group::heisenberg()},
                            {"x", Group::line()}});
  numeric_test::Random random{21};
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector variables = make_symbols(graph, "w", ball.variable_count()),
               a = make_symbols(graph, "a", ball.dof()), y = make_symbols(graph, "y", ball.dof());
  Expr function = 0.0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Expr factor = sin(variables[i] + 0.1 * double(i));
    function += factor * variables[(i + 5) % variables.size()];
  }
  const Vector q = ball.move(Retraction::cayley, ball.identity(), a);
  const Vector found =
      substitute(ball.left_gradient(function, variables), variables, ball.variables(q));
  const Vector moved = ball.variables(ball.move(Retraction::exponential, q, y));
  const Vector expected =
      substitute(gradient(substitute(function, variables, moved), y), y, zeros(ball.dof()));
  CHECK(largest(a, found - expected, random_numbers(random, ball.dof())) < group_tolerance);
}

TEST_CASE("On R^n and angles every operation is that of vectors, node by node") {
  const Configuration flat = Configuration::of_coordinates({{"x"}, {"phi", true}, {"y"}});
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector q = make_symbols(graph, "q", 3), x = make_symbols(graph, "x", 3);
  const Vector sum = q + x, difference = q - x;
  const Expr function = q[0] * sin(q[1]) + q[2];
  const Vector slopes = gradient(function, q);
  const std::size_t size = graph->size();
  CHECK(flat.is_flat());
  CHECK(same_entries(flat.move(Retraction::cayley, q, x), sum));
  CHECK(same_entries(flat.difference(q, x), difference));
  CHECK(same_entries(flat.normalised(q), q));
  CHECK(same_entries(flat.variables(q), q));
  CHECK(same_entries(flat.tangent(Retraction::cayley, q, x), x));
  CHECK(same_entries(flat.tangent_inverse(Retraction::exponential, q, x), x));
  CHECK(same_entries(flat.coadjoint(q, x), x));
  CHECK(same_entries(flat.infinitesimal_coadjoint(q, x), zeros(3)));
  CHECK(same_entries(flat.left_gradient(function, q), slopes));
  CHECK(graph->size() == size);
}
