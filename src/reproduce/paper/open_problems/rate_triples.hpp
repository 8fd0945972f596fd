#pragma once
// Rates of the passenger energy of the transmission, from modified equations, from exponents of the
// step map, and measured. Only for the sources of this room.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// A method in a case of the transmission with one step size.
struct RateTriple {
  std::string method;
  std::size_t number = 0;  ///< of the case, see transmission_cases
  double step = 0.0;       ///< as asked; `exponents` has the one at which the driver closes
  std::optional<AveragedRates> averaged = {};  ///< nothing where the first average knows too little
  std::optional<PredictedRates> exponents = {};
  std::string failure = {};  ///< why there are no exponents
  /// d log E/dt at the start, at the step of the exponents: theirs and the slope of what a run
  /// shows beyond the curve that they predict, with the half length of the slope's 95 % interval.
  /// Both nan where nothing was measured.
  double measured = std::numeric_limits<double>::quiet_NaN(),
         error = std::numeric_limits<double>::quiet_NaN();

  /// The rates at the beginning: of the mixture of modes that the start is.
  double from_average() const;
  double from_exponents() const;
};

/// All triples of a study, a row for each method, case and step, in this order; on so many threads.
std::vector<RateTriple> rate_triples(const std::vector<study::RunPlan>& plans,
                                     const std::vector<double>& steps,
                                     const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
