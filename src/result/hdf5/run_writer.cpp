#include "dalembert/result/hdf5/run_writer.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <optional>

#include "checkpoint.hpp"
#include "dalembert/result/copies/flush_seconds.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execution/event_table.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "result/hdf5/access/dimensions.hpp"
#include "result_file.hpp"
#include "result_writer.hpp"
#include "run_groups.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
using Clock = std::chrono::steady_clock;
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

/// What the JSON results say of a run, as attributes; all of it as `json` too.
void write_outcome(hid_t run, const RunPlan& plan, const RunOutcome& result) {
  write_attribute(run, "steps", result.steps);
  write_status(run, result.status);
  write_attribute(run, "message", result.message);
  write_attribute(run, "energy_error_max", result.diagnostics.energy.max_error);
  write_attribute(run, "constraint_max", result.diagnostics.constraint_max);
  write_attribute(run, "newton_iterations", result.newton_iterations);
  write_attribute(run, "evaluations", result.evaluations());
  write_attribute(run, "rejected_substeps", result.rejected_substeps);
  write_attribute(run, "code", std::string(code_text(result.native)));
  write_attribute(run, "seconds", result.seconds);
  write_attribute(run, "seconds_per_step", result.seconds_per_step);
  if (plan.check) {
    const std::optional<ErrorEstimate>& error = result.diagnostics.error;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    write_attribute(run, "tolerance", plan.check->asked);
    write_attribute(run, "estimated_error", error ? error->largest : none);
    write_attribute(run, "tolerance_kept_until", error ? error->kept_until : none);
  }
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

void make_sections(hid_t run, const RunPlan& plan) {
  if (plan.sections.empty()) return;
  const Handle sections = make_group(run, "sections");
  const std::vector<std::string> names = section_columns(plan);
  for (const SectionChoice& choice : plan.sections) {
    const Handle table = make_table(sections, choice.name, names.size(), 256);
    write_attribute(table, "names", names);
    describe_table(table, "states at which " + choice.of.found() + " passes zero",
                   section_units(plan.columns));
  }
}

void make_events(hid_t run, const RunPlan& plan) {
  if (plan.events.empty()) return;
  const Handle events = make_group(run, "events");
  for (std::size_t i = 0; i < plan.events.size(); ++i) {
    const std::vector<std::string> names = event_columns(plan, i);
    const Handle table = make_table(events, plan.events[i].name, names.size(), 256);
    write_attribute(table, "names", names);
    describe_table(table, "states at which the event happened, and those after it",
                   event_units(plan, i));
  }
}

void write_request(hid_t run, const RunPlan& plan) {
  write_run_request(run, plan);
  write_attribute(run, "start", plan.start);
}

/// Records have time as their first dimension, and the names of their columns along the second.
void name_dimensions(hid_t run, const RunPlan& plan) {
  Scales scales(run);
  for (const RecordPart& part : record_parts(plan.columns)) {
    if (part.path == "t") continue;
    const auto* const second = std::ranges::find(dimensions_of_columns, part.path,
                                                 &std::pair<std::string_view, const char*>::first);
    if (second == dimensions_of_columns.end()) {
      scales.attach(part.path, {"t"});
      continue;
    }
    const auto first = plan.columns.names.begin() + static_cast<std::ptrdiff_t>(part.begin);
    write_names(run, second->second, {first, first + static_cast<std::ptrdiff_t>(part.count)});
    scales.attach(part.path, {"t", second->second});
  }
  scales.write();
}

void make_run(hid_t file, const RunPlan& plan) {
  const Handle run = make_group(file, run_group_name(plan));
  const Handle integrals = make_group(run, "integrals");
  if (plan.columns.contact_count > 0) make_group(run, "contacts");
  // Short runs take one chunk, so that small files stay small.
  const hsize_t expected = plan.regular_records(plan.steps) + 1,
                chunk = expected <= 2 * block ? expected : block;
  for (const RecordPart& part : record_parts(plan.columns)) {
    const Handle table = make_table(run, part.path, part.is_column ? 0 : part.count, chunk);
    const auto first = plan.columns.names.begin() + static_cast<std::ptrdiff_t>(part.begin);
    write_attribute(
        table, "names",
        std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(part.count)));
    describe_table(table, part.description, units_of(plan.columns, part.begin, part.count));
  }
  name_dimensions(run, plan);
  make_sections(run, plan);
  make_events(run, plan);
  write_request(run, plan);
  write_status(run, RunResult::Status::interrupted);
}

