#include "agreement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/result/json_result.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/dimensions.hpp"
#include "result/hdf5/access/table.hpp"
#include "result/hdf5/result_file.hpp"
#include "result/hdf5/run_groups.hpp"

namespace dalembert::study {

using namespace hdf5;

namespace {

constexpr double old_round_off = 1e-9;  ///< what version 0.1 may have rounded otherwise
constexpr hsize_t rows_at_once = 65536;

std::string text_of(double value) { return std::isnan(value) ? "nan" : to_string(value); }

void check_text(hid_t run, const char* name, const std::string& of_study) {
  if (!has_attribute(run, name)) return;
  const std::string found = read_text_attribute(run, name);
  if (found == of_study) return;
  contradict("\"" + std::string(name) + "\"", "\"" + found + "\"", "the run",
             "\"" + of_study + "\"", "the study");
}

/// A number that a record and a state both have; nan agrees with itself.
bool agree(double a, double b, double round_off) {
  return a == b || (std::isnan(a) && std::isnan(b)) ||
         std::fabs(a - b) <= round_off * (1.0 + std::fabs(b));
}

/// A time that was asked for, but for its round-off, in a run with that step.
bool is_time_of(double t, double expected, double step) {
  return std::fabs(t - expected) <= 1e-9 * std::fabs(step) + 1e-12 * std::fabs(expected);
}

/// Times, positions, velocities and multipliers, as records have them.
std::vector<double> motion_of(const StateValues& values) {
  std::vector<double> motion{values.t};
  for (const std::vector<double>* part : {&values.q, &values.v, &values.lambda})
    motion.insert(motion.end(), part->begin(), part->end());
  return motion;
}

/// The same of the stepper's point, without multipliers, which only some methods keep.
std::vector<double> motion_of(const Point& point) {
  std::vector<double> motion{point.t};
  for (std::size_t i = 0; i < point.q.size(); ++i)
    motion.push_back(numeric::unwrapped(point.q[i], point.turns[i]));
  motion.insert(motion.end(), point.v.begin(), point.v.end());
  return motion;
}

/// A record as far as states have it.
std::vector<double> motion_in_row(hid_t run, const RunPlan& plan, hsize_t row) {
  std::vector<double> motion;
  for (const char* name : {"t", "q", "v", "lambda"}) {
    const bool is_left_out = name[0] != 't' && name[0] != 'q' && !exists(run, name);
    if (is_left_out) continue;
    const std::vector<double> part = read_row_range(open_table(run, name), row, 1);
    motion.insert(motion.end(), part.begin(), part.end());
  }
  motion.resize(plan.columns.energy());
  return motion;
}

/// What two places say of a motion, as far as both say it.
struct Compared {
  std::string place;
  std::vector<double> motion;
};

void check_same(const RunPlan& plan, const Compared& one, const Compared& other, double round_off) {
  const std::size_t count = std::min(one.motion.size(), other.motion.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (agree(one.motion[i], other.motion[i], round_off)) continue;
    contradict(plan.columns.names[i], text_of(one.motion[i]), one.place, text_of(other.motion[i]),
               other.place);
  }
}

void check_number(hid_t object, const char* name, double of_study) {
  if (!has_attribute(object, name)) return;
  const double found = read_number_attribute(object, name);
  if (agree(found, of_study, 0.0)) return;
  contradict("\"" + std::string(name) + "\"", text_of(found), "the run", text_of(of_study),
             "the study");
}

/// "steps of 0.1 with a record every 5".
std::string records_text(const RunPlan& plan) {
  const std::string steps = "steps of " + to_string(plan.step);
  return plan.record_times.are_given()
             ? steps + " with records at times of their own"
             : fmt::format("{} with a record every {}", steps, plan.record_every);
}

/// Which record that of the state after some steps is, if it is one.
std::optional<std::uint64_t> record_of(const RunPlan& plan, std::uint64_t steps) {
  if (!plan.records_node(steps)) return std::nullopt;
  return plan.regular_records(steps) - 1;
}

/// The last values are those of the state, or of the end of a shorter step.
void check_last_time(const RunPlan& plan, const RunResult& result) {
  const double beyond = result.final.t - result.point.t;
  if (!(beyond >= 0.0 && beyond < plan.step * (1.0 + old_round_off)))
    contradict("t", text_of(result.final.t), "the last values", text_of(result.point.t),
               "the state");
}

/// A method as a file names it, with the options that the file does not name, those of a later
/// version, at their defaults.
nlohmann::json with_defaults(nlohmann::json named, const MethodSpec& spec) {
  if (!named.is_object()) return named;
  for (const OptionInfo& option : make_method(spec).definition().options) {
    const auto value = spec.options.find(option.name);
    if (!named.contains(option.name)) {
      const MethodSpec plain{spec.name, {{option.name, option.default_value}}};
      named[option.name] = nlohmann::json::parse(method_json_text(plain)).at(option.name);
    } else if (value != spec.options.end()) {
      const auto* base = std::get_if<std::shared_ptr<const MethodSpec>>(&value->second);
      if (base != nullptr && *base != nullptr && !(*base)->name.empty())
        named[option.name] = with_defaults(named[option.name], **base);
    }
  }
  return named;
}

/// Methods of somebody's own have no options.
void check_method(hid_t run, const MethodSpec& spec) {
  const std::string expected = method_json_text(spec);
  if (has_attribute(run, "method") && find_method(spec.name) != nullptr) {
    const auto found = nlohmann::json::parse(read_text_attribute(run, "method"), nullptr, false);
    if (with_defaults(found, spec) == nlohmann::json::parse(expected)) return;
  }
  check_text(run, "method", expected);
}

/// Names that a file has somewhere, and those of the study.
void check_list(const std::vector<std::string>& found, std::span<const std::string> of_study,
                const std::string& place) {
  for (std::size_t i = 0; i < std::max(found.size(), of_study.size()); ++i) {
    const std::string one = i < found.size() ? "\"" + found[i] + "\"" : "missing",
                      other = i < of_study.size() ? "\"" + of_study[i] + "\"" : "none";
    if (i < found.size() && i < of_study.size() && found[i] == of_study[i]) continue;
    contradict(fmt::format("name {}", i + 1), one, place, other, "the study");
  }
}

}  // namespace

void contradict(const std::string& what, const std::string& value, const std::string& place,
                const std::string& other, const std::string& other_place) {
  throw OutputError(
      fmt::format("{} is {} in {}, and {} in {}", what, value, place, other, other_place));
}

void check_names(hid_t run, const RunPlan& plan) {
  for (const RecordPart& part : record_parts(plan.columns)) {
    const std::span<const std::string> of_study(plan.columns.names.data() + part.begin, part.count);
    const Handle table = open_table(run, part.path);
    if (has_attribute(table, "names"))
      check_list(read_list_attribute(table, "names"), of_study, "\"" + part.path + "\"");
    for (const auto& [path, dimension] : dimensions_of_columns)
      if (part.path == path && exists(run, dimension))
        check_list(read_names(run, dimension), of_study, "\"" + std::string(dimension) + "\"");
  }
}

void check_count(hid_t run, const char* name, std::uint64_t expected, const char* place) {
  if (!has_attribute(run, name)) return;
  const std::uint64_t found = read_whole_attribute(run, name);
  if (found == expected) return;
  contradict("\"" + std::string(name) + "\"", std::to_string(found), "the run",
             std::to_string(expected), place);
}

void check_time_of_steps(double t, const RunPlan& plan, std::uint64_t steps) {
  const double expected = static_cast<double>(steps) * plan.step;
  if (is_time_of(t, expected, plan.step)) return;
  contradict("t", text_of(t), "the state", to_string(expected),
             fmt::format("its {} steps of {}", steps, to_string(plan.step)));
}

void check_request(hid_t run, const RunPlan& plan) {
  check_text(run, "problem", plan.system.name());
  check_text(run, "run", plan.label);
  check_text(run, "label", plan.method.label);
  check_method(run, plan.method.spec);
  check_text(run, "start", plan.start);
  check_number(run, "step", plan.step);
  if (!exists(run, "parameters")) return;
  const Handle parameters = open_group(run, "parameters");
  const auto& described = plan.system.description().parameters;
  for (std::size_t i = 0; i < described.size(); ++i)
    check_number(parameters, described[i].name.c_str(), plan.parameters[i]);
}

void check_end(hid_t run, const RunPlan& plan, std::uint64_t steps, bool is_ended_by_event) {
  const RunResult::Status status = read_status(run);
  check_count(run, "steps_requested", plan.steps, "the study");
  if (status != RunResult::Status::interrupted) check_count(run, "steps", steps, "the state");
  if (status == RunResult::Status::ok && !is_ended_by_event && steps != plan.steps)
    contradict("the number of steps", std::to_string(steps), "the state of a run that ended",
               std::to_string(plan.steps), "the study");
}

void check_times(hid_t run, const RunPlan& plan, std::uint64_t regular) {
  const Handle table = open_table(run, "t");
  const hsize_t rows = row_count(table);
  double before = -1.0;
  for (hsize_t first = 0; first < rows; first += rows_at_once) {
    const std::vector<double> times =
        read_row_range(table, first, std::min(rows_at_once, rows - first));
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::uint64_t row = first + i;
      const std::string place = fmt::format("record {}", row + 1);
      if (row < regular && !is_time_of(times[i], plan.record_time(row), plan.step)) {
        contradict("t", text_of(times[i]), place, to_string(plan.record_time(row)),
                   records_text(plan));
      }
      if (!(times[i] > before))
        contradict("t", text_of(times[i]), place, to_string(before), "the one before");
      before = times[i];
    }
  }
}

