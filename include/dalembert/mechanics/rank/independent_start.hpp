#pragma once

#include <memory>
#include <span>

#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A start as `prepare_start` makes it, with the system whose steps are taken from it.
struct IndependentStart {
  System system;  ///< as given, or without constraints that follow from others
  Start start;    ///< admissible, for that system; multipliers are those of its constraints
  std::shared_ptr<const Redundancy> redundancy = {};  ///< null where all are independent
};

/// Start as of `prepare_start`, where constraints may follow from others. Which ones do is found at
/// the start: rows of constraints on velocities, and of the rates of those on positions, are
/// compared in the metric of the mass, each at length 1, there and at three states nearby along the
/// constraints. Independent ones are kept, by elimination with pivoting. RequestError, with names,
/// where constraints are nearly dependent, dependent at this start only, or contradict each other.
IndependentStart independent_start(const System& system, const Start& start,
                                   std::span<const double> parameters = {}, double t = 0.0);

}  // namespace dalembert
