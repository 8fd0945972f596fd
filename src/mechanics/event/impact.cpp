#include "dalembert/mechanics/event/impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// Of the largest pivot: where the smallest is below, an impulse has nothing to act on.
constexpr double no_pivot = 1e-13;
constexpr int most_passes = 40;

Vector velocities_of(const std::vector<ContactVelocity>& contacts, const Symbols& s) {
  Vector velocities;
  for (const ContactVelocity& contact : contacts) {
    if (!depends_on(contact.velocity, s.v))
      throw RequestError("the velocity of contact " + std::to_string(velocities.size() + 1) +
                         " of an impact contains no velocity");
    velocities.push_back(contact.velocity);
  }
  if (velocities.empty()) throw RequestError("an impact needs at least one contact velocity");
  return velocities;
}

}  // namespace

Expr rate_at_velocity(const System& system, const Symbols& s, const Expr& expression) {
  const Matrix slope = system.left_jacobian({expression}, s.q, s.v, s.t);
  const Vector along = slope * s.v;
  const Expr by_time = gradient(expression, {s.t}).front();
  return along.front() + by_time;
}

Expr rate_along_motion(const System& system, const Symbols& s, const Expr& expression) {
  if (system.is_skew_gradient()) {
    const Vector slope = gradient(system.energy(s.q, s.v), s.q),
                 along = system.structure(s.q) * slope;
    const Expr by_position = dot(gradient(expression, s.q), along);
    return by_position + gradient(expression, {s.t}).front();
  }
  const Expr at_velocity = rate_at_velocity(system, s, expression);
  if (!depends_on(expression, s.v)) return at_velocity;
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration;
  return at_velocity + dot(gradient(expression, s.v), acceleration);
}

Impact::Impact(const System& system, const ContactLaw& contacts, std::span<const double> parameters)
    : dof_(system.dof()) {
  if (system.is_skew_gradient())
    throw RequestError("a system in skew-gradient form has no velocities for an impact to change");
  const Symbols s = system.symbols();
  const std::vector<ContactVelocity> law = contacts(s);
  const Vector velocities = velocities_of(law, s);
  const GraphPointer& graph = s.t.graph();
  const Vector w = new_symbols(graph, "w", dof_),
               mu = new_symbols(graph, "mu", system.constraint_count()),
               pi = new_symbols(graph, "pi", law.size());
  const Vector after = system.at(velocities, s.q, w, s.t);
  const Vector push = transpose(jacobian(after, w)) * pi;
  const Vector arriving = system.momentum(s.q, s.v, s.t);
  Vector balance = system.momentum(s.q, w, s.t) - arriving - push;
  Vector restitution, law_residual;
  const Vector before = system.at(velocities, s.q, s.v, s.t);
  for (std::size_t i = 0; i < law.size(); ++i) {
    restitution.push_back(law[i].restitution);
    const Expr given = system.at({law[i].restitution}, s.q, s.v, s.t).front();
    law_residual.push_back(after[i] + given * before[i]);
  }
  Vector residual = std::move(balance);
  if (system.constraint_count() > 0) {
    residual = residual - system.constraint_force(s.q, w, s.t, mu);
    residual = concatenate({residual, system.constraint(s.q, w, s.t)});
  }
  residual = concatenate({residual, law_residual});
  const Vector unknowns = concatenate({w, mu, pi});
  unknowns_ = unknowns.size();
  const Vector slopes = jacobian(residual, unknowns).entries();
  equations_ = {system, s, concatenate({residual, slopes}), parameters, unknowns};
  restitution_ = {system, s, restitution, parameters};
}

Impact::Outcome Impact::operator()(double t, std::span<const double> q, std::vector<double>& v) {
  for (const double e : restitution_(t, q, v))
    if (!(e >= -1.0 && e <= 1.0)) return Outcome::no_restitution;
  std::vector<double> unknowns(v.begin(), v.end());
  unknowns.resize(unknowns_, 0.0);
  std::vector<double> matrix, step, pivot(unknowns_, 0.0);
  const int size = static_cast<int>(unknowns_);
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    const std::span<const double> values = equations_(t, q, v, unknowns);
    step.assign(values.begin(), values.begin() + size);
    matrix.assign(values.begin() + size, values.end());
    const auto report = numeric::lu_factor(size, matrix.data(), pivot.data());
    if (report.singular || report.pivot_ratio < no_pivot) return Outcome::not_free;
    numeric::lu_solve(size, matrix.data(), pivot.data(), step.data());
    for (std::size_t i = 0; i < unknowns_; ++i) unknowns[i] -= step[i];
    // The impulses have units of their own: the velocity alone says when nothing changes any more.
    const double change = numeric::largest_size<double>(std::span(step).first(dof_)),
                 scale = numeric::larger(
                     numeric::largest_size<double>(v),
                     numeric::largest_size<double>(std::span(unknowns).first(dof_)));
    if (!std::isfinite(change)) return Outcome::not_free;
    const double round_off = std::numeric_limits<double>::epsilon() * scale;
    if (change <= round_off || (!(change < before) && change <= 128.0 * round_off)) {
      std::copy_n(unknowns.begin(), dof_, v.begin());
      return Outcome::done;
    }
    before = change;
  }
  return Outcome::not_free;
}

}  // namespace dalembert
