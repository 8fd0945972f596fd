#include "dalembert/mechanics/reduction/chaplygin_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "mechanics/numeric_rank.hpp"

namespace dalembert {
namespace {

/// What is known of a system while it is reduced: all expressions are in symbols of the original
/// that are its own.
struct Reducing {
  const System& original;
  const ReductionRequest& request;
  std::vector<std::size_t> left = {}, symmetric = {};
  Symbols symbols = {};
  Vector r = {}, r_dot = {};
  Matrix lift = {};  ///< S, [symmetric x left]
  /// Values that are put in for the parameters, if any.
  Vector values = {};

  Vector with_values(const Vector& expressions) const {
    return values.empty() ? expressions : substitute(expressions, symbols.parameter_list, values);
  }
  Expr with_values(const Expr& expression) const { return with_values(Vector{expression}).front(); }
  /// N in these symbols.
  Expr multiplier() const { return with_values(request.multiplier(symbols)); }

  Vector part(const Vector& all, const std::vector<std::size_t>& places) const {
    Vector result;
    for (const std::size_t i : places) result.push_back(all[i]);
    return result;
  }
  /// The velocity of the original for that of the coordinates that are left.
  Vector lifted(const Vector& velocity) const {
    Vector v = zeros(original.dof());
    const Vector followed = lift * velocity;
    for (std::size_t a = 0; a < left.size(); ++a) v[left[a]] = velocity[a];
    for (std::size_t k = 0; k < symmetric.size(); ++k) v[symmetric[k]] = followed[k];
    return v;
  }
};

[[noreturn]] void refuse(const System& system, const std::string& why) {
  throw RequestError("system \"" + system.name() + "\" cannot be reduced: " + why);
}

void check_kind(const System& system) {
  const SystemTraits& traits = system.traits();
  if (system.is_skew_gradient()) refuse(system, "it is in skew-gradient form");
  if (traits.has_groups)
    refuse(system, "it is one on " + system.configuration().text() +
                       ", and the symmetry has to be one of coordinates");
  if (traits.holonomic) refuse(system, "it has constraints on positions");
  if (traits.constraints != ConstraintKind::linear)
    refuse(system, "it needs constraints that are linear in the velocities");
  if (traits.time_dependent) refuse(system, "it depends on time");
  if (!traits.ideal)
    refuse(system, "the reaction of \"" + system.nonideal_constraint() +
                       "\" has a direction of its own, and does work");
}

/// Which coordinates go and which are left.
void place_coordinates(Reducing& reducing) {
  const System& system = reducing.original;
  std::vector<std::string> names;
  for (const Coordinate& coordinate : system.description().coordinates)
    names.push_back(coordinate.name);
  for (const std::string& name : reducing.request.symmetry) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      refuse(system, "\"" + name + "\" is no coordinate of it" + suggestion(name, names));
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (std::ranges::count(reducing.symmetric, place) > 0)
      refuse(system, "\"" + name + "\" is named twice");
    reducing.symmetric.push_back(place);
  }
  if (reducing.symmetric.size() != system.constraint_count())
    refuse(system,
           "it has " + std::to_string(system.constraint_count()) +
               " constraints, and as many symmetric coordinates are to be named; there are " +
               std::to_string(reducing.symmetric.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(reducing.symmetric, i) == 0) reducing.left.push_back(i);
}

/// The first symmetric coordinate on which one of the expressions depends.
std::optional<std::string> dependence(const Reducing& reducing, const Vector& expressions) {
  for (const std::size_t i : reducing.symmetric)
    if (any_depends_on(expressions, {reducing.symbols.q[i]}))
      return reducing.original.description().coordinates[i].name;
  return std::nullopt;
}

void find_lift(Reducing& reducing) {
  const Matrix a = reducing.original.constraint_matrix(reducing.symbols.q);
  const std::size_t m = a.rows();
  Matrix block(m, m), rest(m, reducing.left.size());
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t k = 0; k < m; ++k) block(row, k) = a(row, reducing.symmetric[k]);
    for (std::size_t j = 0; j < reducing.left.size(); ++j) rest(row, j) = -a(row, reducing.left[j]);
  }
  StateFunction<double> entries(reducing.original, reducing.symbols, block.entries());
  std::vector<double> place;
  for (std::size_t i = 0; i < reducing.original.dof(); ++i)
    place.push_back(0.37 + 0.21 * static_cast<double>(i));
  const auto found = entries(0.0, place, place);
  if (pivot_ratio({found.begin(), found.end()}, static_cast<int>(m)) == 0.0)
    refuse(reducing.original,
           "its constraints do not give the velocities of the symmetric coordinates");
  reducing.lift = solve_linear(block, rest);
  for (std::size_t k = 0; k < m; ++k) {
    const Vector row = reducing.with_values(reducing.lift.row(k));
    for (std::size_t j = 0; j < row.size(); ++j) reducing.lift(k, j) = row[j];
  }
}

