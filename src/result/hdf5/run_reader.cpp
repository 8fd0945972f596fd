// Reading runs back from their result file.
#include "dalembert/result/hdf5/run_reader.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/execution/event_table.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "result/hdf5/agreement/agreement.hpp"
#include "result_file.hpp"
#include "run_groups.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;

/// Nothing where no tolerance was asked, or no error could be estimated.
std::optional<ErrorEstimate> read_error(hid_t run) {
  if (!has_attribute(run, "estimated_error")) return std::nullopt;
  ErrorEstimate error;
  error.asked = read_number_attribute(run, "tolerance");
  error.largest = read_number_attribute(run, "estimated_error");
  error.kept_until = read_number_attribute(run, "tolerance_kept_until");
  if (std::isnan(error.largest)) return std::nullopt;
  return error;
}

void read_sections(hid_t run, const RunPlan& plan, RunResult& result) {
  const std::size_t columns = section_columns(plan).size();
  const auto width = static_cast<std::ptrdiff_t>(columns),
             q_count = static_cast<std::ptrdiff_t>(plan.columns.q_count);
  for (const SectionChoice& choice : plan.sections) {
    SectionResult section{choice.name};
    const std::vector<double> rows = read_rows(run, "sections/" + choice.name, columns);
    for (auto row = rows.begin(); row != rows.end(); row += width)
      section.crossings.push_back({*row,
                                   {row + 1, row + 1 + q_count},
                                   {row + 1 + q_count, row + width - 1},
                                   row[width - 1] != 0.0});
    result.diagnostics.sections.push_back(std::move(section));
  }
}

void read_events(hid_t run, const RunPlan& plan, RunResult& result) {
  const auto q_count = static_cast<std::ptrdiff_t>(plan.columns.q_count),
             v_count = static_cast<std::ptrdiff_t>(plan.columns.velocity_count);
  result.diagnostics.events.resize(plan.events.size());
  for (std::size_t i = 0; i < plan.events.size(); ++i) {
    EventResult& event = result.diagnostics.events[i];
    event.name = plan.events[i].name;
    const bool acts = plan.events[i].acts();
    const std::size_t columns = event_columns(plan, i).size();
    const std::vector<double> rows = read_rows(run, "events/" + event.name, columns);
    for (auto row = rows.begin(); row != rows.end(); row += static_cast<std::ptrdiff_t>(columns)) {
      auto next = row + 1;
      const auto take = [&next](std::ptrdiff_t count) {
        next += count;
        return std::vector<double>(next - count, next);
      };
      EventOccurrence occurrence{.event = i, .t = *row};
      occurrence.q = take(q_count);
      occurrence.v = take(v_count);
      occurrence.q_after = acts ? take(q_count) : occurrence.q;
      occurrence.v_after = acts ? take(v_count) : occurrence.v;
      occurrence.rising = *next != 0.0;
      event.occurrences.push_back(std::move(occurrence));
    }
  }
}

/// Every table of records has its columns, the same rows, and as many as the steps of the state
/// say, or more in files of version 0.1.
void check_rows(hid_t run, const RunPlan& plan, std::uint64_t steps) {
  const std::uint64_t expected = exists(run, "state") ? plan.regular_records(steps) : 0;
  const hsize_t rows = row_count(open_table(run, "t", 1));
  if (rows < expected) {
    throw OutputError("it holds " + std::to_string(rows) + " records of a run, of which " +
                      std::to_string(expected) + " were taken");
  }
  for (const RecordPart& part : record_parts(plan.columns)) {
    if (row_count(open_table(run, part.path, part.count)) != rows)
      throw OutputError("its data set \"" + part.path + "\" has other rows than \"t\"");
  }
}

