// Symbolic mechanics against hand-derived formulas.

#include "dalembert/mechanics/system.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"
#include "support/text_system.hpp"
#include "support/witness.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Numbers = std::vector<double>;

TextSystem pendulum_cvt_text() {
  TextSystem text;
  text.name = "pendulum-cvt";
  text.coordinates = {"x1", "x2", "xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "(x1^2 + x2^2)/2 + 1 - cos(xi) - epsilon*sin(2*xi)/2";
  text.constraints = {"x1_dot + sin(xi)*x2_dot"};
  text.parameters = {{"epsilon", 0.4}};
  return text;
}

TextSystem knife_edge_text() {
  TextSystem text;
  text.name = "knife-edge";
  text.coordinates = {"x1", "x2", "xi"};
  text.kinetic = "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2";
  text.potential = "-f*x1";
  text.constraints = {"-sin(xi)*x1_dot + cos(xi)*x2_dot"};
  text.parameters = {{"f", 1.5}};
  return text;
}

TextSystem rolling_disk_text() {
  TextSystem text;
  text.name = "rolling-disk";
  text.coordinates = {"x", "y", "phi", "theta"};
  text.kinetic = "(m*(x_dot^2 + y_dot^2) + I*phi_dot^2 + J*theta_dot^2)/2";
  text.potential = "k*(x^2 + y^2)/2";
  text.constraints = {"x_dot - r*phi_dot*cos(theta)", "y_dot - r*phi_dot*sin(theta)"};
  text.parameters = {{"m", 2.0}, {"I", 1.25}, {"J", 0.75}, {"r", 0.5}, {"k", 0.6}};
  return text;
}

TextSystem sleigh_text() {
  TextSystem text;
  text.name = "chaplygin-sleigh";
  text.coordinates = {"x1", "x2", "theta"};
  text.kinetic =
      "(m*(x1_dot^2 + x2_dot^2) + (J + m*a^2)*theta_dot^2)/2 + m*a*theta_dot*(cos(theta)*x2_dot - "
      "sin(theta)*x1_dot)";
  text.potential = "0";
  text.constraints = {"-sin(theta)*x1_dot + cos(theta)*x2_dot"};
  text.parameters = {{"m", 1.5}, {"a", 0.8}, {"J", 2.0}};
  return text;
}

/// Sums of some ten products by hand, and the elimination of three unknowns or so.
constexpr double mechanics_round_off = round_off_of(30.0);

void check_near(double found, double expected) {
  CHECK(found == doctest::Approx(expected).epsilon(mechanics_round_off).scale(1.0));
}

}  // namespace

TEST_CASE("Pendulum CVT: energy, multiplier and acceleration by hand") {
  Evaluator evaluator(define(pendulum_cvt_text()));
  const Numbers q{0.7, -0.4, 0.9};
  const double s = std::sin(0.9), c = std::cos(0.9), e = 0.4, w = 1.3, u = 0.6;
  const Numbers v{-s * u, u, w};
  check_near(evaluator.energy(0, q, v), (s * s * u * u + u * u + w * w) / 2 + (0.49 + 0.16) / 2 +
                                            1 - c - e * std::sin(1.8) / 2);
  // A = (1, s, 0): lambda = -(c w u - x1 - s x2)/(1 + s^2).
  const double lambda = -(c * w * u - 0.7 - s * -0.4) / (1 + s * s);
  double found = 0.0;
  evaluator.multiplier(0, q, v, {&found, 1});
  check_near(found, lambda);
  const Numbers a = evaluator.acceleration(0, q, v);
  check_near(a[0], -0.7 + lambda);
  check_near(a[1], 0.4 + s * lambda);
  check_near(a[2], -s + e * std::cos(1.8));
}

