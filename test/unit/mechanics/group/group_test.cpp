#include "dalembert/mechanics/group/group.hpp"

#include "dalembert/error.hpp"
#include "dalembert/expression/text/serialise.hpp"
#include "unit/mechanics/group/support.hpp"

using namespace dalembert;
using namespace group_test;

namespace {

/// Symbols for what the operations of one group take, and numbers for them.
struct Setting {
  Group group;
  std::size_t n = group.dimension();
  GraphPointer graph = std::make_shared<Graph>();
  Vector x = make_symbols(graph, "x", n), y = make_symbols(graph, "y", n),
         a = make_symbols(graph, "a", n), b = make_symbols(graph, "b", n),
         u = make_symbols(graph, "u", n), m = make_symbols(graph, "m", n);
  Vector g = element(group, a), k = element(group, b);
  numeric_test::Random random{7};

  /// The largest of expressions of these symbols; y and x both at a displacement of that size.
  double at_size(double size, const Vector& expressions) {
    const Numbers place = displacement_of_size(random, group, size);
    const Numbers others = random_numbers(random, 4 * n);
    return largest(concatenate({x, y, a, b, u, m}), expressions,
                   concatenated({place, place, others}));
  }
  /// rates at the unit, which tell a velocity from the derivative of the variables there.
  Matrix rates_at_identity() const { return group.rates(group.variables(group.identity())); }
};

/// The derivative of `functions` in y along `direction`, at y = 0.
Vector slope_at_zero(const Vector& functions, const Vector& y, const Vector& direction) {
  return substitute(directional_derivative(functions, y, direction), y, zeros(y.size()));
}

template <class Check>
void for_each_case(Check check) {
  for (const Group& group : all_groups) {
    for (const Retraction kind : both_retractions) {
      CAPTURE(group.name());
      CAPTURE(static_cast<int>(kind));
      Setting s{group};
      check(s, kind);
    }
  }
}

template <class Vectors>
void check_zero(Setting& s, const char* what, const Vectors& expressions) {
  for (const double size : displacement_sizes) {
    const double found = s.at_size(size, expressions);
    CHECK_MESSAGE(found < group_tolerance, what, " at ", size, ": ", found);
  }
}

}  // namespace

TEST_CASE("Products are associative, inverses undo them, the unit changes nothing") {
  for (const Group& group : all_groups) {
    CAPTURE(group.name());
    Setting s{group};
    const Vector third = element(group, s.u);
    check_zero(s, "associativity",
               group.product(group.product(s.g, s.k), third) -
                   group.product(s.g, group.product(s.k, third)));
    check_zero(s, "inverse", group.product(s.g, group.inverse(s.g)) - group.identity());
    check_zero(s, "unit", group.product(group.identity(), s.g) - s.g);
    check_zero(s, "unit", group.product(s.g, group.identity()) - s.g);
  }
}

TEST_CASE("Rates are the derivatives of the variables along left-invariant fields") {
  for_each_case([](Setting& s, Retraction kind) {
    const Vector moved = s.group.variables(s.group.product(s.g, s.group.retract(kind, s.y)));
    const Vector rates = s.group.rates(s.group.variables(s.g)) * s.u;
    check_zero(s, "rates", slope_at_zero(moved, s.y, s.u) - rates);
  });
}

TEST_CASE("Ad and ad* are those of the product") {
  for_each_case([](Setting& s, Retraction kind) {
    const Vector conjugated =
        s.group.product(s.group.product(s.g, s.group.retract(kind, s.y)), s.group.inverse(s.g));
    const Vector by_definition = slope_at_zero(s.group.variables(conjugated), s.y, s.u);
    const Vector eta = s.group.adjoint(s.g, s.u);
    check_zero(s, "Ad", by_definition - s.rates_at_identity() * eta);
    check_zero(s, "Ad*", Vector{dot(s.m, eta) - dot(s.group.coadjoint(s.g, s.m), s.u)});
    // ad_b u is the derivative of Ad_tau(y) u along b.
    const Vector moving = s.group.adjoint(s.group.retract(kind, s.y), s.u);
    const Vector bracket = slope_at_zero(moving, s.y, s.b);
    const Vector coadjoint = s.group.infinitesimal_coadjoint(s.b, s.m);
    check_zero(s, "ad*", Vector{dot(s.m, bracket) - dot(coadjoint, s.u)});
  });
}

