// The groups against matrices: exponentials, Cayley's maps, and formulas as they stand in papers.
#include <cmath>

#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "unit/mechanics/group/support.hpp"

using namespace dalembert;
using namespace group_test;

namespace {

using Square = std::vector<Numbers>;

Square zero_square(std::size_t size) { return Square(size, Numbers(size, Extended(0))); }

Square unit_square(std::size_t size) {
  Square result = zero_square(size);
  for (std::size_t i = 0; i < size; ++i) result[i][i] = 1;
  return result;
}

Square product_of(const Square& a, const Square& b) {
  Square result = zero_square(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t k = 0; k < a.size(); ++k) result[i][j] += a[i][k] * b[k][j];
  return result;
}

Square sum_of(const Square& a, const Extended& factor, const Square& b) {
  Square result = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += factor * b[i][j];
  return result;
}

/// By the power series of a 2^-12-th, squared twelve times: errors below 1e-30.
Square exponential_of(const Square& a) {
  Square term = unit_square(a.size()), sum = term;
  for (int k = 1; k <= 12; ++k) {
    term = sum_of(zero_square(a.size()), Extended(1) / (k * 4096), product_of(term, a));
    sum = sum_of(sum, 1, term);
  }
  for (int k = 0; k < 12; ++k) sum = product_of(sum, sum);
  return sum;
}

/// The matrix of a rotation vector: x^ y = x cross y.
void set_rotation(Square& a, const Extended& x, const Extended& y, const Extended& z) {
  a[0][1] = -z, a[0][2] = y, a[1][0] = z, a[1][2] = -x, a[2][0] = -y, a[2][1] = x;
}

/// A velocity as a matrix of the algebra; homogeneous coordinates for motions, the upper triangle
/// for Heisenberg's group.
Square algebra_matrix(const Group& group, const Numbers& x) {
  if (group.name() == "SO(3)") {
    Square a = zero_square(3);
    set_rotation(a, x[0], x[1], x[2]);
    return a;
  }
  if (group.name() == "SE(2)") {
    Square a = zero_square(3);
    a[0][1] = -x[0], a[1][0] = x[0], a[0][2] = x[1], a[1][2] = x[2];
    return a;
  }
  if (group.name() == "SE(3)") {
    Square a = zero_square(4);
    set_rotation(a, x[0], x[1], x[2]);
    for (std::size_t i = 0; i < 3; ++i) a[i][3] = x[3 + i];
    return a;
  }
  Square a = zero_square(3);
  a[0][1] = x[0], a[1][2] = x[1], a[0][2] = x[2];
  return a;
}

/// The element that some variables describe, as a matrix.
Square element_matrix(const Group& group, const Numbers& v) {
  if (group.name() == "SO(3)") return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
  if (group.name() == "SE(2)") return {{v[3], v[4], v[1]}, {v[5], v[6], v[2]}, {0, 0, 1}};
  if (group.name() == "SE(3)")
    return {{v[0], v[1], v[2], v[9]},
            {v[3], v[4], v[5], v[10]},
            {v[6], v[7], v[8], v[11]},
            {0, 0, 0, 1}};
  return {{1, v[0], v[2] + v[0] * v[1] / 2}, {0, 1, v[1]}, {0, 0, 1}};
}

double distance(const Square& a, const Square& b) {
  double result = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j)
      result = numeric::larger(result, static_cast<double>(abs(a[i][j] - b[i][j])));
  return result;
}

const std::vector<Group> matrix_groups{Group::rotations(), Group::plane_motions(),
                                       Group::space_motions(), Group::heisenberg()};

/// The variables of an expression of x, at x.
Numbers variables_at(const Group& group, const Vector& x, const Vector& stored, const Numbers& at) {
  return NumberFunction<Extended>(x, group.variables(stored))(at);
}

}  // namespace

TEST_CASE("The exponential is that of matrices, and products are those of matrices") {
  for (const Group& group : matrix_groups) {
    CAPTURE(group.name());
    numeric_test::Random random{11};
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector x = make_symbols(graph, "x", group.dimension()),
                 y = make_symbols(graph, "y", group.dimension());
    const Vector step = group.retract(Retraction::exponential, x),
                 other = group.retract(Retraction::cayley, y);
    for (const double size : displacement_sizes) {
      const Numbers at = displacement_of_size(random, group, size),
                    there = displacement_of_size(random, group, 0.7);
      const Square found = element_matrix(group, variables_at(group, x, step, at));
      CHECK(distance(found, exponential_of(algebra_matrix(group, at))) < group_tolerance);
      const Square second = element_matrix(group, variables_at(group, y, other, there));
      const Square product =
          element_matrix(group, variables_at(group, concatenate({x, y}), group.product(step, other),
                                             concatenated({at, there})));
      CHECK(distance(product, product_of(found, second)) < group_tolerance);
    }
  }
}

