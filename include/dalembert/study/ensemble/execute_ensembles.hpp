#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/ensemble_statistics.hpp"
#include "dalembert/run/ensemble.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Statistics over the members of one quantity, by record.
struct QuantityStatistics {
  std::string name;                            ///< as in ensemble_quantities
  std::vector<SampleStatistics> records = {};  ///< one for each record
  /// Of a part: moments of each node of its members (EnsemblePart::nodes), from which the
  /// statistics of the whole follow …
  std::vector<std::vector<SampleMoments>> moments = {};
  /// … and their values, nan for a member that has none, for quantiles; none where they are many.
  std::vector<std::vector<double>> values = {};
};

/// The names of the quantities that are told of an ensemble, in their order.
std::vector<std::string> ensemble_quantities(const EnsemblePlan& plan);

/// True if parts of an ensemble keep the values of all members at all records, for quantiles: where
/// these are at most 2^25 (256 MiB, which the parts share).
bool keeps_values(const EnsemblePlan& plan);

/// Result of an ensemble. Statistics are taken at records, over the members that have got there.
struct EnsembleResult {
  RunResult::Status status = RunResult::Status::interrupted;  ///< failed: some members did
  std::string message;      ///< number of failed members and the first failure; "" without one
  std::uint64_t steps = 0;  ///< completed by the members that have not failed
  std::vector<double> t;    ///< times of the records
  std::vector<std::uint64_t> alive;  ///< members that have got to each record
  /// energy_error (H - H at the start), energy_error_relative (of its absolute value to |H|),
  /// constraint (largest |Phi_i|), then `NAME_error` of each integral.
  std::vector<QuantityStatistics> quantities;
  std::vector<double> start_means;  ///< over members: energy, constraint, integrals at the start
  GrowthLaw variance, mean_square;  ///< of energy_error
  std::vector<MemberFailure> failures;  ///< those that no start was found for fail in step 0
  std::vector<MemberFailure> ends;      ///< those that events have ended, which did not fail
  std::vector<double> growth_t;  ///< times at which the energy errors of all members are kept …
  std::vector<std::vector<double>> growth_errors;  ///< … for the growth laws, by time and member
  EnsembleState state;               ///< of those members that have a start; see MemberStates
  std::optional<EnsembleState> end;  ///< of the same after a shorter last step, if there is one
  std::size_t members = 0;           ///< those without a start, too
  std::uint64_t member_steps = 0, newton_iterations = 0;  ///< sums over the members
  double seconds = 0.0, stepper_seconds = 0.0;  ///< wall time; inside the steppers, over threads
  bool native = false;                          ///< true if it ended with compiled steps
  std::string native_refusal = {};              ///< reason for not doing so, where it was to

  std::size_t size() const { return members; }  ///< number of members
  /// The statistics of the quantity with that name; nullptr where there is none.
  const QuantityStatistics* find(const std::string& name) const;
};

/// Options for the execution of ensembles.
struct EnsembleExecution {
  std::size_t threads = 1;                             ///< of each ensemble
  int lanes = 0;                                       ///< as in EnsembleOptions
  std::optional<InstructionSet> instruction_set = {};  ///< as in EnsembleOptions
  std::atomic<bool>* cancelled = nullptr;              ///< as in EnsembleOptions
  std::atomic<std::uint64_t>* steps_done = nullptr;    ///< counts steps of all members
  /// Called with the result so far, its new records having been added, after each window of records
  /// and at the end.
  std::function<void(const EnsemblePlan&, const EnsembleResult&)> on_records = {};
  std::optional<std::size_t> window_members = {};  ///< as in EnsembleOptions
  /// Parts have moments and values of their members, however many, until `on_records` has seen
  /// them, and no longer; and no quantiles.
  bool passes_values_on = false;
  std::vector<EnsembleResult> resume_from =
      {};  ///< by plan: where to go on; empty for fresh starts
};

/// Executes ensembles one after the other, each on all threads. Results depend neither on threads
/// nor on lanes.
std::vector<EnsembleResult> execute_ensembles(const std::vector<EnsemblePlan>& plans,
                                              const EnsembleExecution& execution);

}  // namespace dalembert::study
