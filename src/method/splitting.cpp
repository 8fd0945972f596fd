#include "dalembert/method/splitting.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "method/stage/driver_pieces.hpp"

namespace dalembert {

Equations apply_pieces(const std::vector<SplittingPiece>& pieces, const System& system,
                       const State& before, Unknowns& unknowns, const Expr& h) {
  Equations all;
  all.after = before;
  for (const SplittingPiece& piece : pieces) {
    const Expr fraction = Expr(piece.fraction) * h;
    const State between = all.after;
    const Equations part = piece.map(system, between, unknowns, fraction);
    // Only the last part's condition is one on the new state.
    all.zero = concatenate({all.zero, all.constraint, part.zero});
    all.constraint = part.constraint;
    all.after = part.after;
    // A method that reports the continuous multiplier passes on the last guess.
    if (all.after.lambda.empty()) all.after.lambda = before.lambda;
    all.after.t = piece.moves_time ? between.t + fraction : between.t;
  }
  // They belong to the last part alone.
  all.after.error_estimate.clear();
  all.after.dense.clear();
  if (!pieces.empty() && all.after.lambda.size() == before.lambda.size()) {
    const bool reports =
        std::equal(all.after.lambda.begin(), all.after.lambda.end(), before.lambda.begin(),
                   [](const Expr& x, const Expr& y) { return same(x, y); });
    if (reports) all.after.lambda.clear();
  }
  return all;
}

std::vector<SplittingPiece> symmetric_sequence(std::vector<SplittingPiece> pieces) {
  if (pieces.empty()) return pieces;
  for (SplittingPiece& piece : pieces) piece.fraction = Constant{0.5};
  pieces.back().fraction = Constant{1.0};
  const std::vector<SplittingPiece> way(pieces.begin(), pieces.end() - 1);
  pieces.insert(pieces.end(), way.rbegin(), way.rend());
  return pieces;
}

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
           "driver = leapfrog: w + h/2 w', carry; pass(h), w' - h M_w^-1 dW(w); w + h/2 w', carry",
           "driver = energy: drive_1(h/2) .. drive_r(h/2), pass(h), drive_r(h/2) .. drive_1(h/2)",
           "drive_i(h): M_i d = h M_i w_i' - h^2/2 g, w_i' - h g/M_i, w_i + d, carry; g = [V(w + d "
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
  if (passenger != Passenger::mean_value || driver == Driver::energy) return {};
  const Symbols symbols = s.symbols();
  const DriverPieces pieces(s, symbols.q);
  const auto node = pieces.node({symbols.q, symbols.v, {}, {}, symbols.t});
  if (!node || !pieces.blocks().potential_splits) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < node->direction.size(); ++i)
    names.push_back("direction_" + std::to_string(i + 1));
  for (std::size_t i = 0; i < node->slope.size(); ++i)
    names.push_back("slope_" + std::to_string(i + 1));
  return names;
}

Vector DriverSplitting::carried_start(const System& s, const State& start) const {
  if (carried_names(s).empty()) return {};
  const auto node = DriverPieces(s, start.q).node(start);
  return concatenate({node->direction, node->slope});
}

Equations DriverSplitting::equations(const System& s, const State& a, Unknowns& u,
                                     const Expr& h) const {
  const auto pieces = std::make_shared<const DriverPieces>(s, a.q);
  const bool leapfrog = driver == Driver::leapfrog ||
                        (driver == Driver::automatic && pieces->blocks().potential_splits);
  if (leapfrog && passenger == Passenger::mean_value && !a.carried.empty()) {
    const std::size_t n = pieces->blocks().passengers.size();
    const DriverPieces::Node start{slice(a.carried, 0, n),
                                   slice(a.carried, n, a.carried.size() - n)};
    DriverPieces::Node end;
    Equations step = pieces->node_step(a, start, u, h, end);
    step.after.carried = concatenate({end.direction, end.slope});
    return step;
  }
  std::vector<SplittingPiece> sequence;
  if (leapfrog) {
    sequence.push_back({[pieces](const System&, const State& before, Unknowns&, const Expr& time) {
                          return pieces->drift(before, time);
                        },
                        Constant{0.5}, true});
  } else {
    if (s.traits().time_dependent) {
      sequence.push_back({[pieces](const System&, const State& before, Unknowns&,
                                   const Expr& time) { return pieces->wait(before, time); },
                          Constant{0.5}, true});
    }
    for (std::size_t i = 0; i < pieces->blocks().drivers.size(); ++i) {
      sequence.push_back(
          {[pieces, i](const System&, const State& before, Unknowns& unknowns, const Expr& time) {
             return pieces->drive(i, before, unknowns, time);
           },
           Constant{0.5}, false});
    }
  }
  const bool exact = passenger == Passenger::exact;
  sequence.push_back({[pieces, leapfrog, exact](const System&, const State& before,
                                                Unknowns& unknowns, const Expr& time) {
                        return exact ? pieces->flow(before, time, leapfrog)
                                     : pieces->pass(before, unknowns, time, leapfrog);
                      },
                      Constant{1.0}, false});
  return apply_pieces(symmetric_sequence(std::move(sequence)), s, a, u, h);
}

}  // namespace dalembert