Expr reduced_lagrangian(const Reducing& reducing, const Vector& v) {
  return reducing.with_values(reducing.original.lagrangian(reducing.symbols.q, v));
}

/// The force by which the constraints are remembered, and what external forces leave.
Vector reduced_force(const Reducing& reducing, const Vector& v) {
  const Vector momentum = reducing.with_values(reducing.original.momentum(reducing.symbols.q, v));
  const Vector external =
      reducing.with_values(reducing.original.force(reducing.symbols.q, v, reducing.symbols.t));
  const Vector of_symmetric = reducing.part(external, reducing.symmetric);
  Vector force = reducing.part(external, reducing.left) + transpose(reducing.lift) * of_symmetric;
  for (std::size_t k = 0; k < reducing.symmetric.size(); ++k) {
    const Matrix slope = jacobian(reducing.lift.row(k), reducing.r);
    const Expr& p = momentum[reducing.symmetric[k]];
    for (std::size_t a = 0; a < reducing.left.size(); ++a) {
      for (std::size_t b = 0; b < reducing.left.size(); ++b) {
        const Expr turning = (slope(a, b) - slope(b, a)) * reducing.r_dot[b];
        force[a] += p * turning;
      }
    }
  }
  return force;
}

SystemDescription description_of(const Reducing& reducing, const std::string& name) {
  const SystemDescription& all = reducing.original.description();
  SystemDescription description{.name = name, .coordinates = {}};
  if (reducing.values.empty()) description.parameters = all.parameters;
  for (const std::size_t i : reducing.left) description.coordinates.push_back(all.coordinates[i]);
  return description;
}

/// Symbols of a system whose coordinates are these, in the graph of the original's.
Symbols symbols_of(const Symbols& original, const SystemDescription& description, const Vector& q,
                   const Vector& v) {
  Symbols symbols = original;
  symbols.q = symbols.variables = q;
  symbols.v = v;
  if (description.parameters.empty()) {
    symbols.parameter_list.clear();
    symbols.parameters.clear();
  }
  symbols.elements.clear();
  for (std::size_t i = 0; i < q.size(); ++i)
    symbols.elements.emplace(description.coordinates[i].name, Symbols::Element{{q[i]}, {v[i]}, {}});
  return symbols;
}

/// Adds coordinates that follow by constraints, value' = rate.
void add_followed(SystemDescription& description, Vector& q, Vector& v, Mechanics& mechanics,
                  const Coordinate& coordinate, const Expr& symbol, const Expr& velocity,
                  const Expr& rate) {
  description.coordinates.push_back(coordinate);
  q.push_back(symbol);
  v.push_back(velocity);
  const Expr rest = velocity - rate;
  const Expr square_of_rest = 0.5 * square(rest);
  mechanics.lagrangian = *mechanics.lagrangian + square_of_rest;
  mechanics.constraints.push_back(rest);
  if (!mechanics.force.empty()) mechanics.force.emplace_back(0.0);
}

