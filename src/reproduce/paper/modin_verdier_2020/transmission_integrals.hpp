#pragma once
// The integrals of the pendulum-driven transmission in the six cases of Modin and Verdier 2020.
// Only for the sources of this room.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

/// The six cases as run labels: oscillating, then rotating drivers, epsilon = 0, 0.1, 0.5.
inline constexpr std::array transmission_cases{
    "oscillating, epsilon = 0", "oscillating, epsilon = 0.1", "oscillating, epsilon = 0.5",
    "rotating, epsilon = 0",    "rotating, epsilon = 0.1",    "rotating, epsilon = 0.5"};

/// Some of the cases, by number.
struct CaseChoice {
  const char* words;
  std::vector<std::size_t> numbers;
};
extern const CaseChoice all_cases;
extern const CaseChoice reversible_cases;      ///< where the driver's motion shows its reversal
extern const CaseChoice not_reversible_cases;  ///< rotating, epsilon not zero

/// What becomes of an integral in one case: the three words of reproduce/paper/drift.hpp, or none
/// of them. An integral that has come to its end (see `gone`) has drifted.
enum class Standing { free, slow, drifts, undecided };

/// The change of one integral along all runs.
class TransmissionIntegral {
 public:
  /// A column of the records: "passenger_energy" or "driver_energy".
  static TransmissionIntegral energy(const StudyRuns& runs, const std::string& column);
  /// The latitude at `samples` records per run, each of which integrates a period of the driver.
  /// It oscillates more slowly than most
  /// runs are long; where the method's modes predict it they decide (see settled_drift).
  static TransmissionIntegral latitude(const StudyRuns& runs, std::size_t samples,
                                       std::size_t threads);

  /// In all chosen cases free of drift: the largest drift over what noise and oscillation hide.
  study::Evidence free(const std::string& method, const CaseChoice& choice,
                       study::EvidenceRole role = study::EvidenceRole::both) const;
  /// In all chosen cases drifting: the least drift over what the oscillation hides.
  study::Evidence drifting(const std::string& method, const CaseChoice& choice,
                           study::EvidenceRole role = study::EvidenceRole::both) const;
  /// In all chosen cases gone from its start: the least |mean change over the last tenth of the
  /// time| is at least `least`. For what has come to its end and drifts no more.
  study::Evidence gone(const std::string& method, const CaseChoice& choice, double least) const;

  /// The largest |slope| per unit of time that the 95 % intervals of the chosen cases allow, and
  /// the largest |change|. Numbers beside.
  study::Evidence largest_slope(const std::string& method, const CaseChoice& choice) const;
  study::Evidence largest_change(const std::string& method, const CaseChoice& choice) const;

  Standing standing(const std::string& method, std::size_t number) const;
  /// The mean change over the last tenth of the time.
  double end(const std::string& method, std::size_t number) const;

  /// Running means, over 30 units of time as in the paper unless said otherwise: starts in rows,
  /// epsilon in columns. Only of the methods of those labels, if any are given.
  study::Picture picture(double window = 30.0, const std::vector<std::string>& methods = {}) const;
  /// Slopes with their uncertainty: a row per method, a column per case.
  ResultTable table() const;

 private:
  TransmissionIntegral(const StudyRuns& runs, std::string name, double negligible)
      : runs_(&runs),
        name_(std::move(name)),
        negligible_(negligible),
        curves_(runs.size()),
        predictions_(runs.size()),
        initial_(runs.size()) {}
  Steadiness steadiness_of(const std::string& method, std::size_t number) const;

  const StudyRuns* runs_;
  std::string name_;
  double negligible_;  ///< a drift that does not count even where no oscillation hides it
  std::vector<study::Curve> curves_;
  std::vector<std::optional<PredictedChange>> predictions_;
  std::vector<double> initial_;
};

/// How much a step of the driver depends on the passengers' state: zero where drivers of coupled
/// systems move by themselves.
study::Evidence driver_alone(const study::RunPlan& plan);

}  // namespace dalembert::reproduce
