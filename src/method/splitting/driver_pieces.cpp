#include "driver_pieces.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "mechanics/new_symbols.hpp"
#include "method/splitting/normal_frames.hpp"

namespace dalembert {
namespace {

/// The c with V = c x.M x/2 + linear terms in x, if it is steady; else nothing.
Vector isotropic_frequency(const System& system, const DriverBlocks& blocks, const Matrix& mass,
                           const Vector& reference) {
  const Symbols s = system.symbols(reference);
  const Vector x = blocks.of_passengers(s.q);
  const Vector slope = blocks.of_passengers(gradient(system.potential(s.q), s.q));
  const Matrix stiffness = jacobian(slope, x);
  const Expr c = stiffness(0, 0) / mass(0, 0);
  if (!c.is_steady()) return {};
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Expr wanted = c * mass(i, j);
      if (!(stiffness(i, j) - wanted).is_constant(0.0)) return {};
    }
  }
  return {c};
}

}  // namespace

DriverPieces::DriverPieces(const System& system, const Vector& reference)
    : DriverGeometry(system, reference) {
  frequency_squared_ = isotropic_frequency(system, blocks(), mass(), reference);
  const Symbols symbols = system.symbols(reference);
  const Vector slope = blocks().of_passengers(system.potential_gradient(symbols.q));
  quadratic_ = std::ranges::all_of(slope, [&](const Expr& entry) {
    return polynomial_degree(entry, blocks().of_passengers(symbols.q)) <= 1;
  });
}

bool DriverPieces::carries_exactly() const {
  const Symbols s = system().symbols();
  return DriverPieces(system(), s.q).carries_exactly(s);
}

bool DriverPieces::carries_exactly(const Symbols& s) const {
  const GraphPointer graph = s.t.graph();
  const Expr h = make_symbol(graph, "h");
  Parts admissible = parts({s.q, s.v, {}, {}, s.t});
  // The speed along one direction stays.
  if (!direction(admissible, s.t).empty()) return true;
  const Matrix n = normals(admissible, s.t);
  const Vector weighted = transpose(n) * (mass() * admissible.x_dot);
  admissible.x_dot = admissible.x_dot - n * weighted;
  const State start = state(admissible, {s.q, s.v, {}, {}, s.t});
  State there = drift(start, 0.5 * h).after;
  there.t = s.t + 0.5 * h;
  const Vector twice = drift(there, 0.5 * h).after.v, once = drift(start, h).after.v;
  CompiledFunction compare(concatenate({s.parameter_list, s.q, s.v, {s.t, h}}), twice - once);
  std::vector<double> inputs = system().default_parameters();
  // Numbers of no meaning.
  for (std::size_t i = 0; i < 2 * s.q.size(); ++i)
    inputs.push_back(numeric::sin(1.0 + 1.7 * double(i)));
  inputs.insert(inputs.end(), {0.3, 0.4});
  const std::vector<double> differences = compare(inputs);
  return std::ranges::all_of(differences, [](double x) { return std::abs(x) < 1e-12; });
}

void DriverPieces::drive(std::size_t which, Parts& now, Unknowns& unknowns, const Expr& h,
                         Vector& zero) const {
  const Parts start = now;
  const Expr mass = driver_mass()[which], path = h * start.w_dot[which];
  const Expr weight = 0.5 * h * h / mass;
  // The slope between two places of this driver, as a function of both.
  const Vector place = new_symbols(h.graph(), "driver", 1);
  Parts moving = start;
  moving.w[which] = place[0];
  const Expr slope = slope_in_drivers(moving)[which];
  Expr d, g;
  if (polynomial_degree(slope, place) <= 1) {
    // F + K d/2 between the two: linear in d.
    const Expr curvature = jacobian({slope}, place)(0, 0);
    const Expr force = substitute(slope, place, {start.w[which]});
    d = (path - weight * force) / (1.0 + 0.5 * weight * curvature);
    g = force + 0.5 * curvature * d;
  } else {
    d = unknowns.vector("d_" + std::to_string(which + 1), {path}).front();
    const Expr there = start.w[which] + d;
    g = segment_mean({slope}, place, {start.w[which]}, {there}).front();
    zero.push_back(d - path + weight * g);
  }
  now.w[which] = start.w[which] + d;
  now.w_dot[which] = start.w_dot[which] - h / mass * g;
}

Equations DriverPieces::drive_all(const State& before, Unknowns& unknowns, const Expr& h,
                                  bool backwards) const {
  const Parts start = parts(before);
  Parts end = start;
  Vector zero;
  const std::size_t count = blocks().drivers.size();
  for (std::size_t k = 0; k < count; ++k)
    drive(backwards ? count - 1 - k : k, end, unknowns, h, zero);
  end.x_dot = carried(start, before.t, end, before.t + h, start.x_dot);
  return {.zero = zero, .constraint = {}, .after = state(end, before)};
}

