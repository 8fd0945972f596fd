#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/slope.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Options for measuring the orders of the methods of a study.
struct OrderOptions {
  int runs = 6;  ///< step sizes, each half of the one before
  std::optional<double>
      until;  ///< final time; else that of the study, but at most 20 of its largest steps
  bool extended = true;  ///< in extended precision instead of double
  /// The multiplier of the motion through the method's states, which has the order of (q, v), in
  /// place of the method's own.
  bool recomputed_multiplier = false;
  const std::atomic<bool>* cancelled = nullptr;  ///< stops before the next row and inside one
  const ProblemFile* problem = nullptr;  ///< of the study: its texts name what cannot be measured
};

/// The measured orders of one method on one start.
struct OrderRow {
  RunPlan plan;                             ///< of the method with the largest step of the study
  double until = 0.0;                       ///< final time of the measured runs
  std::vector<double> steps = {};           ///< step sizes, each half of the one before
  OrderSeries q = {}, v = {}, lambda = {};  ///< errors by step, and the orders that they show
  int lambda_promised = 0;  ///< order that lambda is to have; q and v have that of the method
  bool recomputed_multiplier = false;  ///< of the motion through the states, not the method's own
  /// Verdicts on the measured orders against those that the method promises.
  OrderVerdict q_verdict = OrderVerdict::not_measured, v_verdict = OrderVerdict::not_measured,
               lambda_verdict = OrderVerdict::not_measured;  ///< on the order of lambda
  double reference_error = 0.0;  ///< of the reference solution, by halving its step
  std::string failure = {};      ///< reason for a failed run; "" if none failed
  std::string unmeasured = {};   ///< reason for measuring nothing (pieces, events), or ""

  /// True if any of the verdicts is OrderVerdict::broken.
  bool is_broken() const;
};

/// Measures every method of a study on every start and parameter set, from its largest step on.
/// Rows whose method fails, and those of motions that come to a switch between pieces of their
/// equations, where no method has an order, are kept with the reason.
std::vector<OrderRow> measure_orders(const std::vector<RunPlan>& plans,
                                     const OrderOptions& options);

/// The precision that `extended` stands for in this build, in words.
std::string extended_precision_name();

}  // namespace dalembert::study
