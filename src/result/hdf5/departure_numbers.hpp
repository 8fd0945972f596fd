#pragma once
// Departures as the numbers that a result file keeps. Only for the sources of this room.

#include <span>
#include <vector>

#include "dalembert/measure/departure.hpp"

namespace dalembert::study {

/// Energy and potential at the start; then of the energy and of each constraint the largest
/// departure, the scale, and since when, nan where it has not been: 5 + 3 numbers per constraint.
std::vector<double> numbers_of(const Departures& departures);
/// The same back. `numbers` have a length that numbers_of gives.
Departures departures_of(std::span<const double> numbers);

}  // namespace dalembert::study
