// What methods promise on Lie groups: orders, symmetry, constraints, and momenta that symmetries
// keep, from both sides.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/group_systems.hpp"
#include "support/law.hpp"
#include "support/measured_methods.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

OptionValue method_option(const std::string& name, std::map<std::string, OptionValue> options) {
  return std::make_shared<const MethodSpec>(MethodSpec{name, std::move(options)});
}

std::vector<MethodSpec> group_methods() {
  std::vector<MethodSpec> specs{
      {"runge-kutta-4"},
      {"gauss", {{"stages", 1.0}}},
      {"gauss", {{"stages", 2.0}}},
      {"radau-iia", {{"stages", 2.0}}},
      {"variational-runge-kutta", {{"stages", 3.0}}},
      {"variational-runge-kutta", {{"nodes", std::string("gauss")}, {"stages", 2.0}}},
      {"dla", {{"alpha", 0.0}}},
      {"dla", {{"alpha", 0.3}}},
      {"dla"},
      {"dla", {{"retraction", std::string("exponential")}}},
      {"dla01"},
      {"newmark"},
      {"newmark", {{"retraction", std::string("exponential")}}},
      {"newmark", {{"beta", 0.2}, {"beta_prime", 0.1}}},
      {"lie-newmark"},
      {"lie-newmark", {{"retraction", std::string("exponential")}}},
      {"reduced-gradient"},
      {"reduced-gradient", {{"map", std::string("cayley")}}},
      {"reduced-gradient", {{"gradient", std::string("mean-value")}}},
      {"reduced-gradient",
       {{"gradient", std::string("mean-value")}, {"map", std::string("cayley")}}},
      {"gni"},
      {"gni", {{"gradient", std::string("gonzalez")}}},
      {"gni", {{"retraction", std::string("exponential")}}},
      {"gni", {{"lagrangian", std::string("midpoint")}}},
      {"gni", {{"lagrangian", std::string("symmetric")}}},
      {"gni", {{"lagrangian", std::string("euler-a")}}},
      {"gni", {{"lagrangian", std::string("euler-b")}}},
      {"generalized-alpha"},
      {"generalized-alpha", {{"rho", 0.8}}},
      {"moser-veselov"},
      {"moser-veselov", {{"kinetic", std::string("displacement")}}},
      {"adjoint", {{"base", method_option("dla", {{"alpha", 0.3}})}}},
      {"compose", {{"base", method_option("dla01", {})}}}};
  for (const char* retraction : {"cayley", "exponential"}) {
    const std::pair<const std::string, OptionValue> kind{"retraction", std::string(retraction)};
    specs.push_back({"lie-midpoint", {kind}});
    for (const double stages : {2.0, 3.0, 4.0}) {
      for (const char* name : {"lobatto", "lie-lobatto"})
        specs.push_back({name, {{"stages", stages}, kind}});
    }
  }
  return specs;
}

