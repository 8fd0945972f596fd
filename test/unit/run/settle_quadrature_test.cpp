#include "dalembert/run/settle_quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

const std::vector<double> place{0.3, 0.1, 0.0}, velocity{0.7, -0.45, 0.07};
constexpr double step = 0.1;

/// A particle that passes a centre of attraction, softened over a distance of 0.1 or of 1: the
/// first is seen by a step of 0.1, the energy's derivative has a singularity beside it.
System attracted(bool is_near) {
  TextSystem text = particle_in_space("attracted");
  text.potential = "(x^2 + y^2 + z^2)/2 - 0.3/sqrt((x - p)^2 + y^2 + s^2)";
  text.parameters = {{"p", is_near ? 1.0 : 3.0}, {"s", is_near ? 0.1 : 1.0}};
  text.constraints = {"z_dot - y*x_dot"};
  return define(text);
}

double energy_error(const System& system, const Method& method, std::uint64_t steps) {
  const Solution solution =
      simulate(system, method, StartChoice(place, velocity), {.step = step, .steps = steps});
  REQUIRE(solution.ok());
  double largest = 0.0;
  for (const double energy : solution.energy())
    largest = numeric::larger(largest, std::fabs(energy - solution.energy(0)));
  return largest;
}

OptionValue nodes_of(const Method& method) { return method.spec().options.at("quadrature"); }

/// Round-off of some units in each step, which walks.
double random_walk(std::uint64_t steps) { return 32 * 2.2e-16 * std::sqrt(double(steps)); }

}  // namespace

TEST_CASE("nodes are added until the energy stands still, and only where that is needed") {
  const Method open = make_method({"energy-collocation", {}});
  const auto smooth = StepProgram::compile(attracted(false), open);
  CHECK(settle_quadrature(smooth, {}, place, velocity, step) == smooth);
  const auto rough = StepProgram::compile(attracted(true), open);
  const auto settled = settle_quadrature(rough, {}, place, velocity, step);
  CHECK(settled != rough);
  CHECK(std::get<double>(nodes_of(settled->method())) >= 16.0);
  // The choice is of these arguments alone.
  CHECK(nodes_of(settle_quadrature(open, attracted(true), {}, place, velocity, step)) ==
        nodes_of(settled->method()));
  // A step so short that the first rule resolves the centre needs no more.
  CHECK(settle_quadrature(rough, {}, place, velocity, step / 16.0) == rough);
}

TEST_CASE("a run keeps the energy of a root to round-off where a fixed rule lost it") {
  const System system = attracted(true);
  constexpr std::uint64_t steps = 1000;
  CHECK(energy_error(system, make_method({"energy-collocation", {}}), steps) < random_walk(steps));
  // Ratio of convergence about 1.3 per node along the step that passes the centre: 9 nodes leave
  // some 1e-7, which sums up.
  CHECK(energy_error(system, make_method({"energy-collocation", {{"quadrature", 9.0}}}), steps) >
        1e-8);
}

TEST_CASE("a base within another method is settled, too") {
  const auto one_stage =
      std::make_shared<const MethodSpec>(MethodSpec{"energy-collocation", {{"stages", 1.0}}});
  const Method composed = make_method({"compose", {{"base", one_stage}}});
  const Method settled = settle_quadrature(composed, attracted(true), {}, place, velocity, step);
  const auto base = std::get<std::shared_ptr<const MethodSpec>>(settled.spec().options.at("base"));
  CHECK(std::holds_alternative<double>(base->options.at("quadrature")));
  // Nothing is open in others.
  const Method other = make_method({"dla01", {}});
  const Method same = settle_quadrature(other, attracted(true), {}, place, velocity, step);
  CHECK(&same.definition() == &other.definition());
}

TEST_CASE("a rule has as many nodes as stages, and promises the energy with enough of them") {
  const auto with = [](double nodes) {
    return make_method({"energy-collocation", {{"stages", 3.0}, {"quadrature", nodes}}});
  };
  CHECK_FALSE(with(3.0).facts().exact_energy);
  CHECK(with(10.0).facts().exact_energy);
  CHECK_THROWS_WITH_AS(with(2.0), doctest::Contains("needs as many nodes as stages"), RequestError);
  CHECK_THROWS_AS(with(65.0), RequestError);
  CHECK_THROWS_AS(with(9.5), RequestError);
  CHECK(label(with(10.0).spec()) == "energy-collocation(quadrature=10, stages=3)");
  CHECK_THROWS_WITH_AS(make_method({"energy-collocation", {{"quadrature", std::string("many")}}}),
                       doctest::Contains("it must be a number or auto"), RequestError);
}