TEST_CASE("Cayley's map of rotations is (1 - x/2)^-1 (1 + x/2)") {
  // For SE(2) too, where the map of 3 x 3 matrices is that of the adjoint representation.
  for (const Group& group : {Group::rotations(), Group::plane_motions()}) {
    CAPTURE(group.name());
    numeric_test::Random random{12};
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector x = make_symbols(graph, "x", group.dimension());
    const Vector step = group.retract(Retraction::cayley, x);
    for (const double size : displacement_sizes) {
      const Numbers at = displacement_of_size(random, group, size);
      const Square found = element_matrix(group, variables_at(group, x, step, at)),
                   half = algebra_matrix(group, at);
      const Square left = product_of(sum_of(unit_square(3), Extended(-0.5), half), found);
      CHECK(distance(left, sum_of(unit_square(3), Extended(0.5), half)) < group_tolerance);
    }
  }
}

TEST_CASE("SE(2) is the motions of a plane in SE(3)") {
  const Group plane = Group::plane_motions(), space = Group::space_motions();
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector x = make_symbols(graph, "x", 3), u = make_symbols(graph, "u", 3),
               m = make_symbols(graph, "m", 3), c = make_symbols(graph, "c", 3);
  const auto raised = [](const Vector& of) { return Vector{0.0, 0.0, of[0], of[1], of[2], 0.0}; };
  const auto difference = [](const Vector& in_space, const Vector& in_plane) {
    return Vector{in_space[0],
                  in_space[1],
                  in_space[2] - in_plane[0],
                  in_space[3] - in_plane[1],
                  in_space[4] - in_plane[2],
                  in_space[5]};
  };
  numeric_test::Random random{13};
  for (const Retraction kind : both_retractions) {
    const Vector g = plane.retract(kind, c), high = space.retract(kind, raised(c)),
                 step = plane.retract(kind, x), high_step = space.retract(kind, raised(x));
    const Vector v = plane.variables(plane.product(g, step)),
                 w = space.variables(space.product(high, high_step));
    Vector zero{v[3] - w[0], v[4] - w[1], v[5] - w[3],  v[6] - w[4],
                w[8] - 1.0,  v[1] - w[9], v[2] - w[10], w[11]};
    const auto add = [&](const Vector& in_space, const Vector& in_plane) {
      zero = concatenate({zero, difference(in_space, in_plane)});
    };
    add(space.tangent(kind, raised(x), raised(u)), plane.tangent(kind, x, u));
    add(space.tangent_transpose(kind, raised(x), raised(m)), plane.tangent_transpose(kind, x, m));
    add(space.tangent_inverse(kind, raised(x), raised(u)), plane.tangent_inverse(kind, x, u));
    add(space.ray_tangent_transpose(kind, raised(x), raised(m)),
        plane.ray_tangent_transpose(kind, x, m));
    add(space.adjoint(high, raised(u)), plane.adjoint(g, u));
    add(space.coadjoint(high, raised(m)), plane.coadjoint(g, m));
    add(space.infinitesimal_coadjoint(raised(u), raised(m)), plane.infinitesimal_coadjoint(u, m));
    add(space.coadjoint_along(kind, raised(x), raised(m)), plane.coadjoint_along(kind, x, m));
    for (const double size : displacement_sizes) {
      const Numbers at = displacement_of_size(random, plane, size);
      CHECK(largest(concatenate({x, u, m, c}), zero,
                    concatenated({at, random_numbers(random, 9)})) < group_tolerance);
    }
  }
}

TEST_CASE("The tangents of SE(2) are the published closed forms") {
  const Group group = Group::plane_motions();
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector x = make_symbols(graph, "x", 3), u = make_symbols(graph, "u", 3);
  // T = [[e, 0], [a v + b J v, p - q J]], J = [[0, -1], [1, 0]]
  const auto published = [&](const Expr& e, const Expr& a, const Expr& b, const Expr& p,
                             const Expr& q) {
    return Vector{e * u[0], (a * x[1] - b * x[2]) * u[0] + p * u[1] + q * u[2],
                  (a * x[2] + b * x[1]) * u[0] + p * u[2] - q * u[1]};
  };
  const Expr w = x[0], d = 1.0 + w * w / 4.0;
  const Vector cayley = published(1.0 / d, 0.0, 0.5 / d, 1.0 / d, w / (2.0 * d));
  const Expr s0 = sin(w) / w, c1 = (1.0 - cos(w)) / square(w), c2 = (w - sin(w)) / (w * w * w);
  const Vector exponential = published(1.0, w * c2, c1, s0, w * c1);
  numeric_test::Random random{14};
  for (const double size : {0.4, 1.5, 2.6}) {
    const Numbers at = displacement_of_size(random, group, size);
    const Vector zero = concatenate({cayley - group.tangent(Retraction::cayley, x, u),
                                     exponential - group.tangent(Retraction::exponential, x, u)});
    CHECK(largest(concatenate({x, u}), zero, concatenated({at, random_numbers(random, 3)})) <
          group_tolerance);
  }
}

