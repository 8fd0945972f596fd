#pragma once

#include <memory>
#include <vector>

#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/study/ensemble/ensemble_entry.hpp"
#include "dalembert/study/ensemble/member_starts.hpp"

namespace dalembert::study {

/// Starts of members.
struct DrawnEnsemble {
  MemberStarts starts;  ///< of the members of the part that is run, or of all
  MemberStart first;    ///< of the first member of all that has one
};

/// The starts of the members for given parameters. Member i depends on (seed, i) alone: not on the
/// number of members. With an energy E, |H(q, v) - E| is a few units of round-off of E and of the
/// terms of H, and constraints hold to round-off. RequestError, with the place, where the request
/// cannot be met by any member: energies of systems without velocities, expressions of the wrong
/// number, a level of energy that no member reaches, a part in which none does. Constraints that
/// `redundancy` leaves out of `system` follow from the others for each member, or it has no start.
/// Threads change no bit.
DrawnEnsemble draw_ensemble(const EnsembleEntry& entry, const ProblemFile& problem,
                            const System& system, const Sizes& sizes,
                            const std::vector<double>& parameters,
                            const std::shared_ptr<const Redundancy>& redundancy = nullptr,
                            std::size_t threads = 1);

}  // namespace dalembert::study
