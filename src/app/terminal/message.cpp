#include "message.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include "app/exit_code.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/false_claims.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::app {

using namespace study;

void complain(const std::string& sentence) {
  fmt::print(stderr, "dalembert: {}\n", readable(sentence));
}

void print(const std::string& stranger) {
  const std::string text = without_controls(stranger);
  const bool is_written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!is_written)
    throw OutputError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

int conclude(const std::vector<RunResult>& results, const std::string& file) {
  const auto count = [&](RunResult::Status status) {
    return std::count_if(results.begin(), results.end(),
                         [status](const RunResult& r) { return r.status == status; });
  };
  const auto with = [](RunResult::Status status) {
    return [status](const RunResult& r) { return r.status == status; };
  };
  if (count(RunResult::Status::interrupted) > 0) {
    complain(fmt::format("interrupted with {} of {} runs unfinished; {}",
                         count(RunResult::Status::interrupted), results.size(),
                         file.empty() ? "without --out nothing was kept to go on from"
                                      : "continue with: dalembert resume " + file));
    return interrupted;
  }
  const auto failed = std::find_if(results.begin(), results.end(), with(RunResult::Status::failed));
  if (failed == results.end()) return success;
  complain(fmt::format("{} of {} runs failed; {}", count(RunResult::Status::failed), results.size(),
                       failed->message));
  return numbers_refused;
}

void print_notes(const Study& study) {
  for (const std::string& note : study.notes) complain(note);
}

int conclude_refused(const std::vector<RefusedRun>& refused, int code) {
  std::set<std::string> reasons;
  for (const RefusedRun& run : refused)
    if (reasons.insert(run.reason).second) complain(run.reason);
  return refused.empty() || code == interrupted ? code : bad_request;
}

void print_warnings(const std::vector<RunPlan>& plans) {
  for (const std::string& warning : cautions_before(plans)) complain("warning: " + warning);
}

void print_cautions(const std::vector<RunPlan>& plans, const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < plans.size(); ++i)
    for (const std::string& sentence : run_cautions(plans[i], results[i]))
      complain("warning: " + run_title(plans[i]) + ": " + sentence);
}

void print_false_claims(const Study& study, const std::vector<RunPlan>& plans,
                        const std::vector<RunResult>& results) {
  for (const std::string& claim : false_claims(study, plans, results))
    complain("warning: " + claim);
}

}  // namespace dalembert::app
