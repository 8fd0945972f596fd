#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// JSON as json_text, where each run has an object "ensemble": size, seed, failures, t, alive,
/// statistics by quantity, growth laws, and the start and the final state of each member.
std::string ensemble_json(const Study& study, const std::vector<EnsemblePlan>& plans,
                          const std::vector<EnsembleResult>& results);
/// Writes the text of `ensemble_json` member by member.
void write_ensemble_json(std::ostream& out, const Study& study,
                         const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results);

}  // namespace dalembert::study