Equations DriverPieces::drift(const State& before, const Expr& h) const {
  const Parts start = parts(before);
  Parts end = start;
  end.w = start.w + h * start.w_dot;
  end.x_dot = carried(start, before.t, end, before.t + h, start.x_dot);
  return {.zero = {}, .constraint = {}, .after = state(end, before)};
}

DriverPieces::Push DriverPieces::push(const Parts& before, const Vector& direction,
                                      const Expr& path, const Expr& weight, Unknowns& unknowns,
                                      Vector& zero) const {
  const Vector x = new_symbols(path.graph(), "x", before.x.size());
  const Vector s = new_symbols(path.graph(), "s", 1);
  Parts moving = before;
  moving.x = x;
  const Expr slope = dot(direction, slope_in_passengers(moving));
  const Expr along = substitute(slope, x, before.x + s[0] * direction);
  if (polynomial_degree(along, s) > 1) {
    const Expr d = unknowns.vector("d", {path}).front();
    const Expr g = segment_mean({slope}, x, before.x, before.x + d * direction).front();
    zero.push_back(d - path + weight * g);
    return {d, g};
  }
  const Expr curvature = jacobian({along}, s)(0, 0);
  const Expr force = substitute(slope, x, before.x);
  const Expr d = (path - weight * force) / (1.0 + 0.5 * weight * curvature);
  return {d, force + 0.5 * curvature * d};
}

DriverPieces::Line DriverPieces::line(const Parts& at, const Vector& direction,
                                      const Expr& speed) const {
  if (!quadratic_) return {direction, speed, {}};
  const Expr pull = dot(direction, slope_in_passengers(at));
  return {direction, speed, {-pull}};
}

Vector DriverPieces::pass_along(const Parts& before, Line& line, Unknowns& unknowns, const Expr& h,
                                Vector& zero) const {
  const Vector& k = line.direction;
  if (quadratic_) {
    // The midpoint rule: the force is F - K d in the distance d. Rounding of the weight, the same
    // in every step, changes d by a factor alone: the work of the force along it still sums up to
    // the energy. Separate weights of speed and force would let the energy drift.
    const Expr stiffness = stiffness_along(k, before);
    const Expr weight = h / (1.0 + 0.25 * h * h * stiffness);
    const Expr start = line.speed + 0.5 * h * line.force[0];
    const Expr d = weight * start;
    const Expr middle = line.force[0] - 0.5 * stiffness * d;
    line.speed = line.speed + h * middle;
    line.force[0] = line.force[0] - stiffness * d;
    return before.x + d * k;
  }
  const Push moved = push(before, k, h * line.speed, 0.5 * h * h, unknowns, zero);
  line.speed = line.speed - h * moved.slope;
  return before.x + moved.distance * k;
}

Expr DriverPieces::stiffness_along(const Vector& direction, const Parts& at) const {
  if (is_isotropic()) return frequency_squared_.front();  // the direction is a unit vector
  const Vector x = new_symbols(direction.front().graph(), "x", at.x.size());
  Parts moving = at;
  moving.x = x;
  const Expr slope = dot(direction, slope_in_passengers(moving));
  return dot(direction, jacobian({slope}, x).row(0));
}

DriverPieces::Node DriverPieces::node(const Vector& values) const {
  const std::size_t n = blocks().passengers.size(), forces = quadratic_ ? 1 : 0;
  return {{slice(values, 0, n), values[n], slice(values, n + 1, forces)},
          slice(values, n + 1 + forces, blocks().drivers.size())};
}

Vector DriverPieces::node_values(const State& at) const {
  const Parts here = parts(at);
  const Vector along = direction(here, at.t);
  if (along.empty()) return {};
  const Vector slope = slope_in_drivers(here);
  return Node{line(here, along, dot(along, mass() * here.x_dot)), slope}.values();
}

std::vector<std::string> DriverPieces::node_names() const {
  const Symbols s = system().symbols();
  if (DriverPieces(system(), s.q).node_values({s.q, s.v, {}, {}, s.t}).empty()) return {};
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) names.push_back(name + "_" + std::to_string(i));
  };
  add("direction", blocks().passengers.size());
  names.emplace_back("speed");
  if (quadratic_) names.emplace_back("force");
  add("slope", blocks().drivers.size());
  return names;
}