TEST_CASE("T is the left-trivialised tangent of the retraction, with its transpose and inverse") {
  for_each_case([](Setting& s, Retraction kind) {
    const Group& group = s.group;
    const Vector apart =
        group.product(group.inverse(group.retract(kind, s.x)), group.retract(kind, s.y));
    const Vector by_definition = directional_derivative(group.variables(apart), s.y, s.u);
    const Vector eta = group.tangent(kind, s.x, s.u);
    check_zero(s, "T", by_definition - s.rates_at_identity() * eta);
    check_zero(s, "T^T", Vector{dot(s.m, eta) - dot(group.tangent_transpose(kind, s.x, s.m), s.u)});
    check_zero(s, "T^-1 T", group.tangent_inverse(kind, s.x, eta) - s.u);
    check_zero(s, "T T^-1", group.tangent(kind, s.x, group.tangent_inverse(kind, s.x, s.u)) - s.u);
    const Vector at_zero = substitute(eta, s.x, zeros(s.n));
    check_zero(s, "T(0) = 1", at_zero - s.u);
  });
}

TEST_CASE("S is even, and T on the ray through x") {
  for_each_case([](Setting& s, Retraction kind) {
    const Group& group = s.group;
    const Vector ray = group.ray_tangent_transpose(kind, s.x, s.m);
    check_zero(s, "S x", Vector{dot(s.m, group.tangent(kind, s.x, s.x)) - dot(ray, s.x)});
    check_zero(s, "S(-x)", ray - group.ray_tangent_transpose(kind, -s.x, s.m));
    if (kind == Retraction::exponential) check_zero(s, "S = 1", ray - s.m);
  });
}

TEST_CASE("tau(-x) is the inverse of tau(x), and Ad_tau(x) T(x) is T(-x)") {
  for_each_case([](Setting& s, Retraction kind) {
    const Group& group = s.group;
    const Vector step = group.retract(kind, s.x);
    check_zero(s, "tau(-x)", group.retract(kind, -s.x) - group.inverse(step));
    check_zero(s, "Ad T",
               group.adjoint(step, group.tangent(kind, s.x, s.u)) - group.tangent(kind, -s.x, s.u));
    check_zero(s, "Ad* along x",
               group.coadjoint_along(kind, s.x, s.m) - group.coadjoint(step, s.m));
    check_zero(s, "Ad* against x",
               group.coadjoint_against(kind, s.x, s.m) - group.coadjoint(group.inverse(step), s.m));
    check_zero(s, "Ad* there and back",
               group.coadjoint_against(kind, s.x, group.coadjoint_along(kind, s.x, s.m)) - s.m);
  });
}

TEST_CASE("DT is the derivative of T") {
  for_each_case([](Setting& s, Retraction kind) {
    const Vector found = s.group.tangent_gradient(kind, s.x, s.u, s.m);
    const Vector expected = transpose(jacobian(s.group.tangent(kind, s.x, s.u), s.x)) * s.m;
    check_zero(s, "DT", found - expected);
    // The tangent of a retraction is a flat connection: D(T u)[w] - D(T w)[u] = [T u, T w].
    const Vector eta = s.group.tangent(kind, s.x, s.u), zeta = s.group.tangent(kind, s.x, s.b);
    const Expr bracket = dot(s.group.infinitesimal_coadjoint(eta, s.m), zeta);
    const Expr curl = dot(s.group.tangent_gradient(kind, s.x, s.u, s.m), s.b) -
                      dot(s.group.tangent_gradient(kind, s.x, s.b, s.m), s.u);
    check_zero(s, "curl of T", Vector{curl - bracket});
  });
}

