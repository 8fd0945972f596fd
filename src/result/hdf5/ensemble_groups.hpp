#pragma once
// Where an ensemble stands in a result file. Only for the sources of this room.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "result/hdf5/access/library.hpp"

namespace dalembert::study {

/// Members that have a start.
std::size_t members_with_start(const EnsemblePlan& plan);

/// The group among the states that is the last, or none.
std::string current_state(hid_t states);

/// The steps that the last complete state has behind it.
std::uint64_t steps_in(hid_t run);

/// How many of the records at these times a run keeps that goes on after so many steps, or stays as
/// it is.
hsize_t kept_rows(const EnsemblePlan& plan, std::uint64_t steps, std::span<const double> t);

/// Of a part of an ensemble, the tables of what the statistics of the whole follow from, a row for
/// each record: SampleMoments of each node of its members, and values of its members.
std::string moments_table(const std::string& quantity);
std::string values_table(const std::string& quantity);
inline constexpr std::size_t numbers_of_moments = 5;  ///< count, mean, deviations, min, max

/// Rows of the tables of an ensemble.
struct EnsembleRows {
  std::size_t records = 0, growth = 0;
};

/// The rows that the last state of the file knows of.
EnsembleRows rows_that_stay(hid_t run, const EnsemblePlan& plan);

}  // namespace dalembert::study
