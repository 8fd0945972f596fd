#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "dalembert/study/ensemble/ensemble_part.hpp"
#include "dalembert/study/ensemble/member_starts.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// One method, step and choice of parameters with all members of a study's ensemble, or a part of
/// them.
struct EnsemblePlan {
  RunPlan run;                                 ///< its q and v are empty: every member has its own
  std::uint64_t seed = 0;                      ///< as EnsembleEntry::seed
  std::shared_ptr<const MemberStarts> starts;  ///< of the members of the part
  std::optional<EnsemblePart> part = {};       ///< nothing: all members

  /// The number that the first of these members has in the whole ensemble.
  std::size_t first_member() const { return part ? static_cast<std::size_t>(part->first) : 0; }
};

}  // namespace dalembert::study