/// Before a run goes on, records of its earlier end that lie off the grid of records go, and what
/// came of it is open again.
void prepare_to_go_on(hid_t file, const RunPlan& plan) {
  const Handle run = open_group(file, run_group_name(plan));
  if (!exists(run, "state")) return;
  const Handle state = open_group(run, "state");
  const std::uint64_t steps = read_whole_attribute(state, "steps");
  const double t = read_values(state, "final_t", 1)[0];
  const bool has_ended =
      has_attribute(state, "ended_by") && !read_text_attribute(state, "ended_by").empty();
  const bool goes_on =
      !has_ended && plan.goes_on_from(steps, t) && read_status(run) != RunResult::Status::failed;
  if (!goes_on) return;
  write_status(run, RunResult::Status::interrupted);
  const hsize_t regular = steps == 0 ? 0 : plan.regular_records(steps);
  for (const RecordPart& part : record_parts(plan.columns)) {
    const Handle table = open_table(run, part.path);
    if (row_count(table) > regular) resize_rows(table, regular);
  }
}

}  // namespace

class Hdf5Sink::Implementation {
 public:
  Implementation(const std::filesystem::path& path, const Study& study,
                 const std::vector<RunPlan>& plans)
      : plans_(share(plans)),
        shown_crossings_(without_any(plans)),
        shown_events_(without_any_event(plans)),
        begun_(plans.size()),
        writer_(path, [this, study](hid_t file) {
          write_study(file, study);
          const Handle runs = make_group(file, "runs");
          for (const SharedPlan& plan : plans_) make_run(file, *plan);
        }) {}

  Implementation(ResultLock lock, const Study& study, const std::vector<RunPlan>& plans)
      : plans_(share(plans)),
        shown_crossings_(crossings_in(lock.path(), plans)),
        shown_events_(events_in(lock.path(), plans)),
        begun_(plans.size()),
        writer_(std::move(lock), [this, study](hid_t file) {
          write_study(file, study);
          for (const SharedPlan& plan : plans_) {
            prepare_to_go_on(file, *plan);
            write_request(open_group(file, run_group_name(*plan)), *plan);
          }
        }) {}