TEST_CASE("The tangents of SO(3) and their derivatives are the published closed forms") {
  const Group group = Group::rotations();
  const GraphPointer graph = std::make_shared<Graph>();
  const Vector x = make_symbols(graph, "x", 3), u = make_symbols(graph, "u", 3),
               m = make_symbols(graph, "m", 3);
  const auto hat = [](const Vector& of) {
    Matrix result(3, 3);
    result.entries() = {0.0, -of[2], of[1], of[2], 0.0, -of[0], -of[1], of[0], 0.0};
    return result;
  };
  const auto outer = [](const Vector& a, const Vector& b) {
    Matrix result(3, 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) result(i, j) = a[i] * b[j];
    return result;
  };
  const Expr t = dot(x, x), d = 1.0 + t / 4.0, angle = sqrt(t);
  const Matrix one = Matrix::identity(3);
  const Vector turned = hat(x) * u;
  const Matrix cayley_slope = (0.5 / d) * hat(u) - (0.5 / (d * d)) * outer(u - 0.5 * turned, x);
  const Expr s0 = sin(angle) / angle, c1 = (1.0 - cos(angle)) / t,
             c2 = (angle - sin(angle)) / (t * angle), c1_slope = (s0 - 2.0 * c1) / (2.0 * t),
             c2_slope = (c1 - 3.0 * c2) / (2.0 * t);
  const Vector twice = hat(x) * turned;
  const Matrix exponential_slope = c1 * hat(u) - (2.0 * c1_slope) * outer(turned, x) +
                                   c2 * (dot(x, u) * one + outer(x, u) - 2.0 * outer(u, x)) +
                                   (2.0 * c2_slope) * outer(twice, x);
  const Vector zero = concatenate(
      {(1.0 / d) * (u - 0.5 * turned) - group.tangent(Retraction::cayley, x, u),
       u - c1 * turned + c2 * twice - group.tangent(Retraction::exponential, x, u),
       transpose(cayley_slope) * m - group.tangent_gradient(Retraction::cayley, x, u, m),
       transpose(exponential_slope) * m -
           group.tangent_gradient(Retraction::exponential, x, u, m)});
  numeric_test::Random random{15};
  for (const double size : {0.4, 1.5, 2.6}) {
    const Numbers at = displacement_of_size(random, group, size);
    CHECK(largest(concatenate({x, u, m}), zero, concatenated({at, random_numbers(random, 6)})) <
          group_tolerance);
  }
}

TEST_CASE("Doubles are as accurate near zero as elsewhere") {
  for (const Group& group : matrix_groups) {
    CAPTURE(group.name());
    for (const Retraction kind : both_retractions) {
      numeric_test::Random random{16};
      const GraphPointer graph = std::make_shared<Graph>();
      const Vector x = make_symbols(graph, "x", group.dimension()),
                   u = make_symbols(graph, "u", group.dimension());
      const Vector outputs = concatenate(
          {group.retract(kind, x), group.tangent(kind, x, u), group.tangent_inverse(kind, x, u),
           group.coadjoint_along(kind, x, u), group.tangent_gradient(kind, x, u, u)});
      NumberFunction<Extended> exact(concatenate({x, u}), outputs);
      NumberFunction<double> computed(concatenate({x, u}), outputs);
      for (const double size : displacement_sizes) {
        std::vector<double> at;
        for (const Extended& value : concatenated({displacement_of_size(random, group, size),
                                                   random_numbers(random, group.dimension())}))
          at.push_back(static_cast<double>(value));
        const Numbers expected = exact(Numbers(at.begin(), at.end()));
        const std::vector<double> found = computed(at);
        for (std::size_t i = 0; i < found.size(); ++i) {
          // Some ten roundings of terms up to (1 + |x|)^3 < 50.
          CHECK(std::fabs(static_cast<double>(found[i] - expected[i])) < 1e-13);
        }
      }
    }
  }
}
