#include "dalembert/audit/volume/passenger_volume.hpp"

#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/measure/floquet.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

std::optional<DriverTurn> find_driver_turn(const AuditProblem& problem) {
  const std::optional<Coupling> coupling = find_coupling(problem.system);
  if (!coupling) return std::nullopt;
  DriverTurn turn;
  try {
    CoupledPassengers passengers(problem.system, problem.parameters, "", "turn of a driver");
    turn.driver = passengers.driver();
    turn.is_angle = passengers.driver_is_angle();
    turn.velocity = problem.v[turn.driver];
    turn.acceleration = passengers.at(problem.q[turn.driver]).acceleration;
    turn.has_minimum = passengers.rank() == coupling->passengers.size();
    if (turn.velocity == 0.0 && turn.acceleration == 0.0) return std::nullopt;
    turn.period =
        FloquetAverage(problem.system, problem.parameters).at(problem.q, problem.v).period;
  } catch (const RequestError&) {
    return std::nullopt;  // another system
  }
  if (!std::isfinite(turn.period)) return std::nullopt;
  return turn;
}

std::vector<AuditFinding> volume_findings(const std::vector<VolumeOverTurn>& turns,
                                          const Facts& facts,
                                          std::optional<VolumeFormula::Potential> formula,
                                          bool has_minimum, const VolumeLimits& limits) {
  const PassengerVolume promised = facts.passenger_volume;
  const auto size = [&](std::size_t i) { return std::fabs(turns[i].sum); };
  double largest = 0.0, off_formula = 0.0;
  for (const VolumeOverTurn& turn : turns) {
    largest = numeric::larger(largest, turn.largest);
    off_formula = numeric::larger(off_formula, turn.off_formula);
  }
  const double round_off = limits.exact_below;
  // Powers of the step by which what a turn makes falls; what falls faster than any power falls
  // twice as fast at half the step.
  const double first = std::log2(size(0) / size(1)), second = std::log2(size(1) / size(2));
  const bool is_exact = largest <= round_off;
  const bool vanishes = size(2) <= round_off || (second > 1.5 * first && second > 12.0);
  const bool has_power = second > 0.5 && std::fabs(second - first) < 0.5;
  AuditFinding finding{.property = "volume on D",
                       .value = is_exact ? largest : size(2) / turns[2].time};
  const bool applies = promised != PassengerVolume::every_step_of_springs || has_minimum;
  if (applies && promised != PassengerVolume::not_said)
    finding.promise = promised == PassengerVolume::lost ? Promise::no : Promise::yes;
  const bool is_kept = is_exact || vanishes;
  const bool is_enough = promised == PassengerVolume::over_turns ? is_kept : is_exact;
  if (finding.promise == Promise::yes) {
    finding.verdict = is_enough ? AuditVerdict::kept : AuditVerdict::broken;
  } else {
    finding.verdict = is_kept     ? AuditVerdict::surplus
                      : has_power ? AuditVerdict::absent
                                  : AuditVerdict::unclear;
  }
  finding.words = is_exact    ? "every step"
                  : vanishes  ? "over turns"
                  : has_power ? "no, h^" + std::to_string(std::lround(second))
                              : "unclear";
  std::vector<AuditFinding> findings{finding};
  bool by_formula = false;
  const bool formula_applies =
      formula && (*formula != VolumeFormula::Potential::quadratic_with_minimum || has_minimum);
  if (formula_applies) {
    findings.push_back(judge_defect("formula of the volume", Promise::yes, off_formula, round_off,
                                    limits.clear_above));
    by_formula = findings.back().verdict == AuditVerdict::kept;
  }
  findings.front().words += by_formula ? " (formula)" : " (measured)";
  return findings;
}

}  // namespace dalembert
