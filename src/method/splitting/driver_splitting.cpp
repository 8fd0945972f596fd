#include "dalembert/method/splitting/driver_splitting.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "method/splitting/driver_pieces.hpp"

namespace dalembert {
namespace {

bool is_leapfrog(const DriverSplitting& method, const DriverPieces& pieces) {
  return method.driver == DriverSplitting::Driver::leapfrog ||
         (method.driver == DriverSplitting::Driver::automatic && pieces.blocks().potential_splits);
}

}  // namespace

MethodPage<DriverSplitting> DriverSplitting::page() {
  return {
      .name = "driver-splitting",
      .title = "splitting of drivers and passengers, with exact passenger energy",
      .use = {"some coordinates drive the others (describe says which): energies of both stay "
              "apart, without drift, by steps that are explicit or solve scalar equations",
              "the system is of another kind: it is refused, with the reason"},
      .description =
          "For constraints A(w) x' = 0, whose coefficients the drivers w set, and constant mass. "
          "Passengers move where the drivers stand, their energy exact; where drivers move, the "
          "passengers' velocity is turned as the constraints are. Explicit where the potential is "
          "at most quadratic in the passengers; does not drift where others do. compose raises "
          "its order. We know of no earlier description.",
      .source = "McLachlanQuispelRobidoux1999 and Celledoni2019, Sect. 2, are its parents",
      .formula =
          {"N(w): M_x^-1 A^T L^-T, L L^T = A M_x^-1 A^T",
           "carry from w0 to w1: x' - (N0 + N1) (1 + N0^T M_x N1)^-1 N1^T M_x x', N1 turned among "
           "themselves to be nearest to N0",
           "drift(h): w + h w', carry, w' standing; with it pass(h) also changes w' by -h M_w^-1 "
           "dW(w)",
           "drive(h), for driver = energy: for i = 1 .. r M_i d = h M_i w_i' - h^2/2 g, w_i' - h "
           "g/M_i, w_i + d, g = [V(w + d e_i) - V(w)]/d; carry; drive_back(h): for i = r .. 1",
           "pass(h), w fixed, one direction k left, u = k.M_x x': u1 = u - h g, x1 = x + h (u + "
           "u1)/2 k, g the mean of k.dV from x to x1; more directions: pair_1(h/2) .. pair_k(h) .. "
           "pair_1(h/2)",
           "pair_j(h): the same with the direction E_j that moves the free passenger j alone, u = "
           "x_j', and x' - h g R_j, R_j the change of x' by a unit impulse on it, u1 = x_j1'",
           "pass(h) where no passenger is known to be free: x1 = x + h (x' + x1')/2, M_x (x1' - "
           "x') = -h g + A^T mu, A x1' = 0, g the mean of dV/dx from x to x1",
           "pass(h) for passenger = exact: the flow",
           "with more directions than one, none known to be free, or passenger = exact, a step is "
           "drift(h/2) pass(h) drift(h/2)"},
      .facts = &DriverSplitting::facts,
      .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                   .constraints = ConstraintKind::linear,
                                   .handles_time = true,
                                   .reason = "drivers and passengers move in turns, in which the "
                                             "energy of those at rest must not change",
                                   .on_groups = "drivers and passengers are coordinates"},
      .equations = &DriverSplitting::equations,
      .pieces = &DriverSplitting::pieces,
      .carries = &DriverSplitting::carried_names,
      .start = &DriverSplitting::carried_start,
      .volume = &DriverSplitting::volume,
      .options =
          {{"driver", &DriverSplitting::driver,
            "how drivers move: leapfrog (for potentials that split), energy (one by one, the "
            "total energy exact), or automatic: leapfrog where it can be",
            Words<Driver>{{Driver::automatic, "automatic"},
                          {Driver::leapfrog, "leapfrog"},
                          {Driver::energy, "energy"}}},
           {"passenger", &DriverSplitting::passenger,
            "how passengers move: by the mean value of the force, the midpoint rule for a "
            "quadratic potential, or by the flow itself",
            Words<Passenger>{{Passenger::mean_value, "mean-value"}, {Passenger::exact, "exact"}}}},
      .misfit = &DriverSplitting::misfit};
}

