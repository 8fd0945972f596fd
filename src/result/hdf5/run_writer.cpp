#include "dalembert/result/hdf5/run_writer.hpp"

#include <algorithm>

#include "dalembert/result/json_result.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "result_file.hpp"
#include "run_groups.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
constexpr hsize_t block = 8192;

std::vector<double> columns_of(std::span<const double> rows, std::size_t width,
                               const RecordPart& part) {
  std::vector<double> values;
  values.reserve(rows.size() / width * part.count);
  for (std::size_t row = 0; row < rows.size(); row += width) {
    for (std::size_t i = 0; i < part.count; ++i) values.push_back(rows[row + part.begin + i]);
  }
  return values;
}

void write_summary(hid_t group, const std::string& name, const IntegralSummary& summary) {
  write_vector(group, name, {summary.initial, summary.final, summary.max_error});
}

void write_values(hid_t group, const std::string& name, const StateValues& values) {
  write_vector(group, name + "_t", {values.t});
  write_vector(group, name + "_q", values.q);
  write_vector(group, name + "_v", values.v);
  write_vector(group, name + "_lambda", values.lambda);
}

/// The state of the stepper and the errors so far: what it takes to go on.
void write_checkpoint(hid_t run, const RunResult& result) {
  const Handle group = exists(run, "state") ? open_group(run, "state") : make_group(run, "state");
  const Point& point = result.point;
  write_vector(group, "t", {point.t});
  for (const auto& [name, part] : point_parts) write_vector(group, name, point.*part);
  write_vector(group, "constraint_max", {result.diagnostics.constraint_max});
  write_summary(group, "energy", result.diagnostics.energy);
  for (const IntegralSummary& integral : result.diagnostics.integrals)
    write_summary(group, "integral_" + integral.name, integral);
  write_values(group, "initial", result.initial);
  write_values(group, "final", result.final);
  write_attribute(group, "steps", result.steps);
}

/// What the JSON results say of a run, as attributes; all of it as `json` too.
void write_outcome(hid_t run, const RunPlan& plan, const RunResult& result) {
  write_attribute(run, "steps", result.steps);
  write_attribute(run, "status", std::string(status_text(result.status)));
  write_attribute(run, "message", result.message);
  write_attribute(run, "energy_error_max", result.diagnostics.energy.max_error);
  write_attribute(run, "constraint_max", result.diagnostics.constraint_max);
  write_attribute(run, "newton_iterations", result.newton_iterations);
  write_attribute(run, "evaluations", result.evaluations());
  write_attribute(run, "seconds", result.seconds);
  write_attribute(run, "seconds_per_step", result.seconds_per_step);
  for (const IntegralSummary& integral : result.diagnostics.integrals) {
    write_attribute(run, integral.name + "_error_max", integral.max_error);
  }
  for (const DiagnosticReport& report : result.diagnostics.reports) {
    const std::string prefix = report.kind + "_" + report.of + "_";
    for (const auto& [name, value] : report.numbers) write_attribute(run, prefix + name, value);
    if (!report.verdict.empty()) write_attribute(run, prefix + "verdict", report.verdict);
    if (!report.message.empty()) write_attribute(run, prefix + "message", report.message);
  }
  write_attribute(run, "json", run_json_text(plan, result));
}

/// Crossings that are not in the file yet, a row each.
void append_sections(hid_t run, const RunResult& result) {
  for (const SectionResult& section : result.diagnostics.sections) {
    const Handle table = open_table(run, "sections/" + section.name);
    std::vector<double> rows;
    const std::size_t begin = row_count(table), end = section.crossings.size();
    for (std::size_t i = begin; i < end; ++i) {
      const Crossing& crossing = section.crossings[i];
      rows.push_back(crossing.t);
      rows.insert(rows.end(), crossing.q.begin(), crossing.q.end());
      rows.insert(rows.end(), crossing.v.begin(), crossing.v.end());
      rows.push_back(crossing.rising ? 1.0 : 0.0);
    }
    if (end > begin) append_rows(table, rows, end - begin);
  }
}

