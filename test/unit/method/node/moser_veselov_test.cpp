// Discrete rigid bodies with constraints: the step against Moser and Veselov's equations in
// matrices, energies that are exact, what is refused.
#include "dalembert/method/node/moser_veselov.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/newmark.hpp"
#include "study/extended.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;
using Three = std::array<Wide, 3>;
using Nine = std::array<Three, 3>;

/// A body with products of inertia whose angular velocity has no third component, as Suslov's, or
/// a free one.
System body(bool is_constrained, double slope = 0.0) {
  SystemDescription description{.name = "body", .coordinates = {{"R", false, "SO(3)"}}};
  return System::define(std::move(description), [&](const Symbols& s) {
    const Symbols::Element& r = s.element("R");
    const Vector& w = r.velocity;
    Mechanics m;
    m.kinetic = (square(w[0]) + 2.0 * square(w[1]) + 1.5 * square(w[2])) / 2.0 + 0.4 * w[0] * w[2] +
                0.6 * w[1] * w[2];
    m.potential = slope * r.matrix(2, 2);
    if (is_constrained) m.constraints = {w[2]};
    return m;
  });
}

constexpr std::array<std::array<double, 3>, 3> inertia{
    {{1.0, 0.0, 0.4}, {0.0, 2.0, 0.6}, {0.4, 0.6, 1.5}}};

Three angular_momentum(const std::vector<Wide>& w) {
  Three result{};
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = Wide(0.0);
    for (std::size_t j = 0; j < 3; ++j) result[i] = result[i] + Wide(inertia[i][j]) * w[j];
  }
  return result;
}

Nine matrix_of(const std::vector<Wide>& q) {
  const Wide &a = q[0], &b = q[1], &c = q[2], &d = q[3];
  const Wide two(2.0), one(1.0);
  return {{{one - two * (c * c + d * d), two * (b * c - a * d), two * (b * d + a * c)},
           {two * (b * c + a * d), one - two * (b * b + d * d), two * (c * d - a * b)},
           {two * (b * d - a * c), two * (c * d + a * b), one - two * (b * b + c * c)}}};
}

Nine product(const Nine& a, const Nine& b, bool transposes_first) {
  Nine result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      result[i][j] = Wide(0.0);
      for (std::size_t k = 0; k < 3; ++k)
        result[i][j] = result[i][j] + (transposes_first ? a[k][i] : a[i][k]) * b[k][j];
    }
  }
  return result;
}

Three axial(const Nine& b) { return {b[2][1] - b[1][2], b[0][2] - b[2][0], b[1][0] - b[0][1]}; }

/// J = tr(I)/2 - I.
Nine mass_tensor() {
  Nine j{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) j[i][k] = Wide((i == k ? 2.25 : 0.0) - inertia[i][k]);
  return j;
}

double size(const Wide& x) { return std::fabs(static_cast<double>(x)); }

}  // namespace

TEST_CASE("steps obey Moser and Veselov's equations in matrices") {
  // With W = R0^T R1 the momenta at the nodes are the axial vectors of W J and J W over h; of
  // Suslov's problem those parts that the constraint leaves.
  for (const bool is_constrained : {true, false}) {
    StepMap<Wide> map(body(is_constrained), Method(MoserVeselov{}), {});
    const std::array<double, 3> w{1.0, 0.25, is_constrained ? 0.0 : 0.7};
    const BasicPoint<Wide> before = map.start(std::array{1.0, 0.0, 0.0, 0.0}, w);
    BasicPoint<Wide> after = before;
    const double h = 0.25;
    REQUIRE(map.apply(after, Wide(h)));
    const Nine turn = product(matrix_of(before.q), matrix_of(after.q), true);
    const Three first = axial(product(turn, mass_tensor(), false)),
                last = axial(product(mass_tensor(), turn, false));
    const Three p0 = angular_momentum(before.v), p1 = angular_momentum(after.v);
    for (std::size_t i = 0; i < (is_constrained ? 2 : 3); ++i) {
      CHECK(size(first[i] - Wide(h) * p0[i]) < 1e-16);
      CHECK(size(last[i] - Wide(h) * p1[i]) < 1e-16);
    }
  }
}

TEST_CASE("with the energy of the displacement the step is the one in left trivialisation") {
  // Five steps of 0.1, of an independent implementation.
  StepMap<double> map(body(true), Method(MoserVeselov{MoserVeselov::Kinetic::displacement}), {});
  BasicPoint<double> point = map.start(std::array{1.0, 0.0, 0.0, 0.0}, std::array{1.0, 0.25, 0.0});
  REQUIRE(map.apply(point, 0.1, 5));
  CHECK(point.v[0] == doctest::Approx(0.908609872139341).epsilon(1e-14));
  CHECK(point.v[1] == doctest::Approx(0.386771803261059).epsilon(1e-14));
}

