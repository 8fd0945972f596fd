// Geometric nonholonomic integrators: the energy that they keep, what they are the same as, and
// numbers on a group.
#include "dalembert/method/node/gni.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/exactness.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/kept_energy.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/group_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Wide = study::Extended;
using GniKind = Gni::Lagrangian;
/// Round-off of some hundred operations on numbers of size one, in wide arithmetic.
constexpr double wide_round_off = 1e-28;

/// Two oscillators that harden, joined by a transmission that a pendulum sets.
System hardening_springs() {
  TextSystem text{"hardening",
                  {"x1", "x2", "xi"},
                  "(x1_dot^2 + x2_dot^2 + xi_dot^2)/2",
                  "(x1^2 + x2^2)/2 + x1^4 + x2^4/2 + 1 - cos(xi)"};
  text.constraints = {"x1_dot + sin(xi)*x2_dot"};
  text.angles = {"xi"};
  return define(text);
}

/// The largest change of the discrete energy in `steps` steps, relative to that at the start.
double change_of_discrete_energy(const System& system, const Method& method,
                                 const std::vector<double>& q, const std::vector<double>& v,
                                 double h, int steps) {
  auto energy = kept_energy<Wide>(system, method, h);
  REQUIRE(energy);
  StepMap<Wide> map(system, method, {});
  BasicPoint<Wide> point = map.start(q, v);
  const auto at = [&] { return (*energy)(point.t, point.q, point.v, point.lambda).front(); };
  const Wide first = at();
  double largest = 0.0;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(map.apply(point, Wide(h)));
    largest = numeric::larger(largest, largest_difference<Wide>({at()}, {first}));
  }
  return largest / static_cast<double>(first);
}

/// The largest difference of two methods in (q, v, lambda) after steps from one start.
double difference_of(const System& system, const Method& a, const Method& b,
                     const std::vector<double>& q, const std::vector<double>& v, int steps = 5) {
  StepMap<Wide> first(system, a, {}), second(system, b, {});
  BasicPoint<Wide> x = first.start(q, v), y = second.start(q, v);
  REQUIRE(first.apply(x, Wide(0.125), static_cast<std::uint64_t>(steps)));
  REQUIRE(second.apply(y, Wide(0.125), static_cast<std::uint64_t>(steps)));
  double largest = largest_difference(x.q, y.q);
  largest = numeric::larger(largest, largest_difference(x.v, y.v));
  return numeric::larger(largest, largest_difference(x.lambda, y.lambda));
}

}  // namespace

