// Steady motions of the sleigh that attract their neighbours, or that are many, under every method:
// which stay, and what multipliers that are carried make of them.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/audit/equilibrium.hpp"
#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/node/generalized_alpha.hpp"
#include "dalembert/method/node/gni.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/law.hpp"
#include "support/text_system.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double mass = 1.2, inertia = 0.7, arm = 0.6;
/// The rate at which turning dies out at the speed 0.6/sqrt(m).
const double decay = arm * mass / (inertia + mass * arm * arm) * 0.6 / std::sqrt(mass);

/// The sleigh by its blade; the mass depends on the configuration. Balanced without an arm.
System sleigh_by_blade(double reach) {
  TextSystem text{.name = "sleigh",
                  .coordinates = {"x", "y", "theta"},
                  .kinetic =
                      "(1.2*(x_dot^2 + y_dot^2) + 2.4*a*theta_dot*(y_dot*cos(theta) - "
                      "x_dot*sin(theta)) + (0.7 + 1.2*a^2)*theta_dot^2)/2",
                  .potential = "0",
                  .constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"},
                  .parameters = {{"a", reach}},
                  .frame = {{"0", "0", "1/sqrt(0.7 + 1.2*a^2)"},
                            {"cos(theta)/sqrt(1.2)", "sin(theta)/sqrt(1.2)", "0"}},
                  .angles = {"theta"}};
  return define(text);
}

/// The sleigh by its centre of mass, of constant mass.
System sleigh_by_centre() {
  TextSystem text{.name = "sleigh by its centre",
                  .coordinates = {"x", "y", "theta"},
                  .kinetic = "(1.2*(x_dot^2 + y_dot^2) + 0.7*theta_dot^2)/2",
                  .potential = "0",
                  .constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot - 0.6*theta_dot"},
                  .angles = {"theta"}};
  return define(text);
}

/// The speed along the blade.
double speed(const BasicPoint<double>& point) {
  return std::cos(point.q[2]) * point.v[0] + std::sin(point.q[2]) * point.v[1];
}

struct End {
  bool arrives = false;
  double speed = 0.0, turning = 0.0;
};

End run_to(const System& system, const Method& method, const std::vector<double>& q,
           const std::vector<double>& v, double h, double until) {
  StepMap<double> map(system, method, {});
  BasicPoint<double> point = map.start(q, v);
  if (!map.apply(point, h, static_cast<std::uint64_t>(std::lround(until / h)))) return {};
  return {true, speed(point), point.v[2]};
}

/// sqrt(m) u - 0.6 after a run that begins backwards, just beside the unstable straight line.
End turn_round(const System& system, const Method& method, double h) {
  const double u = -0.6 / std::sqrt(mass), w = 0.001 / std::sqrt(inertia + mass * arm * arm);
  End end =
      run_to(system, method, {-5.0, 0.0, 0.1}, {u * std::cos(0.1), u * std::sin(0.1), w}, h, 150.0);
  end.speed = std::sqrt(mass) * end.speed - 0.6;
  return end;
}

/// u - 0.8 after two hundred units of time on a circle of the balanced sleigh.
End on_a_circle(const System& system, const Method& method) {
  End end = run_to(system, method, {0.0, 0.0, 0.5}, {0.8 * std::cos(0.5), 0.8 * std::sin(0.5), 1.5},
                   0.2, 200.0);
  end.speed -= 0.8;
  return end;
}

/// What the argument asks of a map: symmetric, reversible, on D, and of (q, v) alone.
bool turns_round(const Method& method, const System& system) {
  const Facts facts = method.facts();
  return facts.symmetric && facts.reversible && facts.maps_constraint_set &&
         facts.multiplier_growth.value_or(0) == 0 && !method.misfit(system);
}

/// Such methods of the library that fit the system, with their default options.
std::vector<Method> methods_that_turn(const System& system) {
  std::vector<Method> result;
  for (const MethodSpec& spec : method_variants(Variants::defaults)) {
    const Method method = make_method(spec);
    if (turns_round(method, system)) result.push_back(method);
  }
  CHECK(result.size() == 16);
  return result;
}

