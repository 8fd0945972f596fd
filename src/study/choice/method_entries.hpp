#pragma once
// The tables [[method]] of studies. Only for the sources of this room.

#include <optional>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The methods of a study, each made once so that its options are checked. RequestError, with the
/// place, for what is no method of the library and none of `own_methods`, for wrong options, and
/// where there is none. The tolerance of the run, if there is one, is that of the methods which
/// control their error themselves.
std::vector<MethodChoice> read_methods(const DocumentNode& document,
                                       const std::vector<Method>& own_methods,
                                       std::optional<double> tolerance);

}  // namespace dalembert::study
