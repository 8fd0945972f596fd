#include "departure_numbers.hpp"

#include <algorithm>
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

std::vector<double> numbers_of(const std::vector<Departure>& departures) {
  std::vector<double> numbers;
  for (const Departure& of : departures)
    numbers.insert(numbers.end(), {of.largest, of.scale, number_of(of.since)});
  return numbers;
}

std::vector<Departure> departure_list(std::span<const double> numbers) {
  std::vector<Departure> departures;
  for (std::size_t i = 0; i + 3 <= numbers.size(); i += 3)
    departures.push_back(departure_of(numbers.subspan(i, 3)));
  return departures;
}

std::vector<double> numbers_of(const Departures& departures) {
  std::vector<double> numbers{number_of(departures.energy_start),
                              number_of(departures.potential_start)};
  for (const auto& more :
       {numbers_of(std::vector{departures.energy}), numbers_of(departures.constraints)})
    numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

Departures departures_of(std::span<const double> numbers) {
  return {unless_nan(numbers[0]), unless_nan(numbers[1]), departure_of(numbers.subspan(2, 3)),
          departure_list(numbers.subspan(5))};
}

std::vector<double> numbers_of(const std::vector<ContactHistory>& contacts) {
  std::vector<double> numbers;
  for (const ContactHistory& contact : contacts) {
    numbers.insert(numbers.end(), {contact.gap.largest, contact.gap.scale,
                                   number_of(contact.gap.since), contact.least_normal_force,
                                   number_of(contact.ended), static_cast<double>(contact.how)});
    for (const double entry : contact.lean)
      numbers.push_back(contact.has_lean ? entry : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

std::vector<ContactHistory> contacts_of(std::span<const double> numbers) {
  std::vector<ContactHistory> contacts;
  for (std::size_t i = 0; i + numbers_of_contact <= numbers.size(); i += numbers_of_contact) {
    const std::span<const double> own = numbers.subspan(i, numbers_of_contact);
    ContactHistory contact{departure_of(own), own[3], unless_nan(own[4])};
    if (own[5] >= 0.0 && own[5] <= 3.0) contact.how = static_cast<ContactEnd>(own[5]);
    contact.has_lean = !std::isnan(own[6]);
    if (contact.has_lean) std::ranges::copy(own.subspan(6), contact.lean.begin());
    contacts.push_back(contact);
  }
  return contacts;
}

std::vector<double> numbers_of(const std::vector<EventResult>& events) {
  std::vector<double> numbers;
  for (const EventResult& event : events) {
    const EventHistory& history = event.history;
    numbers.insert(numbers.end(), {static_cast<double>(history.count), number_of(history.last)});
  }
  return numbers;
}

void read_histories(std::span<const double> numbers, std::vector<EventResult>& events) {
  for (EventResult& event : events) {
    const double count = numbers[0];
    event.history = {count >= 0.0 && count < 1e15 ? static_cast<std::uint64_t>(count) : 0,
                     unless_nan(numbers[1])};
    numbers = numbers.subspan(numbers_of_event);
  }
}

}  // namespace dalembert::study
