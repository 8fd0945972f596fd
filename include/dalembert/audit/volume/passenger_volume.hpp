#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <vector>

#include "dalembert/audit/audit.hpp"
#include "dalembert/audit/fibration.hpp"
#include "dalembert/audit/volume/formula_value.hpp"
#include "dalembert/audit/volume/volume_chart.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {

/// Change of the passengers' volume over one turn of the driver, step by step of a size at which
/// the driver closes.
struct VolumeOverTurn {
  double step = 0.0;         ///< size of a step
  double time = 0.0;         ///< of the turn
  double largest = 0.0;      ///< |log| of the factor of a step
  double sum = 0.0;          ///< of the logarithms: that of the factor of the turn
  double off_formula = 0.0;  ///< largest distance of a step's logarithm to the formula
};

/// One driver, which moves by itself, and its turn from a start.
struct DriverTurn {
  std::size_t driver = 0;                     ///< index of its coordinate
  bool is_angle = false;                      ///< true: a turn may be one of 2 pi
  double period = 0.0;                        ///< of the exact motion
  double velocity = 0.0, acceleration = 0.0;  ///< at the start
  bool has_minimum = false;  ///< true if springs hold the passengers in every direction
};

/// The turn of a coupled system with one driver that returns and passengers that move linearly
/// (`CoupledPassengers`); nothing for other systems, and where the driver rests.
std::optional<DriverTurn> find_driver_turn(const AuditProblem& problem);

/// The limits of `AuditThresholds`.
struct VolumeLimits {
  double exact_below, clear_above;  ///< see there
};

/// The findings on turns, each in twice as many steps as the one before, of a method with such
/// facts and formula: "volume on D", whose value is the logarithm of the last turn's factor per
/// unit of time, in words whether every step keeps the volume, turns do, or by which power of the
/// step it is lost; and "formula of the volume", the largest distance of a step to the method's
/// closed formula, where it has one that holds here.
std::vector<AuditFinding> volume_findings(const std::vector<VolumeOverTurn>& turns,
                                          const Facts& facts,
                                          std::optional<VolumeFormula::Potential> formula,
                                          bool has_minimum, const VolumeLimits& limits);

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The factor by which a step of a method multiplies the volume of the passengers of a coupled
/// system, with that of the multiplier where it is carried: the determinant of the step in the
/// coordinates (x, y) of `VolumeChart` at fixed drivers, measured and by the method's formula. For
/// methods that map the constraint set to itself and whose drivers do not feel the passengers. One
/// per thread.
template <class Number>
class PassengerVolumeStep {
 public:
  /// `is_linear`: true if the passengers' steps are linear, so that differences are derivatives;
  /// else they are those of `difference_jacobian`.
  PassengerVolumeStep(StepMap<Number>& map, const Coupling& coupling,
                      const BasicPoint<Number>& start, bool is_linear)
      : map_(map),
        passengers_(coupling.passengers),
        is_linear_(is_linear),
        carries_(map.program().method().facts().carries_multiplier),
        before_(map.program().system(), map.parameters(), start),
        after_(before_),
        formula_(map.program().system(), map.program().method(), map.parameters()) {}

  /// The method's closed formula on this system.
  const VolumeFormulaValue<Number>& formula() const { return formula_; }

