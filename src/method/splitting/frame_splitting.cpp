#include "dalembert/method/splitting/frame_splitting.hpp"

#include <memory>
#include <utility>

#include "method/energy/reduced_system.hpp"
#include "method/splitting/frame_pieces.hpp"

namespace dalembert {

MethodPage<FrameSplitting> FrameSplitting::page() {
  return {
      .name = "frame-splitting",
      .title = "splitting on D* into motions along a frame and turns",
      .use = {"energy and linear constraints must be exact by cheap steps: it solves one "
              "scalar equation at a time, or none",
              "there are forces, explicit time or constraints on positions, where it is "
              "refused; or no frame is given: steps with qr are long"},
      .description =
          "Energy and constraints exact for every mass, potential and linear constraint. A motion "
          "along a field that is constant along itself is explicit in a potential that is at most "
          "quadratic there; a turn always is, and with two momenta in all it is the flow. compose "
          "raises the order. We know of no earlier description.",
      .source = "McLachlanQuispelRobidoux1999 and Celledoni2019, Sect. 2, are its parents",
      .formula =
          {"X(q): a frame of D with X^T M X = 1; rho = X^T M v, v = X rho, H = rho.rho/2 + "
           "V(q)",
           "move_a(h): q1 = q0 + d X_a((q0 + q1)/2), rho_a' = rho_a - h [V(q1) - V(q0)]/d, d "
           "= h (rho_a + rho_a')/2",
           "turn_ab(h), q fixed: by the angle phi with tan(phi/2) = k B/(1 + k P), B = sum_c "
           "beta_c "
           "rho_c, P = beta_b rho_a - beta_a rho_b, beta_c = X_c.M (dX_a X_b - dX_b X_a)",
           "k = h/2; of two momenta in all, whose turn is the flow, tanh(w)/w h/2 with w = "
           "|beta| |rho| h/2",
           "step: moves 1..k (h/2), turns (h/2), turns backwards (h/2), moves backwards "
           "(h/2)"},
      .facts = &FrameSplitting::facts,
      .requirements = Requirements{.lagrangian = LagrangianKind::configuration_mass,
                                   .constraints = ConstraintKind::linear,
                                   .reason = "it is built on an energy that the exact motion "
                                             "keeps, and on a frame of a linear constraint "
                                             "distribution",
                                   .on_groups = "the method \"chart\" with this one as base takes "
                                                "its steps in coordinates there"},
      .equations = &FrameSplitting::equations,
      .pieces = &FrameSplitting::pieces,
      .options = {{"frame", &FrameSplitting::frame,
                   frame_sentence + std::string("; made orthonormal in the metric of the mass"),
                   frame_words()}},
      .misfit = &FrameSplitting::misfit};
}

Facts FrameSplitting::facts() const {
  return {.order = 2,
          .multiplier_order = 2,
          .continuous_multiplier = true,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          .exact_energy = true};
}

std::optional<std::string> FrameSplitting::misfit(const System& system) const {
  return Frame::misfit(system, frame);
}

namespace {

/// Moves, turns, and back.
std::vector<SplittingPiece> sequence_of(const std::shared_ptr<const FramePieces>& pieces) {
  std::vector<SplittingPiece> sequence;
  const auto add = [&](const std::string& name, auto map) {
    sequence.push_back({.name = name,
                        .map = [map](const System&, const State& before, Unknowns& unknowns,
                                     const Expr& time) { return map(before, unknowns, time); }});
  };
  for (std::size_t i = 0; i < pieces->count(); ++i) {
    add("move_" + std::to_string(i + 1),
        [pieces, i](const State& before, Unknowns& unknowns, const Expr& time) {
          return pieces->move(i, before, unknowns, time);
        });
  }
  for (std::size_t i = 0; i < pieces->count(); ++i) {
    for (std::size_t j = i + 1; j < pieces->count(); ++j) {
      if (!pieces->turns(i, j)) continue;
      add("turn_" + std::to_string(i + 1) + "_" + std::to_string(j + 1),
          [pieces, i, j](const State& before, Unknowns&, const Expr& time) {
            return pieces->turn(i, j, before, time);
          });
    }
  }
  return symmetric_sequence(std::move(sequence));
}

}  // namespace

std::vector<SplittingPiece> FrameSplitting::pieces(const System& s, const State& a) const {
  return sequence_of(std::make_shared<const FramePieces>(s, frame, a.q));
}

Equations FrameSplitting::equations(const System& s, const State& a, Unknowns& u,
                                    const Expr& h) const {
  const auto pieces = std::make_shared<const FramePieces>(s, frame, a.q);
  State start = a;
  start.v = pieces->momenta(a.q, a.v);
  Equations step = apply_pieces(sequence_of(pieces), s, start, u, h);
  step.after.v = pieces->velocity(a, start.v, step.after.q, step.after.v);
  return step;
}

}  // namespace dalembert
