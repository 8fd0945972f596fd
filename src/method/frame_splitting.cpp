// The pieces of frame-splitting, and the method.
#include <algorithm>
#include <memory>
#include <utility>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/discrete_gradient.hpp"
#include "dalembert/method/splitting.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// The columns of a matrix made orthonormal in a metric, one after the other.
Matrix orthonormal(const Matrix& columns, const Matrix& metric) {
  Matrix result(columns.rows(), columns.columns());
  std::vector<Vector> unit;
  for (std::size_t a = 0; a < columns.columns(); ++a) {
    Vector field = columns.column(a);
    for (const Vector& other : unit) {
      const Expr part = dot(other, metric * columns.column(a));
      field = field - part * other;
    }
    const Expr length = sqrt(dot(field, metric * field));
    for (Expr& entry : field) entry = entry / length;
    unit.push_back(field);
    for (std::size_t i = 0; i < field.size(); ++i) result(i, a) = field[i];
  }
  return result;
}

/// The pieces: maps of (q, rho), the velocity being v = X(q) rho with X^T M X = 1.
class FramePieces {
 public:
  FramePieces(const System& system, FrameKind kind, const Vector& reference)
      : system_(system),
        position_(new_symbols(system.symbols(reference).t.graph(), "q", system.dof())) {
    const Matrix metric = system.mass(position_);
    const Frame frame(system, kind, reference);
    fields_ = orthonormal(frame.at(position_), metric);
    for (std::size_t a = 0; a < fields_.columns(); ++a)
      slopes_.push_back(jacobian(fields_.column(a), position_));
  }

  std::size_t count() const { return fields_.columns(); }
  Vector momenta(const Vector& q, const Vector& v) const {
    const Vector p = system_.mass(q) * v;
    return transpose(at(fields_, q)) * p;
  }
  Vector velocity(const Vector& q, const Vector& rho) const { return at(fields_, q) * rho; }

  /// q1 = q0 + d X_a in the middle, rho_a' = rho_a - h [V(q1) - V(q0)]/d, d = h (rho_a + rho_a')/2.
  Equations move(std::size_t a, const State& before, Unknowns& unknowns, const Expr& h) const {
    State after = before;
    const Vector start = before.q + h * (before.v[a] * field(a, before.q));
    after.q = unknowns.vector("q_" + std::to_string(a + 1), start);
    const Vector path = after.q - before.q;
    const Vector direction = field(a, before.q + 0.5 * path);
    const Vector slope = system_.potential_gradient(position_);
    const Vector mean = segment_mean(slope, position_, before.q, after.q);
    const Expr pull = dot(mean, direction);
    after.v[a] = before.v[a] - h * pull;
    const Expr d = h * (before.v[a] - 0.5 * h * pull);
    return {.zero = path - d * direction, .constraint = {}, .after = after};
  }

  /// rho_a' = B rho_b, rho_b' = -B rho_a with B in the middle of the step, q fixed.
  Equations turn(std::size_t a, std::size_t b, const State& before, Unknowns& unknowns,
                 const Expr& h) const {
    const Vector beta = bracket(a, b, before.q);
    State after = before;
    const bool stands =
        std::ranges::all_of(beta, [](const Expr& entry) { return entry.is_constant(0.0); });
    if (stands) return {.zero = {}, .constraint = {}, .after = after};
    const std::string pair = std::to_string(a + 1) + "_" + std::to_string(b + 1);
    const Vector both = unknowns.vector("rho_" + pair, {before.v[a], before.v[b]});
    after.v[a] = both[0];
    after.v[b] = both[1];
    const Vector mean = before.v + 0.5 * (after.v - before.v);
    const Expr angle = h * dot(beta, mean);
    return {
        .zero = {both[0] - before.v[a] - angle * mean[b], both[1] - before.v[b] + angle * mean[a]},
        .constraint = {},
        .after = after};
  }

 private:
  Matrix at(const Matrix& matrix, const Vector& q) const {
    return substitute(matrix, position_, q);
  }
  Vector field(std::size_t a, const Vector& q) const {
    return substitute(fields_.column(a), position_, q);
  }
  /// beta_c = X_c.M (dX_a X_b - dX_b X_a).
  Vector bracket(std::size_t a, std::size_t b, const Vector& q) const {
    const Vector back = slopes_[b] * fields_.column(a);
    const Vector difference = slopes_[a] * fields_.column(b) - back;
    const Vector weighted = system_.mass(position_) * difference;
    return substitute(transpose(fields_) * weighted, position_, q);
  }

  System system_;
  Vector position_;  // symbols in which fields and slopes are written
  Matrix fields_;
  std::vector<Matrix> slopes_;  // their derivatives
};

}  // namespace

MethodPage<FrameSplitting> FrameSplitting::page() {
  return {
      .name = "frame-splitting",
      .title = "splitting on D* into motions along a frame and turns",
      .description =
          "Energy and constraints exact for every mass, potential and linear constraint, by pieces "
          "with one unknown or two each; compose raises its order. We know of no earlier "
          "description.",
      .source = "McLachlanQuispelRobidoux1999 and Celledoni2019, Sect. 2, are its parents",
      .formula =
          {"X(q): a frame of D with X^T M X = 1; rho = X^T M v, v = X rho, H = rho.rho/2 + "
           "V(q)",
           "move_a(h): q1 = q0 + d X_a((q0 + q1)/2), rho_a' = rho_a - h [V(q1) - V(q0)]/d, d "
           "= h (rho_a + rho_a')/2",
           "turn_ab(h): rho_a, rho_b turned by Cayley's angle of h B at their means, B = "
           "sum_c rho_c X_c.M (dX_a X_b - dX_b X_a)",
           "step: moves 1..k (h/2), turns (h/2), turns backwards (h/2), moves backwards "
           "(h/2)"},
      .facts = &FrameSplitting::facts,
      .requirements = Requirements{.lagrangian = LagrangianKind::configuration_mass,
                                   .constraints = ConstraintKind::linear,
                                   .reason = "it is built on an energy that the exact motion "
                                             "keeps, and on a frame of a linear constraint "
                                             "distribution"},
      .equations = &FrameSplitting::equations,
      .pieces = &FrameSplitting::pieces,
      .options = {{"frame", &FrameSplitting::frame,
                   "frame of the constraint distribution, made orthonormal in the metric of the "
                   "mass",
                   Words<FrameKind>{{FrameKind::qr, "qr"}, {FrameKind::given, "given"}}}},
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

std::vector<SplittingPiece> FrameSplitting::pieces(const System& s, const State& a) const {
  const auto pieces = std::make_shared<const FramePieces>(s, frame, a.q);
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
      add("turn_" + std::to_string(i + 1) + "_" + std::to_string(j + 1),
          [pieces, i, j](const State& before, Unknowns& unknowns, const Expr& time) {
            return pieces->turn(i, j, before, unknowns, time);
          });
    }
  }
  return symmetric_sequence(std::move(sequence));
}

Equations FrameSplitting::equations(const System& s, const State& a, Unknowns& u,
                                    const Expr& h) const {
  const FramePieces frame_pieces(s, frame, a.q);
  State start = a;
  start.v = frame_pieces.momenta(a.q, a.v);
  Equations step = apply_pieces(pieces(s, a), s, start, u, h);
  step.after.v = frame_pieces.velocity(step.after.q, step.after.v);
  return step;
}

}  // namespace dalembert