  /// Logarithms of the factor of a step.
  struct Logarithms {
    Number measured{0.0}, by_formula{0.0};  ///< by_formula: 0 where there is none
  };
  /// Takes a step of size h from the point; nothing if it was refused.
  std::optional<Logarithms> advance(BasicPoint<Number>& point, const Number& h) {
    using std::log;
    const BasicPoint<Number> start = point;
    if (!map_.apply(point, h)) return std::nullopt;
    const BasicPoint<Number>& end = point;
    before_.choose(start);
    after_.choose(end);
    const auto step = [&](const std::vector<Number>& x) -> std::vector<Number> {
      BasicPoint<Number> moved = at(start, x);
      if (!map_.apply(moved, h)) return {};
      return coordinates(after_, moved);
    };
    const std::vector<Number> x = coordinates(before_, start);
    const NumberMatrix<Number> jacobian =
        is_linear_ ? differences(step, x) : difference_jacobian<Number>(step, x);
    if (jacobian.empty()) return std::nullopt;
    Number factor = determinant(jacobian);
    if (factor < Number(0.0)) factor = -factor;
    if (carries_) {
      factor = factor * after_.density(end, true) / after_.density(end, false) *
               before_.density(start, false) / before_.density(start, true);
    }
    Logarithms result{log(factor)};
    if (formula_.potential()) result.by_formula = formula_(start, end, h);
    return result;
  }

 private:
  bool is_passenger(std::size_t i) const {
    return std::find(passengers_.begin(), passengers_.end(), i) != passengers_.end();
  }
  /// (x, y), and the multiplier where it is carried.
  std::vector<Number> coordinates(VolumeChart<Number>& chart, const BasicPoint<Number>& point) {
    std::vector<Number> x;
    for (const std::size_t i : passengers_) x.push_back(point.q[i]);
    const std::vector<Number> y = chart.velocity_coordinates(point);
    for (std::size_t a = 0; a < y.size(); ++a)
      if (is_passenger(chart.chosen()[a])) x.push_back(y[a]);
    if (carries_) x.insert(x.end(), point.lambda.begin(), point.lambda.end());
    return x;
  }
  /// The point with these coordinates beside drivers as those of `start`.
  BasicPoint<Number> at(const BasicPoint<Number>& start, const std::vector<Number>& x) {
    BasicPoint<Number> point = start;
    auto next = x.begin();
    for (const std::size_t i : passengers_) point.q[i] = *next++;
    std::vector<Number> y = before_.velocity_coordinates(start);
    for (std::size_t a = 0; a < y.size(); ++a)
      if (is_passenger(before_.chosen()[a])) y[a] = *next++;
    point.v = before_.velocity(point, y);
    if (carries_) std::copy(next, x.end(), point.lambda.begin());
    map_.start_carried(point);
    return point;
  }
  /// The matrix of an affine map.
  template <class Map>
  static NumberMatrix<Number> differences(Map&& map, const std::vector<Number>& x) {
    const std::vector<Number> origin = map(x);
    if (origin.empty()) return {};
    NumberMatrix<Number> matrix(origin.size(), std::vector<Number>(x.size(), Number(0.0)));
    for (std::size_t j = 0; j < x.size(); ++j) {
      std::vector<Number> shifted = x;
      shifted[j] = shifted[j] + Number(1.0);
      const std::vector<Number> image = map(shifted);
      if (image.empty()) return {};
      for (std::size_t i = 0; i < origin.size(); ++i) matrix[i][j] = image[i] - origin[i];
    }
    return matrix;
  }

  StepMap<Number>& map_;
  std::vector<std::size_t> passengers_;
  bool is_linear_, carries_;
  VolumeChart<Number> before_, after_;
  VolumeFormulaValue<Number> formula_;
};

