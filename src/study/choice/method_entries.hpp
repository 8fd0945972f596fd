#pragma once
// The tables [[method]] of studies. Only for the sources of this room.

#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The methods of a study, each made once so that its options are checked. RequestError, with the
/// place, for what is no method of the library and none of `own_methods`, for wrong options, and
/// where there is none. With a tolerance of the run, that of substeps is chosen, not given.
std::vector<MethodChoice> read_methods(const DocumentNode& document,
                                       const std::vector<Method>& own_methods, bool has_tolerance);

/// The method with such a tolerance of its substeps, and with a number of its own for what is near
/// zero in the same proportion; the method itself where the tolerance is 0.
MethodChoice with_own_tolerance(const MethodChoice& choice, double tolerance);

}  // namespace dalembert::study
