// Drivers and passengers: how they are found, and which methods keep them apart.

#include "dalembert/audit/fibration.hpp"

#include <doctest/doctest.h>

#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Number = long double;

struct Defects {
  double fibration, drivers, passengers;
};

Defects defects(const Witness& witness, const Method& method) {
  StepMap<Number> map(witness.system, method, witness.system.default_parameters());
  const BasicPoint<Number> start = map.start(witness.q, witness.v);
  const Coupling coupling = *find_coupling(witness.system);
  const Number h = 0.1L;
  const PartEnergyDefects energies = part_energy_defects(map, start, h, coupling, 5);
  return {fibration_defect(map, start, h, coupling, 5), energies.drivers, energies.passengers};
}

TextSystem coupled_text() {
  TextSystem text;
  text.name = "coupled";
  text.coordinates = {"x", "y", "s", "t1"};
  text.kinetic = "(x_dot^2 + y_dot^2 + s_dot^2 + t1_dot^2)/2";
  text.potential = "x^2*y + cos(s - t1)";
  text.constraints = {"sin(s)*x_dot + t1*y_dot"};
  return text;
}

}  // namespace

TEST_CASE("The coupling of a system is found: several drivers, and which coordinates are which") {
  const auto coupling = find_coupling(define(coupled_text()));
  REQUIRE(coupling.has_value());
  CHECK(coupling->passengers == std::vector<std::size_t>{0, 1});
  CHECK(coupling->drivers == std::vector<std::size_t>{2, 3});
}

TEST_CASE("No coupling: coefficients that depend on passengers, potentials that mix, no driver") {
  TextSystem text = coupled_text();
  text.constraints = {"sin(s)*x_dot + x*y_dot"};
  CHECK(!find_coupling(define(text)));
  text = coupled_text();
  text.potential = "x^2*y + cos(s - t1) + s*x";
  CHECK(!find_coupling(define(text)));
  text = coupled_text();
  text.kinetic = "(x_dot^2 + y_dot^2 + (1 + x^2)*s_dot^2 + t1_dot^2)/2";
  CHECK(!find_coupling(define(text)));
  text = coupled_text();
  text.force = {"0", "0", "-x_dot", "0"};
  CHECK(!find_coupling(define(text)));
  CHECK(!find_coupling(witness_constant_mass().system));  // every velocity in the constraint
  CHECK(!find_coupling(witness_free().system));           // no constraint
}

TEST_CASE("dla01 keeps the fibration, Gonzalez' gradient does not, the mean-value gradient does") {
  const Witness witness = witness_coupled();
  // Five steps of some 30 operations each; a defect of a method of order 2 is a share of h^3, 1e-3.
  constexpr double round_off = round_off_of<Number>(150.0), clear = 1e-6;
  const Defects dla01 = defects(witness, Method(Dla01{}));
  CHECK(dla01.fibration < round_off);
  CHECK(dla01.drivers > clear);
  const Defects gonzalez = defects(witness, Method(DiscreteDerivative{}));
  CHECK(gonzalez.fibration > clear);
  CHECK(gonzalez.drivers > clear);
  CHECK(gonzalez.passengers > clear);
  const Defects mean =
      defects(witness, Method(DiscreteDerivative{.gradient = GradientKind::mean_value}));
  CHECK(mean.fibration < round_off);
  // The quadrature of the mean-value gradient is made for double: less than its round-off.
  CHECK(mean.drivers < round_off_of(0.5));
  CHECK(mean.passengers < round_off_of(0.5));
}
