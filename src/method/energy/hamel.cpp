#include "dalembert/method/energy/hamel.hpp"

#include "reduced_system.hpp"

namespace dalembert {

MethodPage<Hamel> Hamel::page() {
  return {
      .name = "hamel",
      .title = "discrete Hamel equations",
      .use = {"a given frame suits the system, and Hamel's equations in it are of interest",
              "results must not depend on the choice of the frame, or the energy must be "
              "exact: take energy-collocation"},
      .description =
          "Hamel's equations in a frame of the constraint distribution, balanced between two "
          "nodes: "
          "the implicit midpoint rule for positions and the momenta of the frame. Constraints hold "
          "to round-off. What it does depends on the frame; with an orthonormal one and no "
          "potential it is reduced-gradient.",
      .source = "ZenkovLeokBloch2012; BallZenkov2015",
      .formula = {"zeta = (q, rho), rho = X(q)^T p, y = (X^T M X)^-1 rho, v = X y, H = rho.y/2 + "
                  "V(q)",
                  "Pi = [[0, X], [-X^T, B]], B_ab = sum_ij (dX_a^j/dq^i X_b^i - dX_b^j/dq^i X_a^i) "
                  "p_j",
                  "0 = zeta1 - zeta0 - h*Pi(zetam) dH(zetam), zetam = (zeta0 + zeta1)/2",
                  "X a frame of D"},
      .facts = &Hamel::facts,
      .requirements = energy_requirements(),
      .equations = &Hamel::equations,
      .options = {{"frame", &Hamel::frame, frame_sentence, frame_words()}},
      .misfit = &Hamel::misfit};
}

Facts Hamel::facts() const {
  // The sign vector of a QR frame is taken at the start of the step; away from its jumps the map is
  // symmetric all the same.
  Facts facts{.order = 2,
              .multiplier_order = 2,
              .continuous_multiplier = true,
              .symmetric = true,
              .reversible = true,
              .maps_constraint_set = true};
  if (frame == FrameKind::qr || frame == FrameKind::automatic) return facts;
  // Drivers have fields of their own in it, and the midpoint of the equations is that of theirs;
  // without constraints its momenta are p.
  facts.keeps_fibration = true;
  facts.symplectic = LagrangianKind::configuration_mass;
  return facts;
}

std::optional<std::string> Hamel::misfit(const System& system) const {
  return Frame::misfit(system, frame);
}

Equations Hamel::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const ReducedSystem reduced(s, frame, a.q);
  const Vector before = reduced.point(a.q, a.v), zeta = u.vector("zeta", before);
  const Vector change = zeta - before, middle = before + 0.5 * change;
  const Vector slope = reduced.energy_gradient(middle);
  const Vector rate = reduced.apply_structure(middle, slope, Expr(0.0));
  return {.zero = change - h * rate,
          .constraint = {},
          .after = {reduced.position(zeta), reduced.velocity(zeta)},
          .velocity_change = reduced.velocity_change(before, change),
          .velocity_rest = back_to_constraint(s, a.q, a.v)};
}

}  // namespace dalembert
