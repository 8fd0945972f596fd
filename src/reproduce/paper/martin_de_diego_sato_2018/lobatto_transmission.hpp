#pragma once
// Martin de Diego and Sato 2018, Sect. 7.2: the pendulum-driven transmission. Only for the sources
// of this room.

#include <functional>
#include <string>

#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

/// Least and largest number of stages.
constexpr int least_stages = 2, most_stages = 6;

/// "s = 3", as methods are labelled in the studies.
std::string stages_label(int s);

/// One motion of the transmission, as runs are labelled.
struct TransmissionMotion {
  const char* start;
  const char* epsilon;

  /// Whether a time reversal of the driver maps the motion to itself, shifted in time.
  bool reversible() const;
  std::string words() const;
  std::string label(const std::string& step) const;
};
/// Oscillating and rotating, epsilon = 0, 0.1 and 0.5.
extern const TransmissionMotion transmission_motions[6];

/// The drift of the column of an energy over a run; round-off does not count.
Steadiness energy_steadiness(const StudyRuns& runs, int s, const TransmissionMotion& motion,
                             const std::string& step, const std::string& energy);

/// Which motions a statement is about.
enum class Motions { all, reversible, not_reversible };
/// The drift of some quantity in a motion.
using MotionDrift = std::function<Steadiness(const TransmissionMotion&)>;

/// Evidence that a quantity is free of drift in all those motions: the largest drift over what
/// noise and oscillation hide.
study::Evidence free_in(Motions motions, const std::string& what, const MotionDrift& drift,
                        study::EvidenceRole role = study::EvidenceRole::both);
/// Evidence that it drifts in all of them, slowly or not: the least drift over what noise hides.
study::Evidence drifting_in(Motions motions, const std::string& what, const MotionDrift& drift,
                            study::EvidenceRole role = study::EvidenceRole::both);

/// Figs. 4 and 5: claims 002-B.1 to 002-B.3.
ExperimentOutcome lobatto_transmission(const ReproductionEffort& effort);

}  // namespace dalembert::reproduce