/// The reduced system in its own time, or in that of the multiplier.
System reduced_system(const Reducing& reducing, bool in_tau, bool reconstructs) {
  const System& original = reducing.original;
  SystemDescription description =
      description_of(reducing, original.name() + (in_tau ? "-hamiltonized" : "-reduced"));
  const Expr factor = in_tau ? reducing.multiplier() : Expr(1.0);
  const Vector v = reducing.lifted(in_tau ? factor * reducing.r_dot : reducing.r_dot);
  Mechanics mechanics;
  mechanics.lagrangian = reduced_lagrangian(reducing, v);
  if (!in_tau) mechanics.force = reduced_force(reducing, v);
  if (std::ranges::all_of(mechanics.force, [](const Expr& f) { return f.is_constant(0.0); }))
    mechanics.force.clear();
  Vector q = reducing.r, rates = reducing.r_dot;
  if (reconstructs) {
    for (std::size_t k = 0; k < reducing.symmetric.size(); ++k) {
      const std::size_t i = reducing.symmetric[k];
      const Expr rate = dot(reducing.lift.row(k), reducing.r_dot);
      add_followed(description, q, rates, mechanics, original.description().coordinates[i],
                   reducing.symbols.q[i], reducing.symbols.v[i], rate);
    }
    if (in_tau) {
      const GraphPointer graph = reducing.symbols.t.graph();
      const Expr time = make_symbol(graph, "time"), time_dot = make_symbol(graph, "time_dot");
      add_followed(description, q, rates, mechanics, {"time"}, time, time_dot, 1.0 / factor);
    }
  }
  Symbols symbols = symbols_of(reducing.symbols, description, q, rates);
  const GraphPointer graph = reducing.symbols.t.graph();
  return System::define(std::move(description), graph, std::move(symbols), std::move(mechanics));
}

/// Comparison of the accelerations in tau with those of the motion, at a few states near zero and
/// at some further away. Functions without pieces that agree at all of them agree everywhere; a
/// multiplier with pieces is refused, since no sample clears those that it does not meet.
void check_multiplier(const System& in_time, const System& in_tau, const Reducing& reducing,
                      std::span<const double> parameters) {
  const std::size_t n = reducing.left.size();
  const auto accelerations = [&](const System& system) {
    const Symbols s = system.symbols();
    const Vector found = system.eliminated(s.q, s.v, s.t).acceleration;
    return StateFunction<double>(system, s, found,
                                 reducing.values.empty() ? parameters : std::span<const double>());
  };
  StateFunction<double> by_time = accelerations(in_time), by_tau = accelerations(in_tau);
  const Symbols s = reducing.original.symbols();
  const Expr n_of_q = reducing.request.multiplier(s);
  const Vector slopes = reducing.part(gradient(n_of_q, s.q), reducing.left);
  StateFunction<double> multiplier(reducing.original, s, concatenate({{n_of_q}, slopes}),
                                   parameters);
  if (has_pieces_in(n_of_q, s.q))
    refuse(reducing.original,
           "the multiplier has pieces (abs, min, max, piecewise, a table), and whether it reduces "
           "the system is looked at in numbers, which may not meet all of them; give a smooth one");
  constexpr double rounding = 1e-9;
  constexpr int near_states = 6, all_states = 18;
  int looked_at = 0;
  for (int state = 0; state < all_states; ++state) {
    const bool is_near = state < near_states;
    const double reach = is_near ? 0.9 : 0.9 * std::ldexp(1.0, state - near_states + 1);
    std::vector<double> q, v, all(reducing.original.dof(), 0.0);
    for (std::size_t a = 0; a < n; ++a) {
      const double phase = 1.3 * static_cast<double>(a) + 2.1 * state;
      q.push_back(reach * numeric::sin(phase));
      v.push_back(0.4 + 0.7 * numeric::cos(1.7 * phase));
      all[reducing.left[a]] = q.back();
    }
    const auto found = multiplier(0.0, all, all);
    const double factor = found[0];
    // Far away it may be that no motion gets there.
    if (!std::isfinite(factor) || (!is_near && !(factor > 0.0))) continue;
    ++looked_at;
    if (!(factor > 0.0))
      refuse(reducing.original, "the multiplier is " + std::to_string(factor) +
                                    " at one of the places that were looked at, and has to be "
                                    "positive");
    // With v = dr/dtau: r'' = d/dt (N v) = N (N v' + (dN . v) v), ' by tau.
    std::vector<double> in_own_time;
    double rate = 0.0;
    for (std::size_t a = 0; a < n; ++a) {
      in_own_time.push_back(factor * v[a]);
      rate += found[1 + a] * v[a];
    }
    const auto expected = by_time(0.0, q, in_own_time), measured = by_tau(0.0, q, v);
    for (std::size_t a = 0; a < n; ++a) {
      const double first = factor * factor * measured[a], second = factor * rate * v[a];
      const double size = 1.0 + std::fabs(first) + std::fabs(second) + std::fabs(expected[a]);
      if (!(std::fabs(first + second - expected[a]) < rounding * size))
        refuse(reducing.original,
               "the multiplier does not reduce it: in the time that it makes, the equations are "
               "not those of the Lagrangian (the acceleration of " +
                   reducing.original.description().coordinates[reducing.left[a]].name +
                   " is off by " + std::to_string(first + second - expected[a]) +
                   " at one of the states that were looked at)");
    }
  }
  if (looked_at == 0)
    refuse(reducing.original,
           "the multiplier has no value at any of the places that were looked at");
}

}  // namespace

