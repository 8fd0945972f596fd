#include "passenger_monodromy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/measure/floquet.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "small_eigenvalues.hpp"

namespace dalembert {
namespace {

std::vector<double> parameters_of(const System& system, const Start& start,
                                  std::span<const double> parameters) {
  if (parameters.empty()) return named_parameter_values(system, start.parameters);
  return {parameters.begin(), parameters.end()};
}

const Method& not_adaptive(const Method& method) {
  if (method.tolerance() > 0.0)
    throw RequestError("method \"" + method.name() +
                       "\" has no exponents: it chooses its steps as it goes");
  return method;
}

}  // namespace

PassengerRuns::PassengerRuns(const System& system, const Method& method, const Start& start,
                             double h, std::span<const double> parameters)
    : map_(system, not_adaptive(method), parameters_of(system, start, parameters)),
      states_(system, map_.parameters(), "exponents"),
      names_("method \"" + method.name() + "\" on system \"" + system.name() + "\""),
      start_(prepare_start(system, start, map_.parameters())),
      h_(h),
      is_angle_(states_.passengers.driver_is_angle()),
      leaves_constraints_(!method.facts().maps_constraint_set),
      driver_(states_.passengers.driver()),
      extra_((method.facts().carries_multiplier ? system.constraint_count() : 0) +
             (leaves_constraints_ ? system.constraint_count() : 0)) {
  if (!(h > 0.0)) throw RequestError("exponents need a step above zero");
  const double position = start_.q[driver_], velocity = start_.v[driver_];
  slope_ = {velocity, states_.passengers.at(position).acceleration};
  if (slope_[0] == 0.0 && slope_[1] == 0.0)
    throw RequestError("system \"" + system.name() +
                       "\" has no exponents from this start: its driver is at rest");
  period_ = FloquetAverage(system, map_.parameters()).at(position, velocity).period;
  if (!std::isfinite(period_))
    throw RequestError("system \"" + system.name() +
                       "\" has no exponents from this start: its driver does not return");
  if (!(period_ > 4.0 * h))
    throw RequestError("exponents need at least four steps in a turn of the driver, which takes " +
                       std::to_string(period_));
  const auto steps = static_cast<std::uint64_t>(std::llround(period_ / h));
  const PassengerMonodromy turn = over({1, steps, period_ / static_cast<double>(steps)});
  for (const auto& value : small_eigenvalues(turn.matrix, turn.start.size()).values) {
    if (std::fabs(value.imag()) > 0.02 * std::abs(value)) angles_.push_back(std::arg(value));
  }
}

BasicPoint<double> PassengerRuns::run(Point point, double step, std::uint64_t steps) {
  map_.start_carried(point);
  if (!map_.apply(point, step, steps))
    throw RequestError(names_ + " has no exponents: a step was refused");
  return point;
}

/// By how much later than after these steps the driver crosses the line through its start that is
/// perpendicular to its motion there.
double PassengerRuns::lateness(double step, std::uint64_t steps) {
  const Point end = run(map_.start(start_.q, start_.v), step, steps);
  double distance = end.q[driver_] - start_.q[driver_];
  if (is_angle_) distance = std::remainder(distance, 2.0 * std::numbers::pi);
  const double ahead = distance * slope_[0] + (end.v[driver_] - start_.v[driver_]) * slope_[1];
  return -ahead / (slope_[0] * slope_[0] + slope_[1] * slope_[1]);
}

/// Whether after these turns the modes that rotate are far from those that do not, so that
/// eigenvalues tell them apart.
bool PassengerRuns::separates(std::uint64_t turns) const {
  return std::all_of(angles_.begin(), angles_.end(), [turns](double angle) {
    return std::fabs(std::sin(static_cast<double>(turns) * angle)) > 0.25;
  });
}

PassengerRuns::Turns PassengerRuns::tuned(std::uint64_t most_turns,
                                          std::optional<double> other_step) {
  const auto steps_for = [&](double turns, double period) {
    return static_cast<std::uint64_t>(std::llround(turns * period / h_));
  };
  // The period of the method's driver, over more and more turns so that none is missed.
  double period = period_;
  for (const double turns : {1.0, 4.0, 16.0}) {
    const std::uint64_t steps = steps_for(turns, period);
    period = (static_cast<double>(steps) * h_ + lateness(h_, steps)) / turns;
  }
  Turns best{1, steps_for(1.0, period), h_};
  double smallest = std::numeric_limits<double>::infinity();
  for (std::uint64_t turns = 1; turns <= most_turns; ++turns) {
    const double time = static_cast<double>(turns) * period;
    const std::uint64_t steps = steps_for(static_cast<double>(turns), period);
    const double off = std::fabs(static_cast<double>(steps) * h_ / time - 1.0);
    if (!(off < 0.9 * smallest) || !separates(turns)) continue;
    const double step = time / static_cast<double>(steps);
    if (other_step && std::fabs(step - *other_step) < std::fabs(h_ - *other_step)) continue;
    smallest = off;
    best = {turns, steps, step};
  }
  for (int pass = 0; pass < 8; ++pass) {
    const double change = lateness(best.step, best.steps) / static_cast<double>(best.steps);
    best.step += change;
    if (std::fabs(change) <= 1e-15 * best.step) break;
  }
  return best;
}

std::vector<double> PassengerRuns::coordinates(const Point& point) {
  // The driver has returned: what is measured with it is measured where it began.
  std::vector<double> q = point.q;
  q[driver_] = start_.q[driver_];
  std::vector<double> z = states_.passengers.variables(q, point.v);
  if (leaves_constraints_) {
    BasicPoint<double> here = point;
    here.q = q;
    const std::vector<double> off = map_.constraint(here);
    z.insert(z.end(), off.begin(), off.end());
  }
  if (map_.program().method().facts().carries_multiplier)
    z.insert(z.end(), point.lambda.begin(), point.lambda.end());
  return z;
}

Point PassengerRuns::point_of(std::size_t column) {
  const double position = start_.q[driver_], velocity = start_.v[driver_];
  const std::size_t physical = states_.count();
  const auto state =
      column < physical ? states_.at(position, velocity, column) : states_.rest(position, velocity);
  const auto rest = states_.rest(position, velocity);
  Point point = map_.start(state.q, state.v);
  // Multipliers are columns of their own: all start with that of the rest.
  point.lambda = map_.start(rest.q, rest.v).lambda;
  std::size_t next = column - numeric::smaller(column, physical);
  if (column < physical) return point;
  const std::size_t off =
      leaves_constraints_
          ? extra_ - (map_.program().method().facts().carries_multiplier ? point.lambda.size() : 0)
          : 0;
  if (next >= off) {
    point.lambda[next - off] += 1.0;
    return point;
  }
  // Velocities off the constraints: what projection takes away from units.
  std::vector<double> constraints(off * off), pivots(off), right(off, 0.0);
  std::vector<std::vector<double>> normals;
  for (const std::size_t l : states_.passengers.passengers()) {
    std::vector<double> unit(point.v.size(), 0.0);
    unit[l] = 1.0;
    const auto along = states_.evaluator.projected_velocity(0.0, point.q, unit);
    for (std::size_t i = 0; i < unit.size(); ++i) unit[i] -= along[i];
    normals.push_back(std::move(unit));
  }
  // There is one more than constraints; the shortest is left out.
  const auto length = [](const std::vector<double>& x) {
    double sum = 0.0;
    for (const double entry : x) sum += entry * entry;
    return sum;
  };
  normals.erase(std::min_element(normals.begin(), normals.end(), [&](const auto& a, const auto& b) {
    return length(a) < length(b);
  }));
  for (std::size_t j = 0; j < off; ++j) {
    BasicPoint<double> shifted = point;
    shifted.v = normals[j];
    const std::vector<double> values = map_.constraint(shifted);
    for (std::size_t i = 0; i < off; ++i) constraints[i * off + j] = values[i];
  }
  right[next] = 1.0;
  static_cast<void>(numeric::lu_factor(static_cast<int>(off), constraints.data(), pivots.data()));
  numeric::lu_solve(static_cast<int>(off), constraints.data(), pivots.data(), right.data());
  for (std::size_t j = 0; j < off; ++j)
    for (std::size_t i = 0; i < point.v.size(); ++i) point.v[i] += right[j] * normals[j][i];
  return point;
}

PassengerMonodromy PassengerRuns::monodromy(std::uint64_t most_turns,
                                            std::optional<double> other_step) {
  return over(tuned(most_turns, other_step));
}

/// Sets the mean over some turns of the form whose value at coordinates of the start is twice the
/// passengers' energy, with the weights of a window, under which what rotates averages out.
void PassengerRuns::set_mean_energy(PassengerMonodromy& monodromy) {
  const std::size_t n = states_.count() + extra_;
  monodromy.energy_steps = static_cast<std::uint64_t>(std::ceil(
      24.0 * static_cast<double>(monodromy.steps) / static_cast<double>(monodromy.turns)));
  const auto rest = states_.rest(start_.q[driver_], start_.v[driver_]);
  std::vector<Point> points{map_.start(rest.q, rest.v)};
  for (std::size_t j = 0; j < n; ++j) points.push_back(point_of(j));
  for (Point& point : points) map_.start_carried(point);
  std::vector<double> form(n * n, 0.0);
  double weights = 0.0;
  for (std::uint64_t k = 1; k < monodromy.energy_steps; ++k) {
    std::vector<std::vector<double>> z;
    for (Point& point : points) {
      if (!map_.apply(point, monodromy.step))
        throw RequestError(names_ + " has no exponents: a step was refused");
      z.push_back(states_.passengers.variables(point.q, point.v));
    }
    const double weight = monodromy.energy_weight(k);
    weights += weight;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t l = 0; l < z[0].size(); ++l)
          form[i * n + j] += weight * (z[1 + i][l] - z[0][l]) * (z[1 + j][l] - z[0][l]);
  }
  for (double& entry : form) entry /= weights;
  monodromy.energy = std::move(form);
}

