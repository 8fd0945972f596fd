#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// One of the things that a study varies.
struct StudyAxis {
  std::string name;  ///< of a swept key or a parameter (with "_" where that is taken), or start,
                     ///< method, step; never "runs"
  std::vector<std::string> texts;                    ///< its values, in the order of the study
  std::vector<double> numbers = {};                  ///< the same, where all are numbers
  std::size_t size() const { return texts.size(); }  ///< number of values
};

/// The axes of a study, from the outermost: swept keys, starts, parameters that it sets, methods,
/// steps; the runs stand in this order, the last varying fastest. Also what has one value only. No
/// starts of an ensemble, no steps where each run gets one of its own.
std::vector<StudyAxis> study_axes(const Study& study);

/// The number of runs of a study; RequestError where there are more than the limit.
std::size_t checked_run_count(const Study& study);

/// The numbers of entries of a place: index = ((i_0 n_1 + i_1) n_2 + i_2) ...
std::vector<std::size_t> place_of(std::size_t index, const std::vector<std::size_t>& counts);

}  // namespace dalembert::study
