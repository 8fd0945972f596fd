// Jacobians of maps and of steps, symplecticity, volume: against closed forms.

#include "dalembert/audit/jacobian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "dalembert/audit/symplecticity.hpp"
#include "dalembert/audit/volume/volume_chart.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "support/small_systems.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Number = long double;
using Numbers = std::vector<Number>;
constexpr Number eps = std::numeric_limits<Number>::epsilon();
// What difference_jacobian states: eps^(6/7), times a few for the size of the derivatives.
const double jacobian_error = 20.0 * std::pow(static_cast<double>(eps), 6.0 / 7.0);
// What a step of 0.1 and order 4 does to areas: h^5 = 1e-5 times small derivatives.
constexpr double clear_defect = 1e-9;

/// A step map with its start.
struct JacobianCase {
  JacobianCase(const Witness& witness, const Method& method)
      : map(witness.system, method, witness.system.default_parameters()),
        start(map.start(witness.q, witness.v)) {}
  StepMap<Number> map;
  BasicPoint<Number> start;
  double symplecticity() { return symplecticity_defect(map, start, Number(0.1L)); }
  double volume() { return std::fabs(volume_change_minus_one(map, start, Number(0.1L))); }
};

Witness oscillator(const std::string& force = "") {
  TextSystem text;
  text.name = "oscillator";
  text.coordinates = {"x"};
  text.kinetic = "x_dot^2/2";
  text.potential = "x^2/2";
  if (!force.empty()) text.force = {force};
  return {define(text), {0.3}, {0.7}};
}

}  // namespace

TEST_CASE("Central differences of order 8 give the Jacobian to the stated accuracy") {
  const auto map = [](const Numbers& x) {
    return Numbers{std::sin(x[0]) * x[1], std::exp(x[0] - x[1]), x[0] * x[0] * x[0]};
  };
  const Number x = 0.4L, y = -0.8L;
  const NumberMatrix<Number> j = difference_jacobian<Number>(map, Numbers{x, y});
  const Number exact[3][2] = {
      {std::cos(x) * y, std::sin(x)}, {std::exp(x - y), -std::exp(x - y)}, {3 * x * x, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(std::fabs(static_cast<double>(j[i][k] - exact[i][k])) < jacobian_error);
  }
  CHECK(difference_jacobian<Number>([](const Numbers&) { return Numbers{}; }, Numbers{x}).empty());
}

TEST_CASE("Determinants: of a rotation, of a matrix that needs pivots, of a singular one") {
  const Number c = std::cos(0.7L), s = std::sin(0.7L);
  CHECK(std::fabs(static_cast<double>(determinant<Number>({{c, -s}, {s, c}}) - 1)) < 4 * eps);
  CHECK(determinant<Number>({{0, 2, 0}, {3, 0, 0}, {0, 0, 5}}) == -30);
  CHECK(determinant<Number>({{1, 2}, {2, 4}}) == 0);
}

TEST_CASE("The step map of the leap-frog on an oscillator has its matrix as Jacobian") {
  JacobianCase leapfrog(oscillator(), Method(Leapfrog{}));
  const Number h = 0.1L, a = 1 - h * h / 2;
  const NumberMatrix<Number> j = step_jacobian(leapfrog.map, leapfrog.start, h);
  const Number exact[2][2] = {{a, h}, {-h * (1 - h * h / 4), a}};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 2; ++k)
      CHECK(std::fabs(static_cast<double>(j[i][k] - exact[i][k])) < jacobian_error);
  }
}

TEST_CASE("Symplecticity: leap-frog is, runge-kutta-4 is not, Lobatto is for every Lagrangian") {
  CHECK(JacobianCase(witness_free_constant_mass(), Method(Leapfrog{})).symplecticity() <
        jacobian_error);
  CHECK(JacobianCase(witness_free_constant_mass(), Method(RungeKutta4{})).symplecticity() >
        clear_defect);
  CHECK(JacobianCase(witness_free(), Method(Gauss{})).symplecticity() > clear_defect);
  for (const Witness& witness :
       {witness_free_constant_mass(), witness_free(), witness_free_general()})
    CHECK(JacobianCase(witness, Method(Lobatto{})).symplecticity() < jacobian_error);
}

TEST_CASE(
    "Volume: kept without constraints by symplectic methods, changed by friction as exp(-ch)") {
  CHECK(JacobianCase(witness_free(), Method(Lobatto{})).volume() < jacobian_error);
  CHECK(JacobianCase(witness_free(), Method(RungeKutta4{})).volume() > clear_defect);
  // Gauss collocation of order 12 is the flow here to 1e-17.
  JacobianCase friction(oscillator("-0.5*x_dot"), Method(Gauss{.stages = 6}));
  const double change = volume_change_minus_one(friction.map, friction.start, Number(0.1L));
  CHECK(std::fabs(change - std::expm1(-0.05)) < jacobian_error);
}

TEST_CASE("Volume of a constraint set: the flow of a coupled system keeps it, and the leap-frog") {
  const Witness witness = witness_coupled();
  const auto keeps = [](const Witness& w) {
    return flow_keeps_volume<Number>(w.system, w.system.default_parameters(), w.q, w.v);
  };
  CHECK(keeps(witness));
  CHECK(!keeps(witness_constant_mass()));
  CHECK(!keeps(witness_general()));  // no coordinates for it
  CHECK(JacobianCase(witness, Method(Leapfrog{})).volume() < jacobian_error);
  CHECK(JacobianCase(witness, Method(Dla01{})).volume() > 1e-5);  // h^3 = 1e-3 times a tenth
}