/// The size of a step with which a method needs `steps` steps for a turn of the driver, until it is
/// back on the line through its start that is perpendicular to its motion there. Nothing if a step
/// was refused.
template <class Number>
std::optional<Number> closing_step(StepMap<Number>& map, const BasicPoint<Number>& start,
                                   const DriverTurn& turn, std::uint64_t steps) {
  const auto count = Number(static_cast<double>(steps));
  const Number speed(turn.velocity), change(turn.acceleration);
  // 2 pi to 150 bits.
  const Number full_turn =
      Number(6.283185307179586) + Number(2.4492935982947064e-16) + Number(-5.989539619436679e-33);
  Number h = Number(turn.period) / count;
  // Secants: the derivative of the lateness by h is the number of steps, nearly.
  constexpr int most_passes = 40;
  for (int pass = 0; pass < most_passes; ++pass) {
    BasicPoint<Number> end = start;
    if (!map.apply(end, h, steps)) return std::nullopt;
    Number distance = end.q[turn.driver] - start.q[turn.driver];
    if (turn.is_angle) {
      const auto turns = std::round(static_cast<double>(distance) / (2.0 * std::numbers::pi));
      distance = distance - Number(turns) * full_turn;
    }
    const Number ahead = distance * speed + (end.v[turn.driver] - start.v[turn.driver]) * change;
    const Number later = -ahead / (speed * speed + change * change) / count;
    h = h + later;
    if (std::fabs(static_cast<double>(later)) <=
        64.0 * static_cast<double>(numeric::round_off<Number>()) * static_cast<double>(h))
      break;
  }
  return h;
}

/// A turn of the driver in `steps` steps of the closing size. Nothing if a step was refused.
template <class Number>
std::optional<VolumeOverTurn> volume_over_turn(StepMap<Number>& map,
                                               PassengerVolumeStep<Number>& volume,
                                               const BasicPoint<Number>& start,
                                               const DriverTurn& turn, std::uint64_t steps) {
  const std::optional<Number> closing = closing_step(map, start, turn, steps);
  if (!closing) return std::nullopt;
  const Number& h = *closing;
  VolumeOverTurn result;
  result.step = static_cast<double>(h);
  result.time = result.step * static_cast<double>(steps);
  BasicPoint<Number> point = start;
  Number sum(0.0);
  for (std::uint64_t k = 0; k < steps; ++k) {
    const auto logarithms = volume.advance(point, h);
    if (!logarithms) return std::nullopt;
    sum = sum + logarithms->measured;
    const auto size = [](const Number& x) { return std::fabs(static_cast<double>(x)); };
    result.largest = numeric::larger(result.largest, size(logarithms->measured));
    result.off_formula =
        numeric::larger(result.off_formula, size(logarithms->measured - logarithms->by_formula));
  }
  result.sum = static_cast<double>(sum);
  return result;
}

/// The audit of the passengers' volume over one turn of the driver, in N, 2 N and 4 N steps: see
/// `volume_findings`. No findings on other systems than `find_driver_turn` knows and for methods
/// that leave the constraints; if the drivers feel the passengers, one "not measured" finding.
template <class Number>
std::vector<AuditFinding> audit_passenger_volume(const AuditProblem& problem,
                                                 const Method& method) {
  constexpr std::uint64_t least_steps = 20, most_steps = 40;
  const Facts facts = method.facts();
  if (!facts.maps_constraint_set || method.tolerance() > 0.0) return {};
  const std::optional<DriverTurn> turn = find_driver_turn(problem);
  if (!turn) return {};
  const Coupling coupling = *find_coupling(problem.system);
  StepMap<Number> map(problem.system, method, problem.parameters);
  const BasicPoint<Number> start = map.start(problem.q, problem.v);
  const auto steps = std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(std::llround(10.0 * turn->period / problem.time)), least_steps,
      most_steps);
  using T = AuditThresholds<Number>;
  const Number h(turn->period / static_cast<double>(steps));
  // Round-off of the driver's own entries, where it feels nothing.
  if (!(fibration_defect(map, start, h, coupling, 2) <= 10.0 * T::exact_below))
    return {{.property = "volume on D", .words = "drivers feel the passengers"}};
  PassengerVolumeStep<Number> volume(map, coupling, start, true);
  std::vector<VolumeOverTurn> turns;
  for (const std::uint64_t factor : {1, 2, 4}) {
    const auto found = volume_over_turn(map, volume, start, *turn, factor * steps);
    if (!found) return {};
    turns.push_back(*found);
  }
  return volume_findings(turns, facts, volume.formula().potential(), turn->has_minimum,
                         {T::exact_below, T::clear_above});
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