void make_sections(hid_t run, const RunPlan& plan) {
  if (plan.sections.empty()) return;
  const Handle sections = make_group(run, "sections");
  const std::vector<std::string> names = section_columns(plan);
  for (const SectionChoice& choice : plan.sections) {
    const Handle table = make_table(sections, choice.name, names.size(), 256);
    write_attribute(table, "names", names);
    describe_table(table, "states at which " + choice.of.found() + " passes zero");
  }
}

void write_request(hid_t run, const RunPlan& plan) {
  write_run_request(run, plan);
  write_attribute(run, "start", plan.start);
}

void make_run(hid_t file, const RunPlan& plan) {
  const Handle run = make_group(file, run_group_name(plan));
  const Handle integrals = make_group(run, "integrals");
  // Short runs take one chunk, so that small files stay small.
  const hsize_t expected = plan.steps / plan.record_every + 2,
                chunk = expected <= 2 * block ? expected : block;
  for (const RecordPart& part : record_parts(plan.columns)) {
    const Handle table = make_table(run, part.path, part.is_column ? 0 : part.count, chunk);
    const auto first = plan.columns.names.begin() + static_cast<std::ptrdiff_t>(part.begin);
    write_attribute(
        table, "names",
        std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(part.count)));
    describe_table(table, part.description);
  }
  make_sections(run, plan);
  write_request(run, plan);
  write_attribute(run, "status", std::string(status_text(RunResult::Status::interrupted)));
}

/// Before a run goes on, records of its earlier end that lie off the grid of records go.
void drop_irregular_rows(hid_t file, const RunPlan& plan) {
  const Handle run = open_group(file, run_group_name(plan));
  if (!exists(run, "state")) return;
  const std::uint64_t steps = read_whole_attribute(open_group(run, "state"), "steps");
  const bool goes_on = steps < plan.steps &&
                       read_text_attribute(run, "status") != status_text(RunResult::Status::failed);
  if (!goes_on) return;
  const hsize_t regular = steps == 0 ? 0 : steps / plan.record_every + 1;
  for (const RecordPart& part : record_parts(plan.columns)) {
    const Handle table = open_table(run, part.path);
    if (row_count(table) > regular) resize_rows(table, regular);
  }
}

}  // namespace

class Hdf5Sink::Implementation {
 public:
  Implementation(const std::filesystem::path& path, const Study& study,
                 const std::vector<RunPlan>& plans, Mode mode)
      : file_(path, study, mode == Mode::create) {
    file_.write([&](hid_t file) {
      for (const RunPlan& plan : plans) {
        if (mode == Mode::create) {
          make_run(file, plan);
        } else {
          drop_irregular_rows(file, plan);
          write_request(open_group(file, run_group_name(plan)), plan);
        }
      }
    });
  }

  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) {
    file_.write([&](hid_t file) {
      const Handle run = open_group(file, run_group_name(plan));
      for (const RecordPart& part : record_parts(plan.columns)) {
        append_rows(open_table(run, part.path), columns_of(rows, plan.columns.width(), part),
                    rows.size() / plan.columns.width());
      }
      append_sections(run, so_far);
      write_checkpoint(run, so_far);
    });
  }

  void finish(const RunPlan& plan, const RunResult& result) {
    file_.write(
        [&](hid_t file) { write_outcome(open_group(file, run_group_name(plan)), plan, result); });
  }

 private:
  ResultFile file_;
};

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path, const Study& study,
                   const std::vector<RunPlan>& plans, Mode mode)
    : implementation_(std::make_unique<Implementation>(path, study, plans, mode)) {}
Hdf5Sink::~Hdf5Sink() = default;
void Hdf5Sink::append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) {
  implementation_->append(plan, rows, so_far);
}
void Hdf5Sink::finish(const RunPlan& plan, const RunResult& result) {
  implementation_->finish(plan, result);
}

}  // namespace dalembert::study