std::vector<std::pair<GroupSystem, MethodSpec>> group_pairs() {
  std::vector<std::pair<GroupSystem, MethodSpec>> pairs;
  for (const GroupSystem& problem : group_systems()) {
    for (const MethodSpec& spec : group_methods()) {
      if (!make_method(spec).misfit(problem.system)) pairs.emplace_back(problem, spec);
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("Every method that runs on groups is measured there") {
  MeasuredMethods measured;
  for (const auto& pair : group_pairs()) measured.add(pair.second);
  std::set<std::string> refused;
  for (const MethodEntry& entry : methods()) {
    const Method method = make_method({entry.name});
    if (std::ranges::all_of(group_systems(), [&](const GroupSystem& problem) {
          return method.misfit(problem.system).has_value();
        }))
      refused.insert(entry.name);
  }
  // A composition like `compose`, the chart of group_chart_test.cpp, and one that divides its
  // steps.
  refused.insert({"newmark-composition", "chart", "fehlberg-78", "dop853"});
  measured.check(refused);
}

TEST_CASE("Orders on groups are those promised") {
  for (const GroupSystem& problem : group_systems()) {
    AuditProblem wide = audit_problem(problem.system, problem.q, problem.v, true);
    // The disk turns fast: its multipliers have their orders at steps of half the size.
    if (problem.system.name() == "tilting-disk") wide.time = 0.5;
    const OrderAudit<Extended> audit(wide);
    for (const MethodSpec& spec : group_methods()) {
      if (make_method(spec).misfit(problem.system)) continue;
      const std::vector<AuditFinding> findings = audit.findings(wide, make_method(spec));
      // q, v, the local error, and both multipliers where there are some.
      CHECK(findings.size() == (problem.system.constraint_count() > 0 ? 5 : 3));
      for (const AuditFinding& finding : findings) {
        const bool keeps = finding.verdict == AuditVerdict::kept;
        // The ball has every term that a method may get wrong: there no order is higher either, but
        // where a discrete Lagrangian has the potential at one end, which the ball has not.
        const bool is_one_sided = label(spec).find("euler") != std::string::npos;
        const bool higher = finding.verdict == AuditVerdict::surplus &&
                            (problem.system.name() != "rolling-ball" || is_one_sided);
        CHECK_MESSAGE((keeps || higher), problem.system.name(), ", ", label(spec), ", ",
                      finding.property, " ", finding.value_text(), " for ", finding.promise_text());
      }
    }
  }
}

TEST_CASE("Methods with the base point in the middle are symmetric on groups, others are not") {
  double largest_of_published = 0.0;
  for (const auto& pair : group_pairs()) {
    const GroupSystem& problem = pair.first;
    const MethodSpec& spec = pair.second;
    const Method method = make_method(spec);
    StepMap<double> map(problem.system, method, {});
    BasicPoint<double> start = map.start(problem.q, problem.v);
    // From a multiplier of its own, after a step.
    REQUIRE(map.apply(start, 0.2));
    const double defect = symmetry_defect(map, start, 0.2);
    INFO(problem.system.name(), ", ", label(spec), ": ", defect);
    // Round-off of some thousand operations; multipliers are velocities divided by the step.
    const Facts facts = method.facts();
    if (facts.symmetric && !facts.asymmetric_on_groups) CHECK(defect < 1e-12);
    if (spec.name == "lie-lobatto" && problem.system.name() == "rolling-ball")
      CHECK(defect > 1e-11);  // ten times that: it falls with the stages
    if (spec.name == "lie-lobatto")
      largest_of_published = numeric::larger(largest_of_published, defect);
  }
  // A part of the local error at h = 0.2, and not of round-off.
  CHECK(largest_of_published > 1e-5);
}

TEST_CASE("Constraints hold to round-off on groups, and quaternions keep their length") {
  int constrained = 0, quaternions = 0;
  for (const auto& pair : group_pairs()) {
    const GroupSystem& problem = pair.first;
    const MethodSpec& spec = pair.second;
    const Method method = make_method(spec);
    StepMap<double> map(problem.system, method, {});
    const BasicPoint<double> start = map.start(problem.q, problem.v);
    BasicPoint<double> point = start;
    REQUIRE(map.apply(point, 0.1, 200));
    INFO(problem.system.name(), ", ", label(spec));
    if (method.facts().maps_constraint_set && problem.system.constraint_count() > 0) {
      ++constrained;
      CHECK(constraint_defect(map, start, 0.1, 50) < 1e-13);  // round-off, sizes of one
    }
    for (const Configuration::Factor& factor : problem.system.configuration().factors()) {
      if (!factor.group.is_stored_as_quaternion()) continue;
      ++quaternions;
      double square = 0.0;
      for (std::size_t i = 0; i < 4; ++i)
        square += point.q[factor.storage + i] * point.q[factor.storage + i];
      CHECK(std::fabs(square - 1.0) < 2e-15);  // a few roundings of one step: nothing adds up
    }
  }
  CHECK(constrained > 0);
  CHECK(quaternions > 0);
}

TEST_CASE("Momenta that symmetries keep stay at round-off under Lobatto on groups") {
  // Integrals whose keeping is not promised by every method, with those that are exact under a
  // variational momentum balance.
  const std::map<std::string, std::vector<std::size_t>> kept{{"rolling-ball", {0, 1, 2}},
                                                             {"heavy-top", {0}}};
  for (const GroupSystem& problem : {rolling_ball(), heavy_top()}) {
    for (const char* name : {"lobatto", "lie-lobatto", "lie-midpoint"}) {
      StepMap<double> map(problem.system, make_method({name}), {});
      const BasicPoint<double> start = map.start(problem.q, problem.v);
      BasicPoint<double> point = start;
      REQUIRE(map.apply(point, 0.2, 20000));
      const std::vector<double> before = map.integrals(start), after = map.integrals(point);
      for (const std::size_t i : kept.at(problem.system.name())) {
        INFO(problem.system.name(), ", ", name, ", integral ", i);
        const double change = std::fabs(after[i] - before[i]);
        if (std::string(name) == "lie-midpoint") {
          CHECK(change > 1e-5);  // of order 2: h^2 = 0.04 times a thousandth
        } else {
          CHECK(change < 1e-12);  // a random walk of 20000 roundings
        }
      }
    }
  }
}

TEST_CASE("Energies do not drift on groups with the base point in the middle") {
  // The mean over the first and the last quarter of a run: oscillations cancel to their size times
  // what a quarter does not hold of whole periods.
  const auto drift = [](const GroupSystem& problem, const char* name, auto energy_of) {
    StepMap<double> map(problem.system, make_method({name}), {});
    BasicPoint<double> point = map.start(problem.q, problem.v);
    constexpr int steps = 10000;
    double early = 0.0, late = 0.0;
    for (int k = 0; k < steps; ++k) {
      REQUIRE(map.apply(point, 0.3));
      if (k < steps / 4) early += energy_of(map, point);
      if (k >= 3 * steps / 4) late += energy_of(map, point);
    }
    return std::fabs(late - early) / (steps / 4.0);
  };
  const auto energy = [](StepMap<double>& map, const BasicPoint<double>& at) {
    return map.energy(at);
  };
  const auto moving_energy = [](StepMap<double>& map, const BasicPoint<double>& at) {
    return map.integrals(at)[3];
  };
  const double wheel = drift(unicycle(), "lobatto", energy),
               wheel_published = drift(unicycle(), "lie-lobatto", energy);
  INFO("unicycle: ", wheel, ", published ", wheel_published);
  CHECK(wheel < 0.1 * wheel_published);
  const double ball = drift(rolling_ball(), "lobatto", moving_energy),
               ball_published = drift(rolling_ball(), "lie-lobatto", moving_energy);
  INFO("ball: ", ball, ", published ", ball_published);
  CHECK(ball < 0.1 * ball_published);
}
