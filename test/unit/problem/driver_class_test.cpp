// Which problems of the library have drivers and passengers, and why the others have none.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/mechanics/driver_blocks.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// "xi: x1 x2", with a bar where the potential does not split.
std::string parts_text(const System& system) {
  const DriverBlocks blocks = DriverBlocks::of(system);
  std::string text;
  for (const std::size_t i : blocks.drivers) text += system.description().coordinates[i].name + " ";
  text += blocks.potential_splits ? ":" : "|";
  for (const std::size_t i : blocks.passengers)
    text += " " + system.description().coordinates[i].name;
  return text;
}

const std::map<std::string, std::string>& expected_parts() {
  static const std::map<std::string, std::string> parts{{"chaotic", "w_1 w_2 | x z_1 z_2"},
                                                        {"contact-oscillator", "xi : x1 x2"},
                                                        {"coupled", "xi : x1 x2"},
                                                        {"knife-edge", "xi : x1 x2"},
                                                        {"knife-edge-prescribed", ": x1 x2"},
                                                        {"mobile-robot", "xi : x1 x2 x3"},
                                                        {"particle-free", "y : x z"},
                                                        {"particle-harmonic", "xi : x1 x2"},
                                                        {"pendulum-cvt", "xi : x1 x2"},
                                                        {"pendulum-cvt-inverted", "xi : x1 x2"},
                                                        {"rolling-disk", "theta : x y phi"},
                                                        {"witness-coupled", "xi : x1 x2"}};
  return parts;
}

/// Part of the reason why there are none.
const std::map<std::string, std::string>& expected_reasons() {
  const std::string mass = "needs a constant mass matrix", linear = "linear in the velocities",
                    group = "needs coordinates", holonomic = "has holonomic ones";
  static const std::map<std::string, std::string> reasons{
      {"affine-particle", linear},
      {"appell-hamel", linear},
      {"ball-in-cylinder", group},
      {"ball-on-sphere", mass},
      {"ball-on-turntable", linear},
      {"bouncing-disk", "has no constraints"},
      {"bicycle", mass},
      {"car-on-slope", mass},
      {"car-se2", group},
      {"car-with-trailers", mass},
      {"chaplygin-ball", group},
      {"chaplygin-sleigh", mass},
      {"chaplygin-sleigh-centre", "velocity of \"theta\" whose coefficients depend on \"theta\""},
      {"chaplygin-sleigh-se2", group},
      {"chaplygin-top", holonomic},
      {"differential-drive", mass},
      {"dissipative-sleigh", mass},
      {"double-pendulum", holonomic},
      {"heavy-top", group},
      {"heavy-top-pinned", holonomic},
      {"heisenberg", "velocity of \"x\" whose coefficients depend on \"x\""},
      {"heisenberg-h3", group},
      {"henon-heiles", "has no constraints"},
      {"isokinetic-particle", linear},
      {"particle-driven", linear},
      {"rubber-chaplygin-ball", group},
      {"rubber-ellipsoid", holonomic},
      {"veselova-4", holonomic},
      {"wheeled-inverted-pendulum", mass},
      {"rattleback", mass},
      {"rattleback-so3", holonomic},
      {"rigid-body", "needs a Lagrangian"},
      {"rigid-body-so3", group},
      {"roller-racer", "whose coefficients depend on \"theta\""},
      {"rolling-coin", mass},
      {"snakeboard", "whose coefficients depend on \"theta\""},
      {"snakeboard-se2", group},
      {"spherical-pendulum", holonomic},
      {"suslov", "needs a Lagrangian"},
      {"suslov-so3", group},
      {"tilting-disk", mass},
      {"tilting-disk-so3", holonomic},
      {"unicycle-spring", group},
      {"veselova", group},
      {"wheeled-chain", "whose coefficients depend on"},
      {"witness-affine-time", mass},
      {"witness-constant-mass", "whose coefficients depend on \"x\""},
      {"witness-coupled-mass", mass},
      {"witness-free", mass},
      {"witness-general", mass},
      {"witness-timed", linear},
      {"witness-two-constraints", mass}};
  return reasons;
}

/// Ten steps from every start; D holds, and the energy where the method promises it.
void check_runs(const Problem& problem, const Method& method) {
  for (const Start& given : problem.starts) {
    const std::vector<double> parameters = named_parameter_values(problem.system, given.parameters);
    const Start start = prepare_start(problem.system, given);
    if (method.start_misfit(start.v)) continue;
    Stepper stepper(StepProgram::compile(problem.system, method), 0.05, parameters);
    Evaluator evaluator(problem.system, parameters);
    Point point = start_point(stepper, evaluator, start.q, start.v);
    const double energy = evaluator.energy(0.0, point.q, point.v);
    CHECK(stepper.advance(point, 0.0, 0, 10).status == StepStatus::ok);
    // Set anew in each step: the products and the sum of a row, of numbers up to 5.
    CHECK(evaluator.constraint_error(point.t, point.q, point.v) <
          test_support::round_off_of(9.0, 5.0));
    if (method.facts().exact_energy)
      CHECK(std::fabs(evaluator.energy(point.t, point.q, point.v) - energy) <
            1e-13 * (1.0 + std::fabs(energy)));
  }
}

}  // namespace

TEST_CASE("Every problem of the library has drivers and passengers or a reason why not") {
  const Method method = make_method({"driver-splitting", {}});
  const Method exact = make_method({"driver-splitting", {{"driver", std::string("energy")}}});
  const Method speed = make_method({"speed-splitting", {}});
  std::size_t count = 0;
  for (const std::string& name : study::problem_names()) {
    CAPTURE(name);
    ++count;
    const Problem problem = load_problem(name);
    const auto misfit = method.misfit(problem.system);
    if (expected_parts().contains(name)) {
      REQUIRE_FALSE(misfit);
      CHECK(parts_text(problem.system) == expected_parts().at(name));
      check_runs(problem, method);
      check_runs(problem, exact);
      const auto refusal = speed.misfit(problem.system);
      CHECK(refusal.has_value() == problem.system.traits().time_dependent);
      if (!refusal) check_runs(problem, speed);
    } else {
      REQUIRE(misfit);
      CHECK(speed.misfit(problem.system));
      CHECK(misfit->starts_with("method \"driver-splitting\" cannot be used on system \"" + name +
                                "\": it "));
      CHECK_MESSAGE(misfit->find(expected_reasons().at(name)) != std::string::npos, *misfit);
      CHECK_THROWS_AS(DriverBlocks::of(problem.system), RequestError);
    }
  }
  CHECK(count == expected_parts().size() + expected_reasons().size());
}