TEST_CASE("Suslov's problem keeps its energy with the chord, whatever the step, and not without") {
  const auto largest_error = [](MoserVeselov::Kinetic kinetic, const Wide& h) {
    StepMap<Wide> map(body(true), Method(MoserVeselov{kinetic}), {});
    BasicPoint<Wide> point = map.start(std::array{1.0, 0.0, 0.0, 0.0}, std::array{1.0, 0.25, 0.0});
    const Wide energy = map.energy(point);
    double largest = 0.0;
    for (int k = 0; k < 30; ++k) {
      REQUIRE(map.apply(point, h));
      largest = numeric::larger(largest, size(map.energy(point) - energy));
    }
    return largest;
  };
  using enum MoserVeselov::Kinetic;
  CHECK(largest_error(chord, Wide(0.1)) < 1e-17);
  CHECK(largest_error(chord, Wide(0.5)) < 1e-17);
  CHECK(largest_error(displacement, Wide(0.1)) > 1e-5);
}

TEST_CASE("a free body in a field keeps the momentum about its vertical") {
  StepMap<Wide> map(body(false, 0.8), Method(MoserVeselov{}), {});
  BasicPoint<Wide> point = map.start(std::array{1.0, 0.0, 0.0, 0.0}, std::array{1.0, 0.25, 0.7});
  const auto vertical = [](const BasicPoint<Wide>& at) {
    const Nine r = matrix_of(at.q);
    const Three m = angular_momentum(at.v);
    return r[2][0] * m[0] + r[2][1] * m[1] + r[2][2] * m[2];
  };
  const Wide start = vertical(point);
  REQUIRE(map.apply(point, Wide(0.1), 50));
  CHECK(size(vertical(point) - start) < 1e-16);
}

TEST_CASE("the discrete constraint lies halfway, so that a step backwards undoes a step") {
  // Coefficients that change along the arc: those of a constraint on the body's or the space's
  // angular velocity do not.
  SystemDescription description{.name = "body", .coordinates = {{"R", false, "SO(3)"}}};
  const System system = System::define(std::move(description), [&](const Symbols& s) {
    const Symbols::Element& r = s.element("R");
    const Vector& w = r.velocity;
    Mechanics m;
    m.kinetic = (square(w[0]) + 2.0 * square(w[1]) + 1.5 * square(w[2])) / 2.0;
    m.constraints = {w[2] + r.matrix(0, 1) * w[0] - r.matrix(2, 0) * w[1]};
    return m;
  });
  for (const auto kinetic : {MoserVeselov::Kinetic::chord, MoserVeselov::Kinetic::displacement}) {
    StepMap<Wide> map(system, Method(MoserVeselov{kinetic}), {});
    const BasicPoint<Wide> start =
        map.start(std::array{0.8, 0.6, 0.0, 0.0}, std::array{1.0, 0.25, 0.3});
    BasicPoint<Wide> point = start;
    REQUIRE(map.apply(point, Wide(0.25)));
    CHECK(size(map.constraint(point).front()) < 1e-16);
    REQUIRE(map.apply(point, Wide(-0.25)));
    for (std::size_t i = 0; i < 4; ++i) CHECK(size(point.q[i] - start.q[i]) < 1e-16);
    for (std::size_t i = 0; i < 3; ++i) CHECK(size(point.v[i] - start.v[i]) < 1e-16);
  }
}

TEST_CASE("on R^n it is Newmark's method with beta = 0") {
  const System system = define({.name = "particle",
                                .coordinates = {"x", "y", "z"},
                                .kinetic = "(x_dot^2 + 2*y_dot^2 + z_dot^2 + x_dot*y_dot)/2",
                                .potential = "x^4/4 + y^2*z + z^2/2",
                                .constraints = {"z_dot - y*x_dot - x*y_dot/3"}});
  StepMap<Wide> own(system, Method(MoserVeselov{}), {}), other(system, Method(Newmark{}), {});
  const std::array<double, 3> q{0.3, -0.2, 0.5}, v{0.4, 0.7, -0.1};
  BasicPoint<Wide> a = own.start(q, v), b = other.start(q, v);
  REQUIRE(own.apply(a, Wide(0.125), 3));
  REQUIRE(other.apply(b, Wide(0.125), 3));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(size(a.q[i] - b.q[i]) < 1e-16);
    CHECK(size(a.v[i] - b.v[i]) < 1e-16);
  }
}

TEST_CASE("chords are those of rotations with a kinetic energy of their own") {
  const auto misfit = [](const char* group, bool is_coupled, MoserVeselov method) {
    SystemDescription description{.name = "body", .coordinates = {{"B", false, group}, {"x"}}};
    const System system = System::define(std::move(description), [&](const Symbols& s) {
      const Vector& w = s.element("B").velocity;
      const Expr x_dot = s.element("x").velocity[0];
      Mechanics m;
      m.kinetic = (dot(w, w) + square(x_dot)) / 2.0;
      if (is_coupled) m.kinetic = m.kinetic + 0.1 * w[0] * x_dot;
      return m;
    });
    return Method(method).misfit(system).value_or("");
  };
  using enum MoserVeselov::Kinetic;
  CHECK(misfit("SO(3)", false, {}).empty());
  CHECK(misfit("SE(2)", false, {}).find("\"B\" is in SE(2)") != std::string::npos);
  CHECK(misfit("SO(3)", true, {}).find("kinetic = displacement allows it") != std::string::npos);
  CHECK(misfit("SO(3)", true, {displacement}).empty());
}