TEST_CASE("A discrete gradient keeps an energy for every potential, also in steps that are long") {
  const System system = hardening_springs();
  const std::vector<double> q{0.7, 0.4, 0.3}, v{0.0, 0.2, 1.5};
  const std::vector<std::string> gradients{"mean-value", "gonzalez", "symmetric-increment",
                                           "coordinate-increment"};
  for (const std::string& gradient : gradients) {
    INFO(gradient);
    const Method method = make_method({"gni", {{"gradient", gradient}}});
    CHECK(change_of_discrete_energy(system, method, q, v, 0.125, 50) < wide_round_off);
  }
  // A step of more than the period of the springs over pi, where the leap-frog's energy is no
  // longer positive.
  const Method method = Gni{};
  CHECK(change_of_discrete_energy(system, method, q, v, 1.0, 50) < wide_round_off);
  // The midpoint does so for quadratic potentials alone.
  const Method midpoint = Gni{.lagrangian = GniKind::midpoint};
  CHECK_FALSE(kept_energy<double>(system, midpoint, 0.125));
  TextSystem springs{
      "springs", {"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2", "(x^2 + 2*y^2)/2 + x*z/4"};
  springs.constraints = {"z_dot - y*x_dot"};
  CHECK(change_of_discrete_energy(define(springs), midpoint, {1.0, 1.0, 0.5}, {-0.15, 0.3, 0.7},
                                  0.125, 50) < wide_round_off);
}

TEST_CASE("The audit measures the discrete energy, and rejects another method's") {
  const AuditProblem problem = audit_problem(hardening_springs(), {0.7, 0.4, 0.3}, {0.0, 0.2, 1.5});
  const auto verdict = [&](const Method& method) {
    for (const AuditFinding& finding : audit_exactness<Wide>(problem, method)) {
      if (finding.property == "discrete energy") return finding.verdict;
    }
    return AuditVerdict::not_measured;
  };
  CHECK(verdict(Gni{}) == AuditVerdict::kept);
  CHECK(verdict(Leapfrog{}) == AuditVerdict::not_measured);
  MethodDefinition liar = Method(Leapfrog{}).definition();
  liar.discrete_energy = Method(Gni{}).definition().discrete_energy;
  CHECK(verdict(Method(liar)) == AuditVerdict::broken);
}

TEST_CASE(
    "With the mean of the ends it is the leap-frog, for constant mass; one-sided methods are "
    "adjoint") {
  const System particle = define({.name = "affine",
                                  .coordinates = {"x", "y", "z"},
                                  .kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2",
                                  .potential = "(x^2 + y^2)/2 + z^4/4",
                                  .constraints = {"z_dot - y*x_dot - 0.5"}});
  const std::vector<double> q{1.0, 1.0, 0.5}, v{-0.15, 0.3, 0.7};
  const Method symmetric = Gni{.lagrangian = GniKind::symmetric};
  CHECK(difference_of(particle, symmetric, Leapfrog{}, q, v) < wide_round_off);
  CHECK(difference_of(particle, Gni{}, Leapfrog{}, q, v) > 1e-5);  // a local error
  const Method first = Gni{.lagrangian = GniKind::euler_a},
               last = Gni{.lagrangian = GniKind::euler_b};
  // A step of one forwards and of the other backwards leads home, with the multiplier.
  StepMap<Wide> forwards(particle, first, {}), backwards(particle, last, {});
  const BasicPoint<Wide> start = forwards.start(q, v);
  BasicPoint<Wide> point = start;
  REQUIRE(forwards.apply(point, Wide(0.125)));
  CHECK(largest_difference(point.q, start.q) > 1e-2);
  REQUIRE(backwards.apply(point, Wide(-0.125)));
  CHECK(largest_difference(point.q, start.q) < wide_round_off);
  CHECK(largest_difference(point.v, start.v) < wide_round_off);
  // By a division by the step.
  CHECK(largest_difference(point.lambda, start.lambda) < 8.0 * wide_round_off);
}

TEST_CASE("Suslov's problem: left trivialised momenta, reflected") {
  const System suslov = System::define(
      {.name = "suslov", .coordinates = {{"R", false, "SO(3)"}}}, [](const Symbols& s) {
        Mechanics m;
        const Vector& w = s.v;
        m.kinetic = (square(w[0]) + 2.0 * square(w[1]) + 1.5 * square(w[2])) / 2.0 +
                    (0.4 * w[0] + 0.6 * w[1]) * w[2];
        m.constraints = {w[2]};
        return m;
      });
  const std::vector<double> q{1.0, 0.0, 0.0, 0.0}, v{1.0, 0.25, 0.0};
  StepMap<double> map(suslov, Gni{.lagrangian = GniKind::symmetric}, {});
  BasicPoint<double> point = map.start(q, v);
  REQUIRE(map.apply(point, 0.1, 5));
  // An independent implementation in 34 digits: Cayley's map, mu -+ h/2 mu x omega + h^2/4
  // (omega.mu) omega with mu = I omega at both ends of a step.
  CHECK(point.v[0] == doctest::Approx(0.908802108310774).epsilon(1e-14));
  CHECK(point.v[1] == doctest::Approx(0.38677550259539).epsilon(1e-14));
}

TEST_CASE("One-sided discrete Lagrangians are named as what they are") {
  CHECK(Method(Gni{.lagrangian = GniKind::euler_a}).warning());
  CHECK(Method(Gni{.lagrangian = GniKind::euler_b}).warning());
  CHECK_FALSE(Method(Gni{}).warning());
  // Of springs that harden the energy passes every bound within a hundred units of time.
  const System system = hardening_springs();
  StepMap<double> map(system, Gni{.lagrangian = GniKind::euler_b}, {});
  BasicPoint<double> point =
      map.start(std::vector<double>{0.7, 0.4, 0.3}, std::vector<double>{0.0, 0.2, 1.5});
  const double start = map.energy(point);
  bool stays = true;
  for (int k = 0; k < 1000 && stays; ++k)
    stays = map.apply(point, 0.1) && map.energy(point) < 1e3 * start;
  CHECK_FALSE(stays);
}

TEST_CASE("Increments of coordinates are refused on groups") {
  const GroupSystem ball = rolling_ball();
  const Method method = Gni{.gradient = GradientKind::symmetric_increment};
  REQUIRE(method.misfit(ball.system));
  CHECK(method.misfit(ball.system)->find("use gradient = \"mean-value\"") != std::string::npos);
  CHECK_FALSE(Method(Gni{}).misfit(ball.system));
}
