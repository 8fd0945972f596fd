#pragma once
// Departures, contacts and events as the numbers that a result file keeps. Only for the sources of
// this room.

#include <span>
#include <vector>

#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Energy and potential at the start; then of the energy and of each constraint the largest
/// departure, the scale, and since when, nan where it has not been: 5 + 3 numbers per constraint.
std::vector<double> numbers_of(const Departures& departures);
/// The same back. `numbers` have a length that numbers_of gives.
Departures departures_of(std::span<const double> numbers);

/// Of each the largest departure, the scale, and since when: 3 numbers.
std::vector<double> numbers_of(const std::vector<Departure>& departures);
/// The same back. `numbers` have a length that numbers_of gives.
std::vector<Departure> departure_list(std::span<const double> numbers);

/// Of each contact the largest gap, its scale and since when, the least normal force, when it ended
/// and how, and the lean; nan for what has not been.
std::vector<double> numbers_of(const std::vector<ContactHistory>& contacts);
constexpr std::size_t numbers_of_contact = 9;
/// The same back. `numbers` have a length that numbers_of gives.
std::vector<ContactHistory> contacts_of(std::span<const double> numbers);

/// Of each event how often it has happened, and when the last time was.
std::vector<double> numbers_of(const std::vector<EventResult>& events);
constexpr std::size_t numbers_of_event = 2;
/// The same back. `numbers` have a length that numbers_of gives for as many events.
void read_histories(std::span<const double> numbers, std::vector<EventResult>& events);

}  // namespace dalembert::study
