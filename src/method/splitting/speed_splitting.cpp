#include "dalembert/method/splitting/speed_splitting.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/query.hpp"
#include "mechanics/new_symbols.hpp"
#include "method/splitting/driver_geometry.hpp"

namespace dalembert {

MethodPage<SpeedSplitting> SpeedSplitting::page() {
  return {
      .name = "speed-splitting",
      .title = "splitting by arc length, with the speed from the energy",
      .use = {"drivers keep rotating in any potential, and the energy must be exact by "
              "explicit steps",
              "the motion comes to rest somewhere: it has no direction there, and the step is "
              "refused"},
      .description =
          "For constraints A(w) x' = 0, whose coefficients the drivers w set, constant mass and "
          "any potential. Carries the direction of the velocity; its length is what the energy of "
          "the start leaves to it. Positions move along the direction, which is turned as the "
          "constraints are, and by the forces in between. Energy and constraints are exact for "
          "every step; one scalar equation, none where the potential is at most quadratic. compose "
          "raises its order. Not for starts at rest. We know of no earlier description.",
      .source = "Arnold1989, Sect. 45, and McLachlanQuispelRobidoux1999 are its parents",
      .formula =
          {"rho(q) = sqrt(2 (E - V(q))), E the energy at the start; n = v/|v|, |.| in the mass M",
           "length of the step: s = h rho(q + s/2 n), in closed form where V is at most quadratic "
           "along n",
           "move: w + s/2 n_w, x + s/2 n_x, then n_x carried to the new w, as by driver-splitting",
           "turn, q fixed: n1 = [(1 - a.M a) n + 2 (1 + n.M a) a]/(1 + 2 n.M a + a.M a), a = "
           "tanh(s |g|/(2 rho^2)) g/|g|, g = -P M^-1 dV, P the projection onto D",
           "move back: w + s/2 n_w, n_x carried to the new w, then x + s/2 n_x; v1 = rho(q1) n"},
      .facts = Facts{.order = 2,
                     .multiplier_order = 2,
                     .continuous_multiplier = true,
                     .symmetric = true,
                     .reversible = true,
                     .maps_constraint_set = true,
                     .exact_energy = true},
      .requirements =
          Requirements{.lagrangian = LagrangianKind::constant_mass,
                       .constraints = ConstraintKind::linear,
                       .reason = "the speed comes from an energy that is constant, and drivers and "
                                 "passengers move in straight lines",
                       .on_groups = "drivers and passengers are coordinates",
                       .at_rest = "it divides the velocity by the speed; choose a start that "
                                  "moves, or driver-splitting"},
      .equations = &SpeedSplitting::equations,
      .carries = &SpeedSplitting::carried_names,
      .start = &SpeedSplitting::carried_start,
      .misfit = &SpeedSplitting::misfit};
}

std::optional<std::string> SpeedSplitting::misfit(const System& system) const {
  if (const auto reason = DriverBlocks::misfit(system)) {
    return "method \"speed-splitting\" cannot be used on system \"" + system.name() + "\": it " +
           *reason;
  }
  return std::nullopt;
}

std::vector<std::string> SpeedSplitting::carried_names(const System&) const { return {"energy"}; }

Vector SpeedSplitting::carried_start(const System& s, const State& start) const {
  return {s.energy(start.q, start.v)};
}

namespace {

/// tanh(y)/y as a function of y^2, smooth at zero and without overflow, by functions whose bits are
/// the library's own.
Expr tanhc_of_square(const Expr& t) {
  constexpr double near = 4.0;  // the continuation of sinc and cosine goes to 6.25
  const Expr sine = sinc_root(-t, 0), cosine = sinc_root(-t, -1), series = sine / cosine;
  const Expr y = sqrt(t), decayed = exp(-2.0 * y);
  const Expr top = 1.0 - decayed, bottom = (1.0 + decayed) * y, beyond = top / bottom;
  return select(near - t, series, beyond);
}

/// One step. Each piece keeps |n| = 1 and A(w) n_x = 0, so that v = rho n has the energy E and
/// satisfies the constraints, whatever V and the step are. The step with -h has the same middle and
/// is the inverse.
class SpeedStep : private DriverGeometry {
 public:
  SpeedStep(const System& system, const State& before)
      : DriverGeometry(system, before.q), energy_(before.carried.front()), t_(before.t) {}