  void append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) {
    writer_.add([&](ResultChanges& changes) {
      const std::string name = run_group_name(plan);
      changes.add_rows(name, rows, record_tables(plan),
                       [kept = plans_[plan.index]](hid_t file, const auto& values) {
                         append_records(file, *kept, values);
                       });
      add_crossings(plan, so_far, changes);
      add_events(plan, so_far, changes);
      const RunProgress& progress = so_far;
      const RunHistory& history = so_far.diagnostics;
      changes.set_state(
          name, [name, progress, history, seconds = so_far.seconds + seconds_of(plan)](hid_t file) {
            const Handle run = open_group(file, name);
            write_checkpoint(run, progress, history);
            write_attribute(run, "seconds", seconds);  // what a kill would lose
          });
    });
  }

  void finish(const RunPlan& plan, const RunResult& result) {
    writer_.add([&](ResultChanges& changes) {
      // After the state of the same run.
      changes.set_state(run_group_name(plan) + " outcome",
                        [kept = plans_[plan.index],
                         outcome = std::make_shared<const RunOutcome>(result)](hid_t file) {
                          write_outcome(open_group(file, run_group_name(*kept)), *kept, *outcome);
                        });
    });
  }

  void write_table(const LabelledTable& table) {
    writer_.add([&](ResultChanges& changes) {
      // After all runs.
      changes.set_state("table", [kept = std::make_shared<const LabelledTable>(table)](hid_t file) {
        write_labelled(file, *kept);
      });
    });
  }

  void close() { writer_.close(); }

 private:
  using SharedPlan = std::shared_ptr<const RunPlan>;
  static std::vector<SharedPlan> share(const std::vector<RunPlan>& plans) {
    std::vector<SharedPlan> shared;
    for (const RunPlan& plan : plans) shared.push_back(std::make_shared<const RunPlan>(plan));
    return shared;
  }

  static void append_records(hid_t file, const RunPlan& plan, const std::vector<double>& rows) {
    const Handle run = open_group(file, run_group_name(plan));
    for (const RecordPart& part : record_parts(plan.columns)) {
      append_rows(open_table(run, part.path), columns_of(rows, plan.columns.width(), part),
                  rows.size() / plan.columns.width());
    }
  }

  /// Since the first records of a run.
  double seconds_of(const RunPlan& plan) {
    std::optional<Clock::time_point>& begun = begun_[plan.index];
    if (!begun) begun = Clock::now();
    return std::chrono::duration<double>(Clock::now() - *begun).count();
  }

  static std::vector<std::string> record_tables(const RunPlan& plan) {
    std::vector<std::string> names;
    for (const RecordPart& part : record_parts(plan.columns))
      names.push_back(run_group_name(plan) + "/" + part.path);
    return names;
  }

  /// Crossings that are not in the file yet, a row each.
  void add_crossings(const RunPlan& plan, const RunResult& result, ResultChanges& changes) {
    for (std::size_t i = 0; i < plan.sections.size(); ++i) {
      const SectionResult& section = result.diagnostics.sections[i];
      std::size_t& shown = shown_crossings_[plan.index][i];
      std::vector<double> rows;
      for (; shown < section.crossings.size(); ++shown) {
        const Crossing& crossing = section.crossings[shown];
        rows.push_back(crossing.t);
        rows.insert(rows.end(), crossing.q.begin(), crossing.q.end());
        rows.insert(rows.end(), crossing.v.begin(), crossing.v.end());
        rows.push_back(crossing.rising ? 1.0 : 0.0);
      }
      if (rows.empty()) continue;
      const std::string name = run_group_name(plan) + "/sections/" + section.name;
      const std::size_t width = section_columns(plan).size();
      changes.add_rows(name, rows, {name}, [name, width](hid_t file, const auto& values) {
        append_rows(open_table(file, name), values, values.size() / width);
      });
    }
  }

  /// What has happened and is not in the file yet, a row each.
  void add_events(const RunPlan& plan, const RunResult& result, ResultChanges& changes) {
    for (std::size_t i = 0; i < plan.events.size(); ++i) {
      const EventResult& event = result.diagnostics.events[i];
      std::size_t& shown = shown_events_[plan.index][i];
      std::vector<double> rows;
      for (; shown < event.occurrences.size(); ++shown)
        append_event_row(plan, event.occurrences[shown], rows);
      if (rows.empty()) continue;
      const std::string name = run_group_name(plan) + "/events/" + event.name;
      const std::size_t width = event_columns(plan, i).size();
      changes.add_rows(name, rows, {name}, [name, width](hid_t file, const auto& values) {
        append_rows(open_table(file, name), values, values.size() / width);
      });
    }
  }

  /// By run and section or event.
  using Counts = std::vector<std::vector<std::size_t>>;
  static Counts without_any(const std::vector<RunPlan>& plans) {
    Counts counts;
    for (const RunPlan& plan : plans) counts.emplace_back(plan.sections.size());
    return counts;
  }
  static Counts crossings_in(const std::filesystem::path& path, const std::vector<RunPlan>& plans) {
    Counts counts = without_any(plans);
    read_file_again(path, [&](hid_t file) {
      for (const RunPlan& plan : plans) {
        for (std::size_t i = 0; i < plan.sections.size(); ++i) {
          const std::string name = run_group_name(plan) + "/sections/" + plan.sections[i].name;
          counts[plan.index][i] = row_count(open_table(file, name));
        }
      }
    });
    return counts;
  }

  static Counts without_any_event(const std::vector<RunPlan>& plans) {
    Counts counts;
    for (const RunPlan& plan : plans) counts.emplace_back(plan.events.size());
    return counts;
  }
  static Counts events_in(const std::filesystem::path& path, const std::vector<RunPlan>& plans) {
    Counts counts = without_any_event(plans);
    read_file_again(path, [&](hid_t file) {
      for (const RunPlan& plan : plans) {
        for (std::size_t i = 0; i < plan.events.size(); ++i) {
          const std::string name = run_group_name(plan) + "/events/" + plan.events[i].name;
          counts[plan.index][i] = row_count(open_table(file, name));
        }
      }
    });
    return counts;
  }

  std::vector<SharedPlan> plans_;
  Counts shown_crossings_, shown_events_;
  std::vector<std::optional<Clock::time_point>> begun_;  // by run
  ResultWriter writer_;
};

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path, const Study& study,
                   const std::vector<RunPlan>& plans)
    : implementation_(std::make_unique<Implementation>(path, study, plans)) {}
Hdf5Sink::Hdf5Sink(ResultLock lock, const Study& study, const std::vector<RunPlan>& plans)
    : implementation_(std::make_unique<Implementation>(std::move(lock), study, plans)) {}
Hdf5Sink::~Hdf5Sink() = default;
double Hdf5Sink::longest_wait() const {
  return std::min(RecordSink::longest_wait(), flush_seconds());
}
void Hdf5Sink::append(const RunPlan& plan, std::span<const double> rows, const RunResult& so_far) {
  implementation_->append(plan, rows, so_far);
}
void Hdf5Sink::finish(const RunPlan& plan, const RunResult& result) {
  implementation_->finish(plan, result);
}
void Hdf5Sink::write_table(const LabelledTable& table) { implementation_->write_table(table); }
void Hdf5Sink::close() { implementation_->close(); }

}  // namespace dalembert::study
