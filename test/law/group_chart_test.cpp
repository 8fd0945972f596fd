// Methods on R^n, taken on groups in the chart of a step: what carries over, and what does not.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/in_chart.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "support/convergence.hpp"
#include "support/group_systems.hpp"
#include "support/same_tape.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Systems with linear constraints, each with a method that it tries: compiling one takes a second.
std::vector<std::pair<GroupSystem, InChart>> energy_methods() {
  const ReducedGradient mean_value{.gradient = GradientKind::mean_value};
  return {{unicycle(), {.base = EnergyCollocation{.stages = 2}}},
          {heavy_top(), {.base = mean_value, .retraction = Retraction::exponential}},
          {suslov(), {.base = EnergyCollocation{.stages = 2}}},
          {unicycle(), {.base = EnergyCollocation{.stages = 2, .frame = FrameKind::adapted}}},
          {suslov(), {.base = ReducedGradient{}, .origin = ChartBase::start}}};
}

}  // namespace

TEST_CASE("Order, exact energy and constraints carry over to the chart of a step") {
  for (const auto& pair : energy_methods()) {
    const GroupSystem& problem = pair.first;
    const Method method = pair.second;
    INFO(problem.system.name(), ", ", label(method.spec()));
    StepMap<double> map(problem.system, method, {});
    const int order = method.facts().order;

    const BasicPoint<double> start = map.start(problem.q, problem.v);
    const double slope = HalvedStep(map, start, 0.5, order == 2 ? 20 : 6).order();
    INFO("order ", slope);
    CHECK(slope > order - 0.35);
    BasicPoint<double> point = start;
    REQUIRE(map.apply(point, 0.2, 300));
    // Random walks of 300 roundings; the energies are of size 1.
    CHECK(std::fabs(map.energy(point) - map.energy(start)) < 1e-13);
    if (problem.system.constraint_count() > 0)
      CHECK(constraint_defect(map, start, 0.2, 50) < 1e-13);
    // Where the origin is in the middle, symmetry does as well.
    const double defect = symmetry_defect(map, start, 0.2);
    INFO("defect ", defect);
    if (pair.second.origin == ChartBase::middle) CHECK(defect < 1e-12);
    if (pair.second.origin == ChartBase::start) CHECK(defect > 1e-9);
  }
}

TEST_CASE("On coordinates a method in a chart is the method itself") {
  const System system = chaotic().system;
  CHECK(same_tape(StepProgram::compile(system, EnergyCollocation{})->tape(),
                  StepProgram::compile(system, InChart{.base = EnergyCollocation{}})->tape()));
}

TEST_CASE("Bases that handle groups, or need what a chart does not have, are refused") {
  CHECK_THROWS_WITH_AS(Method(InChart{.base = Lobatto{}}),
                       doctest::Contains("it handles groups itself"), RequestError);
  const Method method = InChart{.base = DiscreteDerivative{}};
  const auto reason = method.misfit(heavy_top().system);
  REQUIRE(reason);
  CHECK(reason->find("in the chart of a step") != std::string::npos);
}
