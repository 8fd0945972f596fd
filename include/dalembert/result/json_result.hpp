#pragma once

#include <string>
#include <vector>

#include "dalembert/method/method.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// The results of a study as a JSON object {"dalembert", "study", "title", "runs"}. Every number
/// reads back as the same double; nan and infinity are null. Refused runs come last, with a message
/// and without states.
std::string json_text(const Study& study, const std::vector<RunPlan>& plans,
                      const std::vector<RunResult>& results,
                      const std::vector<RefusedRun>& refused = {});

/// JSON object, as above, from runs that are JSON texts already; see run_json_text.
std::string json_text(const Study& study, const std::vector<std::string>& runs);

/// One run alone, on one line.
std::string run_json_text(const RunPlan& plan, const RunOutcome& result);

/// A method with its options, as {"name": ..., "alpha": ...}, on one line.
std::string method_json_text(const MethodSpec& spec);

}  // namespace dalembert::study