TEST_CASE("Retractions are the identity of the algebra to second order") {
  for_each_case([](Setting& s, Retraction kind) {
    const Vector step = s.group.variables(s.group.retract(kind, s.y));
    check_zero(s, "slope", slope_at_zero(step, s.y, s.u) - s.rates_at_identity() * s.u);
    // T(x) = 1 - ad_x / 2 + ...
    const Vector change = slope_at_zero(s.group.tangent(kind, s.y, s.u), s.y, s.b);
    const Expr bracket = dot(s.group.infinitesimal_coadjoint(s.b, s.m), s.u);
    check_zero(s, "second order", Vector{dot(s.m, change) + 0.5 * bracket});
  });
}

TEST_CASE("A difference vanishes where elements are the same, and is regular there") {
  for_each_case([](Setting& s, Retraction kind) {
    const Group& group = s.group;
    check_zero(s, "difference", group.difference(s.g, s.g));
    const Vector apart = group.difference(s.g, group.product(s.g, group.retract(kind, s.y)));
    const Matrix slope = substitute(jacobian(apart, s.y), s.y, zeros(s.n));
    // Regular: some derivative is invertible, its Gram matrix that of an isometry (H(3):
    // unimodular).
    if (group.name() != "H(3)") {
      check_zero(s, "slope", (transpose(slope) * slope - Matrix::identity(s.n)).entries());
    } else {
      const Vector image = slope * s.u;
      check_zero(s, "slope", Vector{image[0] + s.u[0], image[1] + s.u[1]});
      check_zero(s, "slope", Vector{slope(2, 2) + 1.0});
    }
  });
}

TEST_CASE("Normalising a quaternion leaves the square of its error") {
  for (const Group& group : all_groups) {
    CAPTURE(group.name());
    Setting s{group};
    check_zero(s, "elements stay", group.normalised(s.g) - s.g);
  }
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector q = make_symbols(graph, "q", 4);
  const Vector normalised = Group::rotations().normalised(q);
  const Extended error = 1e-8, length = 1 + error;
  NumberFunction<Extended> norm(q, {dot(normalised, normalised) - 1.0});
  // |q|^2 - 1 = -3 error^2 + O(error^3)
  const Extended left = norm({length * Extended(0.6), 0, length * Extended(0.8), 0}).front();
  CHECK(abs(left + 3 * error * error) < Extended(1e-22));
}

TEST_CASE("On lines and angles every operation is the trivial expression itself") {
  for (const Group& group : {Group::line(), Group::angle()}) {
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector x = make_symbols(graph, "x", 1), u = make_symbols(graph, "u", 1);
    const Expr sum = x[0] + u[0], difference = x[0] - u[0];
    const std::size_t size = graph->size();
    CHECK(group.is_flat());
    for (const Retraction kind : both_retractions) {
      CHECK(same(group.retract(kind, x)[0], x[0]));
      CHECK(same(group.tangent(kind, x, u)[0], u[0]));
      CHECK(same(group.tangent_transpose(kind, x, u)[0], u[0]));
      CHECK(same(group.tangent_inverse(kind, x, u)[0], u[0]));
      CHECK(same(group.ray_tangent_transpose(kind, x, u)[0], u[0]));
      CHECK(same(group.tangent_gradient(kind, x, u, u)[0], Expr(0.0)));
      CHECK(same(group.coadjoint_along(kind, x, u)[0], u[0]));
      CHECK(same(group.coadjoint_against(kind, x, u)[0], u[0]));
    }
    CHECK(same(group.product(x, u)[0], sum));
    CHECK(same(group.difference(x, u)[0], difference));
    CHECK(same(group.normalised(x)[0], x[0]));
    CHECK(same(group.variables(x)[0], x[0]));
    CHECK(same(group.rates(x)(0, 0), Expr(1.0)));
    CHECK(same(group.adjoint(x, u)[0], u[0]));
    CHECK(same(group.coadjoint(x, u)[0], u[0]));
    CHECK(same(group.infinitesimal_coadjoint(x, u)[0], Expr(0.0)));
    CHECK(graph->size() == size);  // nothing was built, not even on the way
  }
}