void check_state(hid_t run, const RunPlan& plan, const RunResult& result, bool is_old) {
  const double round_off = is_old ? old_round_off : 0.0;
  const std::uint64_t regular = plan.regular_records(result.steps);
  const hsize_t rows = row_count(open_table(run, "t"));
  // An event that has ended the run is at no node.
  const bool is_node = result.ended_by.empty();
  if (is_node) check_time_of_steps(result.point.t, plan, result.steps);
  check_last_time(plan, result);
  const Compared state{"the state", motion_of(result.point)},
      final{"the last values", motion_of(result.final)},
      begin{"the first values", motion_of(result.initial)},
      last{"the last record", motion_in_row(run, plan, rows - 1)};
  check_same(plan, begin, {"the first record", motion_in_row(run, plan, 0)}, round_off);
  if (result.final.t == result.point.t) check_same(plan, state, final, round_off);
  // Behind the last node: the end of the run, and records on the way to it.
  RecordTimes times = plan.record_times;
  const std::uint64_t on_the_way =
      times.are_given() && result.final.t > result.point.t
          ? times.after_node(result.steps, plan.step, result.final.t).size()
          : 0;
  if (!is_old && rows > regular + on_the_way + 1)
    contradict("the number of records", std::to_string(rows), "the file", std::to_string(regular),
               fmt::format("{} {}", result.steps, records_text(plan)));
  if (const auto record = record_of(plan, result.steps); record && is_node)
    check_same(plan, state, {"its record", motion_in_row(run, plan, *record)}, round_off);
  if (!is_old && rows > regular) check_same(plan, final, last, round_off);
  if (rows == regular && result.final.t == last.motion[0]) check_same(plan, final, last, round_off);
}

}  // namespace dalembert::study
