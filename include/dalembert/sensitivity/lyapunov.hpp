#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/trend.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/simulate.hpp"

namespace dalembert {

/// Options of lyapunov_exponents.
struct LyapunovOptions {
  double step = 0.0;    ///< size h of a step; must be given
  double until = 0.0;   ///< the final time, rounded down to a number of steps
  double settle = 0.1;  ///< fraction of the time that is left out at the beginning
  std::optional<std::size_t> exponents = {};  ///< number of the largest ones to find; else all
  std::size_t blocks = 20;      ///< of equal time, whose means give the intervals; 4 at least
  NamedValues parameters = {};  ///< instead of the system's defaults and of what the start sets
  bool compensated = false;     ///< compensated summation of q and v
  std::atomic<bool>* cancelled = nullptr;            ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps
};

/// Mean rates, per unit of time, at which perturbations of a motion grow, the largest first.
struct LyapunovSpectrum {
  /// End of the run: as asked, failed (see `message`), or by `cancelled`.
  enum class Status { ok, failed, stopped } status = Status::ok;
  std::string message = {};          ///< one sentence when a step was refused
  std::uint64_t steps = 0;           ///< completed
  std::size_t dimension = 0;         ///< of the constraint set: number of all exponents
  std::vector<Estimate> exponents;   ///< with their intervals of 95 %; none before all blocks
  Estimate sum = {};                 ///< of these; of all exponents: rate of change of the volume
  std::vector<double> t = {};        ///< times of the running means: fewer than 2000
  std::vector<double> running = {};  ///< [times x exponents]: means from the settled time on

  /// True if the run went to its end.
  bool ok() const { return status == Status::ok; }
};

/// The Lyapunov exponents of a motion as a method follows it: by exact tangents of the discrete
/// map, which are made orthonormal again before they are too much alike. Perturbations are those
/// along the constraint set, to which tangents are brought back on these occasions, with the
/// multipliers of the motion and what else the method carries; so every method has the same number
/// of exponents. The size of a perturbation is that of (q, v) as they are stored; limits do not
/// depend on it.
///
/// The time after the settling is divided into blocks. The interval is that of the mean of the
/// blocks' rates as independent, normal numbers (Student's t), so that blocks should be much longer
/// than the motion remembers, and log(t1/t0)/(t1 - t0) more on both sides, for t0 the settled time
/// and t1 the end: tangents that grow like t, as those of regular motions do, have that rate in the
/// mean, and the exponent zero.
///
/// Source: [BenettinGalganiGiorgilliStrelcyn1980]. RequestError for what `simulate` refuses, for
/// more exponents than there are, and for problems with events that change the state or end the
/// run.
LyapunovSpectrum lyapunov_exponents(const Problem& problem, const Method& method,
                                    const StartChoice& start, const LyapunovOptions& options);

}  // namespace dalembert