TEST_CASE("Knife edge: the known motion down the incline") {
  Evaluator evaluator(define(knife_edge_text()));
  // With the blade along (cos xi, sin xi), speed u and turning rate w: u' = f cos xi, w' = 0 and
  // lambda = u w + f sin xi.
  const double xi = 0.8, u = 0.7, w = 1.1, f = 1.5;
  const Numbers q{0.0, 0.0, xi}, v{u * std::cos(xi), u * std::sin(xi), w};
  double lambda = 0.0;
  evaluator.multiplier(0, q, v, {&lambda, 1});
  check_near(lambda, u * w + f * std::sin(xi));
  const Numbers a = evaluator.acceleration(0, q, v);
  check_near(a[0], f * std::cos(xi) * std::cos(xi) - u * w * std::sin(xi));
  check_near(a[1], f * std::cos(xi) * std::sin(xi) + u * w * std::cos(xi));
  check_near(a[2], 0.0);
}

TEST_CASE("Rolling disk with a spring: the reduced equation of the rolling speed") {
  Evaluator evaluator(define(rolling_disk_text()));
  const double theta = 0.6, u = 0.9, w = -0.7, m = 2.0, i = 1.25, r = 0.5, k = 0.6;
  const Numbers q{0.3, -0.2, 0.1, theta}, v{r * u * std::cos(theta), r * u * std::sin(theta), u, w};
  const Numbers a = evaluator.acceleration(0, q, v);
  // (I + m r^2) phi'' = -k r (x cos theta + y sin theta), theta'' = 0.
  const double phi2 = -k * r * (0.3 * std::cos(theta) - 0.2 * std::sin(theta)) / (i + m * r * r);
  check_near(a[2], phi2);
  check_near(a[3], 0.0);
  check_near(a[0], r * (phi2 * std::cos(theta) - u * w * std::sin(theta)));
  check_near(a[1], r * (phi2 * std::sin(theta) + u * w * std::cos(theta)));
  double lambda[2];
  evaluator.multiplier(0, q, v, lambda);
  check_near(lambda[0], m * a[0] + k * 0.3);
  check_near(lambda[1], m * a[1] - k * 0.2);
}

TEST_CASE("Chaplygin sleigh: u' = a w^2, (J + m a^2) w' = -m a u w") {
  Evaluator evaluator(define(sleigh_text()));
  const double th = 0.5, u = 0.7, w = 1.2, m = 1.5, a = 0.8, inertia = 2.0;
  const Numbers q{0.0, 0.0, th}, v{u * std::cos(th), u * std::sin(th), w};
  const Numbers x = evaluator.acceleration(0, q, v);
  check_near(x[2], -m * a * u * w / (inertia + m * a * a));
  check_near(x[0], a * w * w * std::cos(th) - u * w * std::sin(th));
  check_near(x[1], a * w * w * std::sin(th) + u * w * std::cos(th));
  check_near(evaluator.energy(0, q, v), (m * u * u + (inertia + m * a * a) * w * w) / 2);
}

TEST_CASE("Momentum, mass and Lagrangian gradient are derivatives of one Lagrangian") {
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass(),
                                 witness_two_constraints(), witness_general()}) {
    const System& s = witness.system;
    const Symbols y = s.symbols();
    const Expr l = s.lagrangian(y.q, y.v);
    const Vector p = s.momentum(y.q, y.v), dq = s.lagrangian_gradient(y.q, y.v),
                 dv = gradient(l, y.v), dl = gradient(l, y.q);
    const Matrix mass = s.mass(y.q, y.v);
    DirectEvaluation<double> value(concatenate({y.q, y.v}), [&] {
      Numbers at = witness.q;
      at.insert(at.end(), witness.v.begin(), witness.v.end());
      return at;
    }());
    for (std::size_t i = 0; i < s.dof(); ++i) {
      check_near(value(p[i]), value(dv[i]));
      check_near(value(dq[i]), value(dl[i]));
      for (std::size_t j = 0; j < s.dof(); ++j)
        check_near(value(mass(i, j)), value(gradient(dv[i], y.v)[j]));
    }
    check_near(value(s.energy(y.q, y.v)), value(dot(p, y.v)) - value(l));
    check_near(value(s.potential(y.q)), -value(s.lagrangian(y.q, zeros(s.dof()))));
  }
}

