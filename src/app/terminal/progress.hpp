#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/run_audit.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

class WaitingLine;

/// Catches interrupts and shows, on a terminal, which part of `total` the work has counted.
void show_progress(double total, const std::function<void(std::atomic<std::uint64_t>&)>& work);

/// Has a line say which run is being planned.
study::PlanningWatch shown_by(WaitingLine& line);

/// Plans all runs of a study; on a terminal a line says which one, once it takes long.
std::vector<study::RunPlan> plan_with_progress(const study::Study& study);
/// The same without methods that do not fit beside others.
study::PlannedRuns plan_fitting_with_progress(const study::Study& study);
std::vector<study::EnsemblePlan> plan_ensembles_with_progress(const study::Study& study,
                                                              std::size_t threads = 1);

/// Executes runs with a progress line on a terminal and interrupts caught.
std::vector<study::RunResult> execute_with_progress(const std::vector<study::RunPlan>& plans,
                                                    study::ExecutionOptions options);

/// Audits with a progress line on a terminal and interrupts caught.
study::AuditReport audit_with_progress(std::vector<study::AuditMethod> methods, study::AuditSet set,
                                       study::AuditOptions options);

}  // namespace dalembert::app
