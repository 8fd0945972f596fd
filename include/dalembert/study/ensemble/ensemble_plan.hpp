#pragma once

#include <cstdint>
#include <memory>

#include "dalembert/study/ensemble/member_starts.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// One method, step and choice of parameters with all members of a study's ensemble.
struct EnsemblePlan {
  RunPlan run;  ///< its q and v are empty: every member has its own
  std::uint64_t seed = 0;
  std::shared_ptr<const MemberStarts> starts;
};

}  // namespace dalembert::study
