#include "dalembert/method/splitting.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "method/stage/driver_pieces.hpp"

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
           "drive_i(h), for driver = energy: M_i d = h M_i w_i' - h^2/2 g, w_i' - h g/M_i, w_i + "
           "d, carry; g = [V(w + d "
           "e_i) - V(w)]/d",
           "pass(h), w fixed: x1 = x + h (x' + x1')/2, M_x (x1' - x') = -h g + A^T mu, A x1' = 0, "
           "g "
           "the mean of dV/dx from x to x1; or the flow itself"},
      .facts = &DriverSplitting::facts,
      .requirements = Requirements{.lagrangian = LagrangianKind::constant_mass,
                                   .constraints = ConstraintKind::linear,
                                   .handles_time = true,
                                   .reason = "its pieces are motions that keep an energy"},
      .equations = &DriverSplitting::equations,
      .pieces = &DriverSplitting::pieces,
      .carries = &DriverSplitting::carried_names,
      .start = &DriverSplitting::carried_start,
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
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          .exact_energy = driver == Driver::energy,
          .keeps_fibration = true};
}

std::optional<std::string> DriverSplitting::misfit(const System& system) const {
  if (const auto reason = DriverBlocks::misfit(system)) return *reason;
  const Vector reference = system.symbols().q;
  const DriverPieces pieces(system, reference);
  if (driver == Driver::leapfrog && !pieces.blocks().potential_splits) {
    return "system \"" + system.name() +
           "\" has a potential that does not split into one of drivers and one of passengers; use "
           "driver = \"energy\"";
  }
  if (passenger == Passenger::exact && !pieces.is_isotropic()) {
    return "system \"" + system.name() +
           "\" has passengers whose potential is not a multiple of their kinetic energy in form; "
           "use passenger = \"mean-value\"";
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
  std::vector<SplittingPiece> sequence;
  if (leapfrog) {
    sequence.push_back({.name = "drift",
                        .map = [pieces](const System&, const State& before, Unknowns&,
                                        const Expr& time) { return pieces->drift(before, time); },
                        .moves_time = true,
                        .is_flow = pieces->carries_exactly()});
  } else if (s.traits().time_dependent) {
    sequence.push_back({.name = "wait",
                        .map = [pieces](const System&, const State& before, Unknowns&,
                                        const Expr& time) { return pieces->wait(before, time); },
                        .moves_time = true});
  }
  for (std::size_t i = 0; !leapfrog && i < pieces->blocks().drivers.size(); ++i) {
    sequence.push_back({.name = "drive_" + std::to_string(i + 1),
                        .map = [pieces, i](const System&, const State& before, Unknowns& unknowns,
                                           const Expr& time) {
                          return pieces->drive(i, before, unknowns, time);
                        }});
  }
  sequence.push_back({.name = "pass",
                      .map =
                          [pieces, leapfrog, exact](const System&, const State& before,
                                                    Unknowns& unknowns, const Expr& time) {
                            return exact ? pieces->flow(before, time, leapfrog)
                                         : pieces->pass(before, unknowns, time, leapfrog);
                          },
                      .is_flow = exact && leapfrog});
  // Between nodes: what is known of one serves two steps.
  if (!carried_names(s).empty()) std::ranges::reverse(sequence);
  return symmetric_sequence(std::move(sequence));
}

Equations DriverSplitting::equations(const System& s, const State& a, Unknowns& u,
                                     const Expr& h) const {
  if (a.carried.empty()) return apply_pieces(pieces(s, a), s, a, u, h);
  return DriverPieces(s, a.q).node_step(a, u, h);
}

}  // namespace dalembert