TEST_CASE("Mechanics at other points is substitution") {
  const System s = define(pendulum_cvt_text());
  const Symbols y = s.symbols();
  const Vector other{y.q[1], 2.0 * y.q[0], y.q[2] + 1.0};
  CHECK(same(s.constraint_matrix(other)(0, 1), sin(y.q[2] + 1.0)));
  CHECK(same(s.potential_gradient(other)[1], 2.0 * y.q[0]));
}

TEST_CASE("The constraint and the energy are constant along the flow") {
  // d/dt Phi = 0 at every point, also off the constraint; dH/dt = 0 on it.
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass(),
                                 witness_two_constraints(), witness_general()}) {
    const System& s = witness.system;
    const Symbols y = s.symbols();
    const Vector variables = concatenate({y.q, y.v});
    const Vector flow = concatenate({y.v, s.eliminated(y.q, y.v).acceleration});
    const Vector change = directional_derivative(s.constraint(y.q, y.v), variables, flow);
    const Vector projected = s.projected_velocity(y.q, y.v, y.t);
    const Expr power = directional_derivative({s.energy(y.q, y.v)}, variables, flow).front();
    const Vector on_d =
        substitute(concatenate({Vector{power}, s.constraint(y.q, y.v)}), y.v, projected);
    numeric_test::Random random{5};
    for (int k = 0; k < 10; ++k) {
      Numbers at;
      for (std::size_t i = 0; i < variables.size(); ++i) at.push_back(random.uniform(-0.8, 0.8));
      DirectEvaluation<double> value(variables, at);
      for (const Expr& entry : change) CHECK(std::fabs(value(entry)) < mechanics_round_off);
      for (std::size_t i = 1; i < on_d.size(); ++i)
        CHECK(std::fabs(value(on_d[i])) < mechanics_round_off);
      if (s.traits().constraints == ConstraintKind::linear)
        CHECK(std::fabs(value(on_d[0])) < mechanics_round_off);
    }
  }
}

TEST_CASE("The projection is orthogonal in the metric of the mass, and idempotent") {
  const Witness witness = witness_coupled_mass();
  Evaluator evaluator(witness.system);
  const Numbers once = evaluator.projected_velocity(0, witness.q, witness.v);
  const Numbers twice = evaluator.projected_velocity(0, witness.q, once);
  for (std::size_t i = 0; i < 3; ++i) check_near(twice[i], once[i]);
  CHECK(evaluator.constraint_error(0, witness.q, once) < round_off_of(8.0));  // of one row
  // What is taken away is M^-1 A^T times something.
  const System& s = witness.system;
  const Symbols y = s.symbols();
  DirectEvaluation<double> value(y.q, witness.q);
  Numbers impulse;
  const Matrix mass = s.mass(y.q), a = s.constraint_matrix(y.q);
  for (std::size_t i = 0; i < 3; ++i) {
    impulse.push_back(0.0);
    for (std::size_t j = 0; j < 3; ++j) impulse[i] += value(mass(i, j)) * (witness.v[j] - once[j]);
  }
  for (std::size_t i = 1; i < 3; ++i)
    check_near(impulse[0] * value(a(0, i)), impulse[i] * value(a(0, 0)));
}

TEST_CASE("The velocity of a momentum") {
  const Witness witness = witness_coupled_mass();
  Evaluator evaluator(witness.system);
  const System& s = witness.system;
  const Symbols y = s.symbols();
  DirectEvaluation<double> value(concatenate({y.q, y.v}), [&] {
    Numbers at = witness.q;
    at.insert(at.end(), witness.v.begin(), witness.v.end());
    return at;
  }());
  Numbers p;
  for (const Expr& entry : s.momentum(y.q, y.v)) p.push_back(value(entry));
  const Numbers v = evaluator.velocity_of_momentum(0, witness.q, p);
  for (std::size_t i = 0; i < 3; ++i) check_near(v[i], witness.v[i]);
}