  Equations equations(const State& before, Unknowns& unknowns, const Expr& h) const {
    Parts now = parts(before);
    const Expr speed = sqrt(product(now, now));
    now.w_dot = 1.0 / speed * now.w_dot;
    now.x_dot = 1.0 / speed * now.x_dot;
    Vector zero;
    const Expr middle_speed = speed_in_middle(now, speed, unknowns, h, zero);
    const Expr reach = 0.5 * h * middle_speed;
    now.x = now.x + reach * now.x_dot;
    move_drivers(now, reach);
    turn(now, 0.5 * h / middle_speed);
    move_drivers(now, reach);
    now.x = now.x + reach * now.x_dot;
    // The division takes the rounding of all pieces out of |n|.
    const Expr length_squared = product(now, now);
    const Expr end_speed = sqrt(speed_squared(now) / length_squared);
    now.w_dot = end_speed * now.w_dot;
    now.x_dot = end_speed * now.x_dot;
    State after = state(now, before);
    after.lambda.clear();
    return {.zero = zero, .constraint = {}, .after = after};
  }

 private:
  /// In the metric of the mass.
  Expr product(const Parts& a, const Parts& b) const {
    Expr sum = 0.0;
    for (std::size_t i = 0; i < a.w_dot.size(); ++i)
      sum += driver_mass()[i] * a.w_dot[i] * b.w_dot[i];
    const Expr of_passengers = dot(a.x_dot, mass() * b.x_dot);
    return sum + of_passengers;
  }

  Expr speed_squared(const Parts& at) const { return 2.0 * (energy_ - potential(at)); }

  /// rho(q + h/2 rho n), the length of the step divided by h: no force and no constraint occurs.
  Expr speed_in_middle(const Parts& start, const Expr& speed, Unknowns& unknowns, const Expr& h,
                       Vector& zero) const {
    const Vector s = new_symbols(h.graph(), "s", 1);
    Parts on_line = start;
    on_line.w = start.w + s[0] * start.w_dot;
    on_line.x = start.x + s[0] * start.x_dot;
    const Expr along = speed_squared(on_line);
    const Vector rate = jacobian({along}, s).row(0);
    // rho^2 + 2 b s + c s^2 = (2 s/h)^2 at s = h/2 rho_m; the root that is rho where h = 0.
    const Expr b = 0.5 * substitute(rate.front(), s, {0.0});
    const Expr half_change = 0.5 * h * b, start_squared = square(speed);
    const auto root = [&](const Expr& c) {
      const Expr bend = 1.0 - 0.25 * h * h * c;
      const Expr bent = bend * start_squared;
      return start_squared / (sqrt(square(half_change) + bent) - half_change);
    };
    if (polynomial_degree(along, s) <= 2) return root(0.5 * jacobian(rate, s)(0, 0));
    const Expr middle = unknowns.vector("middle_speed", {root(0.0)}).front();
    // The root is not negative: with that of the squares the motion would go back.
    const Expr there = substitute(along, s, {0.5 * h * middle});
    zero.push_back(middle - sqrt(there));
    return middle;
  }

  /// Drivers move along n, and n_x is carried with them.
  void move_drivers(Parts& now, const Expr& reach) const {
    const Parts start = now;
    now.w = start.w + reach * start.w_dot;
    now.x_dot = carried(start, t_, now, t_, start.x_dot);
  }

  /// The force per mass along the admissible directions, in the place of the velocities.
  Parts pull(const Parts& at) const {
    Parts result = at;
    const Vector of_drivers = slope_in_drivers(at), of_passengers = slope_in_passengers(at);
    for (std::size_t i = 0; i < of_drivers.size(); ++i)
      result.w_dot[i] = -of_drivers[i] / driver_mass()[i];
    const Vector k = direction(at, t_);
    if (!k.empty()) {
      result.x_dot = -dot(k, of_passengers) * k;
      return result;
    }
    const Matrix n = normals(at, t_);
    const Vector across = n * (transpose(n) * of_passengers);
    result.x_dot = across - solve_linear(mass(), of_passengers);
    return result;
  }

  /// n' = strength 2 (g - <n, g> n) for a unit of time: the isokinetic motion in a constant force,
  /// a map of the sphere onto itself for every a. In this form nothing is divided by |g|.
  void turn(Parts& now, const Expr& strength) const {
    Parts a = pull(now);
    const Expr force_squared = product(a, a);
    if (force_squared.is_constant(0.0)) return;
    const Expr factor = tanhc_of_square(square(strength) * force_squared) * strength;
    a.w_dot = factor * a.w_dot;
    a.x_dot = factor * a.x_dot;
    const Expr along = product(now, a), size = product(a, a);
    const Expr bottom = 1.0 + 2.0 * along + size;
    const Expr keep = 2.0 * (along + size) / bottom, take = 2.0 * (1.0 + along) / bottom;
    const auto turned = [&](const Vector& n, const Vector& own_a) {
      const Vector lost = keep * n;
      return n + (take * own_a - lost);
    };
    now.w_dot = turned(now.w_dot, a.w_dot);
    now.x_dot = turned(now.x_dot, a.x_dot);
  }

  Expr energy_, t_;
};

}  // namespace

Equations SpeedSplitting::equations(const System& s, const State& a, Unknowns& u,
                                    const Expr& h) const {
  return SpeedStep(s, a).equations(a, u, h);
}

}  // namespace dalembert
