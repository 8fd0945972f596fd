#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"

namespace dalembert::study {

/// "ok", "failed" or "interrupted".
template <class Status>
const char* outcome_word(Status status) {
  return status == Status::ok ? "ok" : status == Status::failed ? "failed" : "interrupted";
}

/// The derivatives of a run at its end: a row for each argument, a column for each quantity.
/// `width`: of the terminal, 0 without limit.
std::string sensitivity_table(const RunPlan& plan, const Sensitivity& result,
                              std::size_t width = 0);
/// Those of all runs at all records, with the values of the quantities.
std::string sensitivity_json(const std::vector<RunPlan>& plans,
                             const std::vector<Sensitivity>& results);
/// A line for each run, record, quantity and argument.
std::string sensitivity_csv(const std::vector<RunPlan>& plans,
                            const std::vector<Sensitivity>& results);

/// The exponents of a run with their intervals, and their sum.
std::string lyapunov_table(const RunPlan& plan, const LyapunovSpectrum& result);
std::string lyapunov_json(const std::vector<RunPlan>& plans,
                          const std::vector<LyapunovSpectrum>& results);
/// Running means against time, a panel for each run.
Picture lyapunov_picture(const std::string& title, const std::vector<RunPlan>& plans,
                         const std::vector<LyapunovSpectrum>& results);

}  // namespace dalembert::study