TEST_CASE("Names of what is stored, of variables and of velocities") {
  const Group rotations = Group::rotations(), plane = Group::plane_motions();
  CHECK(rotations.storage("R")[3].name == "R_q3");
  CHECK(rotations.variable_names("R")[5] == "R[2,3]");
  CHECK(rotations.velocity_names("R")[2] == "R_dot[3]");
  CHECK(rotations.matrix_variables().size == 3);
  CHECK(plane.storage("B")[0].name == "B_angle");
  CHECK(plane.storage("B")[0].is_angle);
  CHECK(plane.variable_names("B")[4] == "B[1,2]");
  CHECK(plane.matrix_variables().first == 3);
  CHECK(Group::line().velocity_names("x")[0] == "x_dot");
  CHECK(Group::angle().storage("x")[0].is_angle);
  for (const Group& group : all_groups) {
    CAPTURE(group.name());
    CHECK(Group::named(group.name()) == group);
    CHECK(group.storage("g").size() == group.storage_size());
    CHECK(group.identity().size() == group.storage_size());
    CHECK(group.variable_names("g").size() == group.variable_count());
    CHECK(group.velocity_names("g").size() == group.dimension());
  }
}

TEST_CASE("Unknown groups and wrong sizes are refused") {
  CHECK_THROWS_WITH_AS(Group::named("SO3"), "unknown group \"SO3\"; did you mean \"SO(3)\"?",
                       RequestError);
  CHECK_THROWS_WITH_AS(Group::rotations().retract(Retraction::cayley, zeros(4)),
                       "SO(3): the displacement has 4 entries where 3 are needed", RequestError);
  CHECK_THROWS_WITH_AS(Group::rotations().inverse(zeros(3)),
                       "SO(3): the group element has 3 entries where 4 are needed", RequestError);
  CHECK_THROWS_AS(Group::plane_motions().rates(zeros(3)), RequestError);
}

TEST_CASE("Expressions of a frozen graph combine, entry by entry") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector x = make_symbols(graph, "x", 3), u = make_symbols(graph, "u", 3);
  graph->freeze();
  for (const Group& group : all_groups) {
    const Vector at = slice(concatenate({x, x}), 0, group.dimension()),
                 along = slice(concatenate({u, u}), 0, group.dimension());
    const Vector eta = group.tangent(Retraction::exponential, at, along);
    const Vector other = group.tangent_gradient(Retraction::cayley, at, along, eta);
    CHECK_NOTHROW(dot(eta, other));
  }
}

TEST_CASE("Nodes are numbered in the recorded order") {
  // Compilers evaluate operands in different orders, which must not be seen: recorded with g++ 12,
  // the same from clang++ 14.
  numeric_test::Checksum sum;
  for_each_case([&](Setting& s, Retraction kind) {
    const Group& group = s.group;
    const Vector results = concatenate(
        {s.x, s.u, s.m, group.product(s.g, s.k), group.inverse(s.g), group.variables(s.g),
         group.rates(group.variables(s.k)).entries(), group.normalised(s.g),
         group.difference(s.g, s.k), group.adjoint(s.g, s.u), group.coadjoint(s.g, s.m),
         group.infinitesimal_coadjoint(s.u, s.m), group.retract(kind, s.x),
         group.tangent(kind, s.x, s.u), group.tangent_transpose(kind, s.x, s.m),
         group.tangent_inverse(kind, s.x, s.u), group.tangent_gradient(kind, s.x, s.u, s.m),
         group.coadjoint_along(kind, s.x, s.m), group.coadjoint_against(kind, s.x, s.m)});
    for (const char letter : serialise(results)) sum.add(letter);
  });
  CHECK(sum.value == 0xc541ed3161fa58d3u);
}