Facts DriverSplitting::facts() const {
  return {.order = 2,
          .multiplier_order = 2,
          .continuous_multiplier = true,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          .exact_energy = driver == Driver::energy,
          .keeps_fibration = true,
          .passenger_volume = PassengerVolume::every_step_of_springs};
}

std::optional<VolumeFormula> DriverSplitting::volume(const System& /*s*/, const State& /*before*/,
                                                     const State& /*after*/,
                                                     const Expr& /*h*/) const {
  // A step is linear and keeps a definite form of the passengers alone.
  return VolumeFormula{{}, VolumeFormula::Potential::quadratic_with_minimum};
}

std::optional<std::string> DriverSplitting::misfit(const System& system) const {
  const std::string refused =
      "method \"driver-splitting\" cannot be used on system \"" + system.name() + "\": it ";
  if (const auto reason = DriverBlocks::misfit(system)) return refused + *reason;
  const Vector reference = system.symbols().q;
  const DriverPieces pieces(system, reference);
  if (driver == Driver::leapfrog && !pieces.blocks().potential_splits) {
    return refused +
           "has a potential that does not split into one of drivers and one of "
           "passengers, which needs driver = \"energy\"";
  }
  if (passenger == Passenger::exact && !pieces.is_isotropic()) {
    return refused +
           "has passengers that do not all oscillate at one frequency, which needs "
           "passenger = \"mean-value\"";
  }
  return std::nullopt;
}

std::vector<std::string> DriverSplitting::carried_names(const System& s) const {
  const DriverPieces pieces(s, s.symbols().q);
  if (passenger != Passenger::mean_value || !is_leapfrog(*this, pieces)) return {};
  return pieces.node_names();
}

Vector DriverSplitting::carried_start(const System& s, const State& start) const {
  if (carried_names(s).empty()) return {};
  return DriverPieces(s, start.q).node_values(start);
}

std::vector<SplittingPiece> DriverSplitting::pieces(const System& s, const State& a) const {
  const auto pieces = std::make_shared<const DriverPieces>(s, a.q);
  const bool leapfrog = is_leapfrog(*this, *pieces), exact = passenger == Passenger::exact;
  const SplittingPiece pass{.name = "pass",
                            .map =
                                [pieces, leapfrog, exact](const System&, const State& before,
                                                          Unknowns& unknowns, const Expr& time) {
                                  return exact ? pieces->flow(before, time, leapfrog)
                                               : pieces->pass(before, unknowns, time, leapfrog);
                                },
                            .is_flow = exact && leapfrog};
  if (leapfrog) {
    const SplittingPiece drift{
        .name = "drift",
        .map = [pieces](const System&, const State& before, Unknowns&,
                        const Expr& time) { return pieces->drift(before, time); },
        .moves_time = true,
        .is_flow = pieces->carries_exactly()};
    // Between nodes: what is known of one serves two steps.
    const bool between_nodes = !carried_names(s).empty();
    return symmetric_sequence(between_nodes ? std::vector<SplittingPiece>{pass, drift}
                                            : std::vector<SplittingPiece>{drift, pass});
  }
  const auto drive_all = [&](const std::string& name, bool backwards) {
    return SplittingPiece{.name = name,
                          .map =
                              [pieces, backwards](const System&, const State& before,
                                                  Unknowns& unknowns, const Expr& time) {
                                return pieces->drive_all(before, unknowns, time, backwards);
                              },
                          .moves_time = true,
                          .fraction = Constant{0.5}};
  };
  return {drive_all("drive", false), pass, drive_all("drive_back", true)};
}

Equations DriverSplitting::equations(const System& s, const State& a, Unknowns& u,
                                     const Expr& h) const {
  if (a.carried.empty()) return apply_pieces(pieces(s, a), s, a, u, h);
  return DriverPieces(s, a.q).node_step(a, u, h);
}

}  // namespace dalembert
