#pragma once

#include <span>

#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// Watches the contacts that a problem makes of shapes; `system` is that of the problem for these
/// sizes. The normal force is known where the height of the shape is a constraint, whose multiplier
/// it is, and where a single contact carries a single body on which nothing but gravity acts: then
/// it is what the momentum along the normal changes by. Without gravity nothing
/// presses a body on a surface, and no force is looked at. Parameters in the order of the
/// description; the defaults if empty. Nothing is watched where a problem has no such contact.
/// `redundancy`: constraints that `system` leaves out, or null; a multiplier that shares a reaction
/// is no normal force.
ContactWatch watch_contacts(const ProblemFile& problem, const System& system, const Sizes& sizes,
                            std::span<const double> parameters = {},
                            const Redundancy* redundancy = nullptr);

}  // namespace dalembert::study
