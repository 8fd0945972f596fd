#include "departure_numbers.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace dalembert::study {
namespace {

double number_of(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> unless_nan(double value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

Departure departure_of(std::span<const double> numbers) {
  return {numbers[0], numbers[1], unless_nan(numbers[2])};
}

}  // namespace

std::vector<double> numbers_of(const Departures& departures) {
  std::vector<double> numbers{number_of(departures.energy_start),
                              number_of(departures.potential_start)};
  const auto append = [&](const Departure& of) {
    numbers.insert(numbers.end(), {of.largest, of.scale, number_of(of.since)});
  };
  append(departures.energy);
  for (const Departure& constraint : departures.constraints) append(constraint);
  return numbers;
}

Departures departures_of(std::span<const double> numbers) {
  Departures departures{
      unless_nan(numbers[0]), unless_nan(numbers[1]), departure_of(numbers.subspan(2, 3)), {}};
  for (std::size_t i = 5; i < numbers.size(); i += 3)
    departures.constraints.push_back(departure_of(numbers.subspan(i, 3)));
  return departures;
}

}  // namespace dalembert::study