std::pair<std::vector<double>, std::vector<double>> ChaplyginReduction::start(
    std::span<const double> q, std::span<const double> v) const {
  const Symbols s = original.symbols();
  const Expr factor = request.multiplier ? request.multiplier(s) : Expr(1.0);
  StateFunction<double> multiplier(original, s, {factor}, parameters);
  const double n = multiplier(0.0, q, v).front();
  std::pair<std::vector<double>, std::vector<double>> result;
  const auto take = [&](std::size_t i) {
    result.first.push_back(q[i]);
    result.second.push_back(v[i] / n);
  };
  for (const std::size_t i : left) take(i);
  if (!request.reconstruct) return result;
  for (const std::size_t i : symmetric) take(i);
  if (request.multiplier) {
    result.first.push_back(0.0);
    result.second.push_back(1.0 / n);
  }
  return result;
}

namespace {

/// The system in symbols of its own, ready to be reduced.
Reducing begin_reducing(const System& original, const ReductionRequest& request,
                        const Vector& values) {
  Reducing reducing{original, request};
  reducing.symbols = original.symbols();
  reducing.values = values;
  place_coordinates(reducing);
  reducing.r = reducing.part(reducing.symbols.q, reducing.left);
  reducing.r_dot = reducing.part(reducing.symbols.v, reducing.left);
  find_lift(reducing);
  return reducing;
}

/// The first symmetric coordinate on which the equations, or the multiplier, depend.
std::optional<std::string> broken_symmetry(const Reducing& reducing) {
  const Vector v = reducing.lifted(reducing.r_dot);
  const Expr lagrangian = reduced_lagrangian(reducing, v);
  const Vector force = reduced_force(reducing, v);
  Vector looked_at = concatenate({{lagrangian}, force, reducing.lift.entries()});
  if (reducing.request.multiplier) looked_at.push_back(reducing.multiplier());
  return dependence(reducing, looked_at);
}

}  // namespace

ChaplyginReduction chaplygin_reduction(const System& original, const ReductionRequest& request,
                                       std::span<const double> parameters) {
  check_kind(original);
  const std::vector<double> numbers = parameter_values(original, parameters);
  Vector values;
  if (broken_symmetry(begin_reducing(original, request, {}))) {
    for (const double number : numbers) values.emplace_back(number);
    if (const auto name = broken_symmetry(begin_reducing(original, request, values)))
      refuse(original,
             "\"" + *name +
                 "\" is in its Lagrangian, its forces, its constraints or the multiplier, "
                 "which may not depend on a symmetric coordinate");
  }
  if (request.multiplier && original.traits().forced)
    refuse(original, "external forces leave no Lagrangian in any time; leave the multiplier out");
  const auto made = [&](bool in_tau, bool reconstructs) {
    return reduced_system(begin_reducing(original, request, values), in_tau, reconstructs);
  };
  const Reducing places = begin_reducing(original, request, values);
  const bool in_tau = static_cast<bool>(request.multiplier);
  if (in_tau) check_multiplier(made(false, false), made(true, false), places, numbers);
  return {
      made(in_tau, request.reconstruct), places.left, places.symmetric, original, numbers, request};
}

}  // namespace dalembert