void read_records(hid_t run, const RunPlan& plan, std::vector<double>& records) {
  const std::size_t width = plan.columns.width();
  for (const RecordPart& part : record_parts(plan.columns)) {
    const std::vector<double> values = read_rows(run, part.path, part.count);
    records.resize(std::max(records.size(), values.size() / part.count * width));
    for (std::size_t i = 0; i < values.size(); ++i)
      records[i / part.count * width + part.begin + i % part.count] = values[i];
  }
}

/// A run that has begun has a state, which agrees with its records.
void check_progress(hid_t run, const RunPlan& plan, const RunResult& result, bool is_old) {
  check_rows(run, plan, result.steps);
  const bool has_state = exists(run, "state");
  const hsize_t rows = row_count(open_table(run, "t"));
  if (!has_state && (rows > 0 || result.status != RunResult::Status::interrupted)) {
    throw OutputError("it holds " + std::to_string(rows) +
                      " records of a run, and no group \"state\" that belongs to them");
  }
  if (!has_state) return;
  check_times(run, plan, plan.regular_records(result.steps));
  check_state(run, plan, result, is_old);
}

RunResult read_run(hid_t run, RunPlan& plan, const ReadRuns& how, bool is_old) {
  RunResult result;
  plan.record_every = read_record_every(run, how.record_every);
  check_request(run, plan);
  read_checkpoint(run, plan, result, result.diagnostics);
  result.status = read_status(run);
  check_progress(run, plan, result, is_old);
  if (!is_old) check_names(run, plan);
  if (!how.has_other_end && !is_old) check_end(run, plan, result.steps, !result.ended_by.empty());
  read_sections(run, plan, result);
  read_events(run, plan, result);
  if (has_attribute(run, "message")) {
    result.message = read_text_attribute(run, "message");
    result.newton_iterations = read_whole_attribute(run, "newton_iterations");
    if (has_attribute(run, "rejected_substeps"))
      result.rejected_substeps = read_whole_attribute(run, "rejected_substeps");
    if (has_attribute(run, "code"))
      result.native = read_text_attribute(run, "code") == code_text(true);
    result.seconds = read_number_attribute(run, "seconds");
    result.seconds_per_step = read_number_attribute(run, "seconds_per_step");
    result.diagnostics.error = read_error(run);
  }
  find_cautions(plan, result);
  if (how.with_records) read_records(run, plan, result.records);
  return result;
}

}  // namespace

std::string read_hdf5_study(const std::filesystem::path& path) {
  std::string text;
  read_file(path, [&](hid_t file) {
    if (!has_attribute(file, "dalembert") || !has_attribute(file, "study"))
      throw OutputError("it is not a result of dalembert: it holds no study");
    check_version(file);
    text = has_attribute(file, "study_utf8") ? read_bytes_attribute(file, "study_utf8")
                                             : read_text_attribute(file, "study");
  });
  return text;
}

std::vector<RunResult> read_hdf5_results(const std::filesystem::path& path,
                                         std::vector<RunPlan>& plans, const ReadRuns& how) {
  std::vector<RunResult> results(plans.size());
  read_file(path, [&](hid_t file) {
    const bool is_old = is_of_version_0_1(file);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      read_run_group(file, plans[i],
                     [&](hid_t run) { results[i] = read_run(run, plans[i], how, is_old); });
    }
  });
  return results;
}

std::vector<std::string> read_hdf5_outcomes(const std::filesystem::path& path,
                                            const std::vector<RunPlan>& plans,
                                            const std::vector<RunResult>& results) {
  std::vector<std::string> outcomes;
  read_file(path, [&](hid_t file) {
    for (const RunPlan& plan : plans) {
      read_run_group(file, plan, [&](hid_t run) {
        const bool is_over = results[plan.index].status != RunResult::Status::interrupted &&
                             has_attribute(run, "json");
        outcomes.push_back(is_over ? read_text_attribute(run, "json")
                                   : run_json_text(plan, results[plan.index]));
      });
    }
  });
  return outcomes;
}

}  // namespace dalembert::study
