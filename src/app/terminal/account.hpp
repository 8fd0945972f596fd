#pragma once
// What --verbose says of runs and measurements.

#include <chrono>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

/// Time since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The systems, how the methods' steps were compiled, and the starts, each once.
void tell_plans(const std::vector<study::RunPlan>& plans, double seconds);
/// A table of all runs: steps, evaluations, Newton's iterations, rejected substeps and time.
void tell_results(const std::vector<study::RunPlan>& plans,
                  const std::vector<study::RunResult>& results);
/// The same of ensembles.
void tell_ensembles(const std::vector<study::EnsemblePlan>& plans,
                    const std::vector<study::EnsembleResult>& results);
/// A line for each method and problem: how much was measured, or why nothing was.
void tell_audit(const study::AuditReport& report, double seconds);

}  // namespace dalembert::app
