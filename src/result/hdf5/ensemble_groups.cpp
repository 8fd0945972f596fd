#include "ensemble_groups.hpp"

#include <algorithm>

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result_file.hpp"

namespace dalembert::study {

using namespace hdf5;

std::string moments_table(const std::string& quantity) { return "part/moments/" + quantity; }
std::string values_table(const std::string& quantity) { return "part/values/" + quantity; }

std::size_t members_with_start(const EnsemblePlan& plan) { return plan.starts->count(); }

std::string current_state(hid_t states) {
  if (!has_attribute(states, "current")) return "";
  return exists(states, "b") ? read_text_attribute(states, "current") : "a";
}

hsize_t kept_rows(const EnsemblePlan& plan, std::uint64_t steps, std::span<const double> t) {
  const RunPlan& run = plan.run;
  const hsize_t rows = t.size();
  if (steps == 0) return 0;
  if (steps < run.steps) return std::min<hsize_t>(rows, run.regular_records(steps));
  const bool is_complete = rows > 0 && t.back() >= run.end();
  return is_complete ? rows : std::min<hsize_t>(rows, run.records_at_end());
}

std::uint64_t steps_in(hid_t run) {
  const std::string current = current_state(open_group(run, "state"));
  return current.empty() ? 0 : read_whole_attribute(open_group(run, "state/" + current), "steps");
}

EnsembleRows rows_that_stay(hid_t run, const EnsemblePlan& plan) {
  const std::vector<double> t = read_values(run, "t"), growth_t = read_values(run, "growth/t");
  const hsize_t rows = kept_rows(plan, steps_in(run), t);
  const double last = rows == 0 ? -1.0 : t.at(rows - 1);
  const auto kept = std::upper_bound(growth_t.begin(), growth_t.end(), last) - growth_t.begin();
  return {rows, static_cast<std::size_t>(kept)};
}

}  // namespace dalembert::study