/// The growth of the multiplier between two times, per unit of time, from a small one.
double growth_of_multiplier(const Method& method, double from, double to) {
  constexpr double h = 0.5;
  const double u = 0.6 / std::sqrt(mass), w = 0.001 / std::sqrt(inertia + mass * arm * arm);
  StepMap<double> map(sleigh_by_centre(), method, {});
  BasicPoint<double> point =
      map.start(std::vector<double>{0.0, 0.0, 0.0}, std::vector<double>{u, arm * w, w});
  const auto largest_until = [&](double until) {
    // Of a step and the next one: the sign changes.
    double largest = 0.0;
    while (static_cast<double>(point.t) < until - 0.25) {
      REQUIRE(map.apply(point, h));
      if (point.t > until - 1.25) largest = numeric::larger(largest, std::fabs(point.lambda[0]));
    }
    return largest;
  };
  const double first = largest_until(from), last = largest_until(to);
  return std::log(last / first) / (to - from);
}

}  // namespace

TEST_CASE(
    "Symmetric maps on D lead the sleigh from an unstable motion to the stable one of its speed") {
  const System system = sleigh_by_blade(arm);
  for (const Method& method : methods_that_turn(system)) {
    INFO(method.name());
    for (const double h : {0.5, 0.25}) {
      const End end = turn_round(system, method, h);
      REQUIRE(end.arrives);
      // The exact speed, and up to the energy that the start's turning has for such a step: h^2/12
      // of it, and less.
      const double exact = std::sqrt(0.36 + 1e-6) - 0.6;
      CHECK(std::fabs(end.speed - exact) < 0.04 * exact);
      CHECK(std::fabs(end.turning) < 1e-12);
    }
  }
  // One-sided weights lose or gain a part that falls with the step; so does a weight near the half.
  for (const double alpha : {0.0, 0.4, 0.49}) {
    const double coarse = turn_round(system, Dla{.alpha = alpha}, 0.5).speed,
                 fine = turn_round(system, Dla{.alpha = alpha}, 0.25).speed;
    CHECK(coarse < -1e-4);
    CHECK(coarse / fine > 1.6);
    CHECK(coarse / fine < 2.4);
  }
}

TEST_CASE("Every circle of the balanced sleigh stays under symmetric maps on D") {
  const System system = sleigh_by_blade(0.0);
  for (const Method& method : methods_that_turn(system)) {
    INFO(method.name());
    const End end = on_a_circle(system, method);
    REQUIRE(end.arrives);
    // Round-off of a thousand steps.
    CHECK(std::fabs(end.speed) < 1e-11);
  }
  // No multiplier grows where nothing is approached.
  CHECK(std::fabs(on_a_circle(system, Gni{}).speed) < 1e-11);
  // Others leave: explicit methods, damping, and collocation off D.
  CHECK(on_a_circle(system, Dla{.alpha = 0.49}).speed < -1e-2);
  CHECK(on_a_circle(system, GeneralizedAlpha{.rho = 0.8}).speed < -1e-3);
  CHECK(on_a_circle(system, make_method({"gauss", {{"stages", 1.0}}})).speed < -0.1);
}