/// Whether a step turns the sign of an error of the multiplier, and of what is off the constraints.
bool PassengerRuns::changes_signs(const Point& rest, double step) {
  if (map_.program().method().facts().carries_multiplier && keeps_multiplier_error(map_, rest))
    return false;
  if (!leaves_constraints_) return true;
  Point off = point_of(states_.count());
  const double before = map_.constraint(off).front();
  map_.start_carried(off);
  return map_.apply(off, step) && map_.constraint(off).front() * before < 0.0;
}

PassengerMonodromy PassengerRuns::over(const Turns& turns) {
  const std::size_t n = states_.count() + extra_;
  PassengerMonodromy result;
  result.matrix.resize(n * n);
  result.physical = states_.count();
  result.step = turns.step;
  result.steps = turns.steps;
  result.turns = turns.turns;
  result.time = turns.step * static_cast<double>(turns.steps);
  set_mean_energy(result);

  const auto rest = states_.rest(start_.q[driver_], start_.v[driver_]);
  const Point rest_point = map_.start(rest.q, rest.v);
  const Point rest_end = run(rest_point, turns.step, turns.steps);
  const std::vector<double> origin = coordinates(rest_point), moved = coordinates(rest_end);
  double spread = 0.0, drift = 0.0;
  const auto column_of = [&](const Point& start) {
    const Point end = run(start, turns.step, turns.steps);
    spread = numeric::larger(spread, std::fabs(end.q[driver_] - rest_end.q[driver_]));
    spread = numeric::larger(spread, std::fabs(end.v[driver_] - rest_end.v[driver_]));
    std::vector<double> values = coordinates(end);
    for (std::size_t i = 0; i < n; ++i) values[i] -= moved[i];
    return values;
  };
  for (std::size_t j = 0; j < n; ++j) {
    const std::vector<double> column = column_of(point_of(j));
    for (std::size_t i = 0; i < n; ++i) result.matrix[i * n + j] = column[i];
  }
  const Point begin = map_.start(start_.q, start_.v);
  result.start = coordinates(begin);
  for (std::size_t i = 0; i < n; ++i) result.start[i] -= origin[i];
  const std::vector<double> whole = column_of(begin);
  double size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += result.matrix[i * n + j] * result.start[j];
    drift = numeric::larger(drift, std::fabs(sum - whole[i]));
    size = numeric::larger(size, std::fabs(result.start[i]));
  }
  result.superposition = drift / size;
  if (!(spread <= 1e-6))
    throw RequestError(names_ + " has no exponents: its driver feels the passengers");
  if (!(result.superposition <= 1e-6))
    throw RequestError(names_ + " has no exponents: its passengers' steps are not linear");
  result.alternates = extra_ > 0 && changes_signs(rest_point, turns.step);
  result.driver_rate = (map_.energy(rest_end) - map_.energy(rest_point)) / result.time;
  double turned = rest_end.q[driver_] - start_.q[driver_];
  if (is_angle_) turned = std::remainder(turned, 2.0 * std::numbers::pi);
  result.next = {.q = start_.q, .v = start_.v, .project = true};
  result.next.q[driver_] = is_angle_ ? start_.q[driver_] + turned : rest_end.q[driver_];
  result.next.v[driver_] = rest_end.v[driver_];
  result.closure = numeric::hypot(turned, rest_end.v[driver_] - start_.v[driver_]);
  return result;
}

}  // namespace dalembert
