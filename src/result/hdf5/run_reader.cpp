// Reading runs back from their result file.
#include "dalembert/result/hdf5/run_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "result_file.hpp"
#include "run_groups.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;

IntegralSummary read_summary(hid_t group, const std::string& path, const std::string& name) {
  const std::vector<double> values = read_values(group, path);
  return {name, values.at(0), values.at(1), values.at(2)};
}

StateValues read_state_values(hid_t group, const std::string& name) {
  return {read_values(group, name + "_t").at(0), read_values(group, name + "_q"),
          read_values(group, name + "_v"), read_values(group, name + "_lambda")};
}

void read_checkpoint(hid_t run, const RunPlan& plan, RunResult& result) {
  if (!exists(run, "state")) return;
  const Handle group = open_group(run, "state");
  result.point.t = read_values(group, "t").at(0);
  for (const auto& [name, part] : point_parts)
    result.point.*part = read_part(group, name, *plan.program);
  make_room(result.point, *plan.program);
  result.diagnostics.constraint_max = read_values(group, "constraint_max").at(0);
  result.diagnostics.energy = read_summary(group, "energy", "energy");
  for (const std::string& name : plan.columns.integral_names()) {
    result.diagnostics.integrals.push_back(read_summary(group, "integral_" + name, name));
  }
  result.initial = read_state_values(group, "initial");
  result.final = read_state_values(group, "final");
  result.steps = read_whole_attribute(group, "steps");
}

void read_sections(hid_t run, const RunPlan& plan, RunResult& result) {
  const auto width = static_cast<std::ptrdiff_t>(section_columns(plan).size()),
             q_count = static_cast<std::ptrdiff_t>(plan.columns.q_count);
  for (const SectionChoice& choice : plan.sections) {
    SectionResult section{choice.name};
    const std::vector<double> rows = read_values(run, "sections/" + choice.name);
    for (auto row = rows.begin(); row != rows.end(); row += width)
      section.crossings.push_back({*row,
                                   {row + 1, row + 1 + q_count},
                                   {row + 1 + q_count, row + width - 1},
                                   row[width - 1] != 0.0});
    result.diagnostics.sections.push_back(std::move(section));
  }
}

}  // namespace

std::string read_hdf5_study(const std::filesystem::path& path) {
  const Handle file = open_file(path, false, false);
  if (H5Aexists(file, "dalembert") <= 0 || H5Aexists(file, "study") <= 0) {
    throw OutputError("\"" + path.string() + "\" is not a result of dalembert: it holds no study");
  }
  return read_text_attribute(file, "study");
}

std::vector<RunResult> read_hdf5_results(const std::filesystem::path& path,
                                         std::vector<RunPlan>& plans, bool with_records) {
  const Handle file = open_file(path, false, false);
  std::vector<RunResult> results(plans.size());
  for (RunPlan& plan : plans) {
    const Handle run = open_group(file, run_group_name(plan));
    RunResult& result = results[plan.index];
    plan.record_every = read_whole_attribute(run, "record_every");
    read_checkpoint(run, plan, result);
    read_sections(run, plan, result);
    const std::string status = read_text_attribute(run, "status");
    for (const auto candidate : {RunResult::Status::ok, RunResult::Status::failed}) {
      if (status == status_text(candidate)) result.status = candidate;
    }
    if (H5Aexists(run, "message") > 0) {
      result.message = read_text_attribute(run, "message");
      result.newton_iterations = read_whole_attribute(run, "newton_iterations");
      result.seconds = read_number_attribute(run, "seconds");
      result.seconds_per_step = read_number_attribute(run, "seconds_per_step");
    }
    if (!with_records) continue;
    const std::size_t width = plan.columns.width();
    for (const RecordPart& part : record_parts(plan.columns)) {
      const std::vector<double> values = read_values(run, part.path);
      const std::size_t rows = values.size() / part.count;
      result.records.resize(std::max(result.records.size(), rows * width));
      for (std::size_t i = 0; i < values.size(); ++i) {
        result.records[i / part.count * width + part.begin + i % part.count] = values[i];
      }
    }
  }
  return results;
}

}  // namespace dalembert::study