Equations DriverPieces::node_step(const State& before, Unknowns& unknowns, const Expr& h) const {
  const Expr half = 0.5 * h;
  Parts now = parts(before);
  Node start = node(before.carried);
  Vector zero;
  const auto half_kick = [&](const Vector& slope) {
    for (std::size_t i = 0; i < now.w.size(); ++i)
      now.w_dot[i] = now.w_dot[i] - half / driver_mass()[i] * slope[i];
  };
  now.x = pass_along(now, start.line, unknowns, half, zero);
  half_kick(start.slope);
  now.w = now.w + h * now.w_dot;
  const Vector slope = slope_in_drivers(now);
  half_kick(slope);
  const Vector along = direction(now, before.t + h);
  Node end{line(now, along, start.line.speed), slope};
  now.x = pass_along(now, end.line, unknowns, half, zero);
  now.x_dot = end.line.speed * along;
  State after = state(now, before);
  after.carried = end.values();
  after.lambda.clear();
  return {.zero = zero, .constraint = {}, .after = after};
}

DriverPieces::Parts DriverPieces::pass_in_pairs(const Parts& before, const KernelBasis& basis,
                                                Unknowns& unknowns, const Expr& h,
                                                Vector& zero) const {
  Parts now = before;
  const std::size_t last = basis.free.size() - 1;
  for (std::size_t k = 0; k <= 2 * last; ++k) {
    const std::size_t j = std::min(k, 2 * last - k), own = basis.free[j];
    const Expr time = j == last ? h : 0.5 * h;
    const Vector along = basis.directions.column(j), response = basis.responses.column(j);
    const Expr weight = 0.5 * time * time * response[own];
    const Push moved = push(now, along, time * now.x_dot[own], weight, unknowns, zero);
    now.x_dot = now.x_dot - time * moved.slope * response;
    now.x = now.x + moved.distance * along;
  }
  return now;
}

DriverPieces::Parts DriverPieces::pass_within(const Parts& before, const Expr& t,
                                              Unknowns& unknowns, const Expr& h,
                                              Vector& zero) const {
  Parts after = before;
  after.x_dot = unknowns.vector("passengers_dot", before.x_dot);
  const Matrix a = constraint(before, t);
  const Vector impulse = unknowns.multiplier("impulse", zeros(a.rows()));
  const Vector change = after.x_dot - before.x_dot;
  after.x = before.x + h * (before.x_dot + 0.5 * change);
  const Vector x = new_symbols(h.graph(), "x", before.x.size());
  Parts moving = before;
  moving.x = x;
  const Vector g =
      discrete_gradient(GradientKind::mean_value, potential(moving), x, before.x, after.x);
  const Vector reaction = transpose(a) * impulse;
  zero = concatenate({mass() * change + h * g - reaction, a * after.x_dot});
  return after;
}

void DriverPieces::kick(const Parts& at, const Expr& h, Parts& after) const {
  const Vector slope = slope_in_drivers(at);
  for (std::size_t i = 0; i < slope.size(); ++i)
    after.w_dot[i] = at.w_dot[i] - h / driver_mass()[i] * slope[i];
}

Equations DriverPieces::pass(const State& before, Unknowns& unknowns, const Expr& h,
                             bool kicks) const {
  const Parts start = parts(before);
  const Vector along = direction(start, before.t);
  Vector zero;
  Parts end = start;
  if (!along.empty()) {
    Line way = line(start, along, dot(along, mass() * start.x_dot));
    end.x = pass_along(start, way, unknowns, h, zero);
    end.x_dot = way.speed * along;
  } else {
    const KernelBasis basis = kernel_basis(constraint(start, before.t), mass());
    end = basis.free.empty() ? pass_within(start, before.t, unknowns, h, zero)
                             : pass_in_pairs(start, basis, unknowns, h, zero);
  }
  if (kicks) kick(start, h, end);
  return {.zero = zero, .constraint = {}, .after = state(end, before)};
}

Equations DriverPieces::flow(const State& before, const Expr& h, bool kicks) const {
  const Parts start = parts(before);
  Parts end = start;
  const Expr c = frequency_squared_.front();
  // The force along the admissible directions, P M^-1 dV with P = 1 - N N^T M.
  const Matrix n = normals(start, before.t);
  const Vector pull = solve_linear(mass(), slope_in_passengers(start));
  const Vector force = n * (transpose(n) * (mass() * pull)) - pull;
  const Expr phase = sqrt(c) * h;
  // sin(w h)/w and (1 - cos(w h))/w^2, smooth where c vanishes.
  const Expr sine = h * sinc(phase), half = sinc(0.5 * phase);
  const Expr versine = 0.5 * h * h * half * half;
  end.x = start.x + sine * start.x_dot + versine * force;
  end.x_dot = start.x_dot + sine * force - c * versine * start.x_dot;
  if (kicks) kick(start, h, end);
  return {.zero = {}, .constraint = {}, .after = state(end, before)};
}

}  // namespace dalembert
