// What driver-splitting keeps, and what it does not, on one, two and three constraints; its orders
// when it is composed; mistakes in its pieces.

#include "dalembert/method/splitting/driver_splitting.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "dalembert/audit/volume/volume_chart.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "method/splitting/driver_pieces.hpp"
#include "support/driver_witness.hpp"
#include "support/law.hpp"
#include "support/splitting_laws.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double exact = AuditThresholds<Extended>::exact_below;
constexpr double clear = AuditThresholds<Extended>::clear_above;
/// What the leap-frog's energy changes by in a step of 1/8 is h^3 = 2e-3 times a tenth or more.
constexpr double leapfrog_change = 1e-4;

Method splitting(DriverSplitting::Driver driver) { return DriverSplitting{.driver = driver}; }
const Method by_energy = splitting(DriverSplitting::Driver::energy);
const Method by_leapfrog = splitting(DriverSplitting::Driver::leapfrog);

/// Promises that are not kept.
void check_promises(const Witness& witness, const Method& method, const std::string& which) {
  for (const Breach& breach : exactness_breaches(witness, method))
    FAIL_CHECK(witness.system.name(), ", ", which, ": ", breach.property, ", ", breach.detail);
}

/// Energy, drivers' energy, passengers' energy: the largest changes over some steps.
struct EnergyChanges {
  double all, drivers, passengers;
};
EnergyChanges energy_changes(const Witness& witness, const Method& method) {
  StepMap<Extended> map(witness.system, method, {});
  const auto start = map.start(witness.q, witness.v);
  const Extended h = Extended(1) / 8;
  const auto coupling = find_coupling(witness.system);
  REQUIRE(coupling);
  const PartEnergyDefects parts = part_energy_defects(map, start, h, *coupling, 4);
  return {energy_defect(map, start, h, 4), parts.drivers, parts.passengers};
}

double volume_defect(const Witness& witness, const Method& method, double h) {
  StepMap<Extended> map(witness.system, method, {});
  return volume_change_minus_one(map, map.start(witness.q, witness.v), Extended(h));
}

}  // namespace

TEST_CASE("Driver-splitting keeps energy, constraints and symmetries for any number of both") {
  check_promises(witness_chain(3), by_energy, "energy");
  for (const auto& [passengers, constraints] : std::vector<std::pair<std::size_t, std::size_t>>{
           {2, 1}, {3, 1}, {3, 2}, {4, 2}, {4, 3}, {5, 3}, {6, 3}})
    check_promises(witness_drivers(passengers, constraints), by_energy, "energy");
}

TEST_CASE("The map of driver-splitting depends on the constraints' span alone") {
  // Directions one by one are another matter: they belong to the coordinates that are left free.
  for (const auto& [passengers, constraints] :
       std::vector<std::pair<std::size_t, std::size_t>>{{3, 2}, {4, 3}, {4, 2}, {5, 3}, {6, 3}}) {
    const Witness plain = witness_drivers(passengers, constraints);
    const Witness mixed = witness_drivers(passengers, constraints, true);
    CAPTURE(plain.system.name());
    const double difference =
        largest_difference(after_a_step(plain, by_energy), after_a_step(mixed, by_energy));
    CHECK(difference < exact);
  }
}

TEST_CASE("Which energies are exact depends on how the drivers move") {
  for (const Witness& witness : {witness_transmission(), witness_coupled()}) {
    CAPTURE(witness.system.name());
    check_promises(witness, by_leapfrog, "leapfrog");
    check_promises(witness, by_energy, "energy");
    const EnergyChanges kicked = energy_changes(witness, by_leapfrog);
    CHECK(kicked.passengers < exact);
    CHECK(kicked.drivers > leapfrog_change);
    CHECK(kicked.all > leapfrog_change);
    const EnergyChanges kept = energy_changes(witness, by_energy);
    CHECK(kept.passengers < exact);
    CHECK(kept.drivers < exact);
    CHECK(kept.all < exact);
  }
  // One frequency: the flow of the passengers, whose energy is exact, too.
  const Method flows = DriverSplitting{.passenger = DriverSplitting::Passenger::exact};
  CHECK(energy_changes(witness_transmission(), flows).passengers < exact);
  check_promises(witness_transmission(), flows, "exact passengers");
}

TEST_CASE("Driver-splitting keeps the volume where its pieces are quadratic, and not elsewhere") {
  // Rational in the state: to round-off of the differences in the Jacobian.
  CHECK(std::fabs(volume_defect(witness_transmission(), by_leapfrog, 0.2)) < 1e-20);
  for (const std::size_t pairs : {1, 2, 3, 4, 5})
    CHECK(std::fabs(volume_defect(witness_chain(pairs), by_energy, 0.2)) < 1e-20);
  // The mean value of a force that is not linear, in the passengers or in the driver: some
  // hundredths of h^3 = 8e-3, and a tenth for dla01.
  CHECK(std::fabs(volume_defect(witness_coupled(), by_leapfrog, 0.2)) > 1e-5);
  CHECK(std::fabs(volume_defect(witness_transmission(), by_energy, 0.2)) > 1e-5);
  for (const Witness& witness : {witness_transmission(), witness_chain(3)})
    CHECK(std::fabs(volume_defect(witness, Dla01{}, 0.2)) > 1e-4);
}

namespace {

void check_composed_orders(const Method& base, const Witness& witness,
                           const std::vector<Scheme>& schemes) {
  std::vector<Method> methods{base};
  for (const Scheme scheme : schemes) methods.emplace_back(Compose{.base = base, .scheme = scheme});
  check_orders_hold(witness, methods);
}

}  // namespace

TEST_CASE("Composed, driver-splitting has the orders of the schemes") {
  check_composed_orders(
      by_leapfrog, witness_coupled(),
      {Scheme::triple_jump, Scheme::suzuki_4, Scheme::kahan_li_6, Scheme::kahan_li_8});
  check_composed_orders(by_energy, witness_drivers(3, 2), {Scheme::suzuki_4, Scheme::kahan_li_6});
  check_composed_orders(by_energy, witness_drivers(3, 1), {Scheme::triple_jump});
}

TEST_CASE("Composed, driver-splitting with exact passengers has the orders of schemes of flows") {
  const Method flows = DriverSplitting{.passenger = DriverSplitting::Passenger::exact};
  const Witness witness = witness_transmission();
  Orders bench(witness);
  for (const Scheme scheme : {Scheme::blanes_moan_4, Scheme::blanes_moan_6}) {
    const Method method = Compose{.base = flows, .scheme = scheme};
    check_promises(witness, method, composition_scheme(scheme).name);
    for (const MeasuredOrder& order : bench.of(method)) {
      CHECK_MESSAGE(order.verdict() == OrderVerdict::holds, "order ", method.facts().order, ": ",
                    order.what, " ", order.text());
    }
  }
}