TEST_CASE("Traits: Lagrangian, constraints, time, force") {
  const auto traits = [](const std::string& kinetic, const std::string& constraint,
                         const std::string& force = "") {
    TextSystem text;
    text.name = "traits";
    text.coordinates = {"x", "y"};
    text.kinetic = kinetic;
    text.potential = "x^2";
    if (!constraint.empty()) text.constraints = {constraint};
    if (!force.empty()) text.force = {force, "0"};
    return define(text).traits();
  };
  const std::string plain = "x_dot^2 + y_dot^2", linear = "x_dot + x*y_dot";
  CHECK(traits(plain, "").constraints == ConstraintKind::none);
  CHECK(traits(plain, linear).constraints == ConstraintKind::linear);
  CHECK(traits(plain, linear + " + y").constraints == ConstraintKind::affine);
  CHECK(traits(plain, linear + " + 1").constraints == ConstraintKind::affine);
  CHECK(traits(plain, "x_dot^2 - y_dot").constraints == ConstraintKind::nonlinear);
  CHECK(traits(plain, linear).lagrangian == LagrangianKind::constant_mass);
  CHECK(traits(plain + " + x_dot*y_dot/2", linear).lagrangian == LagrangianKind::constant_mass);
  CHECK(traits(plain + " + x^2*y_dot^2", linear).lagrangian == LagrangianKind::configuration_mass);
  CHECK(traits(plain + " + x*y_dot", linear).lagrangian == LagrangianKind::general);
  CHECK(traits(plain + " + x_dot^4", linear).lagrangian == LagrangianKind::general);
  CHECK_FALSE(traits(plain, linear).time_dependent);
  CHECK(traits(plain, "x_dot + sin(t)*y_dot").time_dependent);
  CHECK(traits(plain + " + cos(t)*x", linear).time_dependent);
  CHECK_FALSE(traits(plain, linear).forced);
  CHECK_FALSE(traits(plain, linear, "0").forced);
  CHECK(traits(plain, linear, "-x_dot").forced);
  CHECK(traits(plain, linear, "sin(t)").time_dependent);
}

TEST_CASE("Functions of a system refuse other sizes, and expressions of another system") {
  const System s = define(pendulum_cvt_text()), other = define(pendulum_cvt_text());
  const Symbols y = s.symbols(), again = s.symbols(), foreign = other.symbols();
  const auto refused = [](const auto& make, const std::string& part) {
    try {
      static_cast<void>(make());
      FAIL_CHECK("accepted; expected: ", part);
    } catch (const RequestError& error) {
      CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
    }
  };
  const Vector short_q{y.q[0], y.q[1]};
  refused([&] { return s.potential_gradient(short_q); },
          "potential_gradient of system \"pendulum-cvt\": q has 2 entries where 3 are needed");
  refused([&] { return s.mass(short_q); }, "q has 2 entries where 3");
  refused([&] { return s.energy(y.q, {y.v[0]}); }, "v has 1 entry where 3");
  refused([&] { return s.constraint_force(y.q, {1.0, 2.0}); }, "2 entries");
  refused([&] { return s.energy(foreign.q, foreign.v); }, "system");
  refused([&] { return s.energy(y.q, again.v); }, "take symbols() once");
  refused([&] { return s.symbols(foreign.t); }, "system");
}

TEST_CASE("Constants, frozen equations and symbols beside others go together") {
  const System s = define(pendulum_cvt_text());
  const Symbols y = s.symbols(), beside = s.symbols(y.t);
  CHECK(same(y.q[0] + beside.q[0], 2.0 * y.q[0]));
  CHECK(s.symbols(0.5).q.size() == 3);
  const Vector q{1.0, 2.0, 0.0}, v{0.0, 0.0, 1.0};
  CHECK(s.mass(q)(0, 0).is_constant(1.0));
  CHECK(s.constraint(q, v).size() == 1);
  CHECK(s.eliminated(q, v).acceleration.size() == 3);
  CHECK(same(s.mechanics().constraints.front() - s.constraint(y.q, y.v).front(), 0.0));
}

TEST_CASE("An expression outlives its system") {
  std::optional<Expr> energy;
  Vector symbols;
  {
    const System s = define(pendulum_cvt_text());
    const Symbols y = s.symbols();
    energy = s.energy(y.q, y.v);
    symbols = concatenate({y.q, y.v});
  }
  CHECK(gradient(*energy, symbols).size() == 6);
}