TEST_CASE("A multiplier that is carried grows where motions approach an equilibrium") {
  // Of reflections as fast as turning dies out, of Lobatto's methods by the number of stages less
  // one; up to what the step changes of the rate, about (sigma h)^2/24, and of s = 4 transients.
  CHECK(growth_of_multiplier(Leapfrog{}, 10.0, 30.0) == doctest::Approx(decay).epsilon(0.02));
  CHECK(growth_of_multiplier(Gni{}, 10.0, 30.0) == doctest::Approx(decay).epsilon(0.02));
  CHECK(growth_of_multiplier(Gni{.lagrangian = Gni::Lagrangian::symmetric}, 10.0, 30.0) ==
        doctest::Approx(decay).epsilon(0.02));
  CHECK(growth_of_multiplier(Lobatto{.stages = 3, .multiplier = Lobatto::Multiplier::carried}, 40.0,
                             60.0) == doctest::Approx(decay / 2.0).epsilon(0.02));
  CHECK(growth_of_multiplier(Lobatto{.stages = 4, .multiplier = Lobatto::Multiplier::carried}, 60.0,
                             80.0) == doctest::Approx(decay / 3.0).epsilon(0.02));
  // It leads the sleigh away: with the leap-frog it turns round, and runs backwards.
  const double u = 0.6 / std::sqrt(mass), w = 0.001 / std::sqrt(inertia + mass * arm * arm);
  const auto forwards = [&](const Method& method, double until) {
    return run_to(sleigh_by_centre(), method, {0.0, 0.0, 0.0}, {u, arm * w, w}, 0.5, until);
  };
  CHECK(std::sqrt(mass) * forwards(Leapfrog{}, 60.0).speed == doctest::Approx(-0.6).epsilon(1e-3));
  for (const Method& method : {Method(Dla01{}), Method(Spark{}), Method(GeneralizedAlpha{}),
                               Method(Lobatto{.multiplier = Lobatto::Multiplier::closed})}) {
    INFO(method.name());
    CHECK(std::sqrt(mass) * forwards(method, 60.0).speed == doctest::Approx(0.6).epsilon(1e-5));
  }
}

TEST_CASE("The audit sees it in the step's eigenvalues, and rejects a promise") {
  AuditProblem problem =
      audit_problem(sleigh_by_centre(), {0.0, 0.0, 0.0}, {0.6 / std::sqrt(mass), 0.0, 0.0});
  const auto equilibrium = stable_equilibrium(problem);
  REQUIRE(equilibrium);
  CHECK(equilibrium->decay == doctest::Approx(decay).epsilon(1e-6));
  const auto growth = [&](const Method& method) {
    return growth_at_equilibrium<Extended>(problem, method, *equilibrium);
  };
  // An error of the third root of double's round-off where eigenvalues meet.
  CHECK(growth(Leapfrog{}) == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(growth(Gni{.lagrangian = Gni::Lagrangian::midpoint}) == doctest::Approx(1.0).epsilon(1e-3));
  CHECK(growth(Lobatto{.stages = 5, .multiplier = Lobatto::Multiplier::carried}) ==
        doctest::Approx(0.25).epsilon(1e-3));
  CHECK(growth(Spark{}) < 1e-3);
  CHECK(growth(GeneralizedAlpha{.rho = 0.5}) < 1e-3);
  MethodDefinition liar = Method(Leapfrog{}).definition();
  liar.facts.multiplier_growth = 0;
  CHECK(audit_equilibrium<Extended>(problem, Method(liar), *equilibrium).verdict ==
        AuditVerdict::broken);
  // So is another rate.
  liar.facts.multiplier_growth = 2;
  CHECK(audit_equilibrium<Extended>(problem, Method(liar), *equilibrium).verdict ==
        AuditVerdict::broken);
  // What the leap-frog carries between the nodes is a part of the velocity.
  for (const Method& method :
       {Method(Leapfrog{}), Method(Leapfrog{.first = Leapfrog::First::drift}), Method(Gni{}),
        Method(Lobatto{.stages = 4, .multiplier = Lobatto::Multiplier::carried})}) {
    INFO(label(method.spec()));
    CHECK(audit_equilibrium<Extended>(problem, method, *equilibrium).verdict ==
          AuditVerdict::absent);
  }
  CHECK(audit_equilibrium<Extended>(problem, GeneralizedAlpha{}, *equilibrium).verdict ==
        AuditVerdict::kept);
  // Backwards it is unstable; balanced it attracts nothing; on a circle it is not straight.
  problem.v[0] = -problem.v[0];
  CHECK_FALSE(stable_equilibrium(problem));
  CHECK_FALSE(
      stable_equilibrium(audit_problem(sleigh_by_blade(0.0), {0.0, 0.0, 0.0}, {0.6, 0.0, 0.0})));
  CHECK_FALSE(
      stable_equilibrium(audit_problem(sleigh_by_blade(0.0), {0.0, 0.0, 0.0}, {0.6, 0.0, 1.0})));
}
