#include "result_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "dalembert/result/json_result.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/version.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
constexpr std::uint64_t format_version = 2;

}  // namespace

void write_version(hid_t file) {
  // The first attribute: it stands near the begin of the file, where copies are recognised by it.
  if (has_attribute(file, "dalembert")) return;
  write_attribute(file, "dalembert", version());
  write_attribute(file, "format", format_version);
}

void write_study(hid_t file, const Study& study) {
  write_version(file);
  write_attribute(file, "title", study.title);
  write_attribute(file, "study", study.text);
  write_bytes_attribute(file, "study_utf8", study.text);
}

void write_status(hid_t run, RunResult::Status status) {
  write_attribute(run, "status", std::string(status_text(status)));
}

std::string run_group_name(const RunPlan& plan) {
  return fmt::format("runs/{:04}", plan.index + 1);
}

void read_run_group(hid_t file, const RunPlan& plan, const std::function<void(hid_t run)>& read) {
  const Handle run = open_group(file, run_group_name(plan));
  try {
    read(run);
  } catch (const OutputError& error) {
    throw OutputError(run_group_name(plan) + ": " + error.what());
  }
}

void check_version(hid_t file) {
  if (has_attribute(file, "analysis"))
    throw OutputError("it holds the tables of dalembert " + read_text_attribute(file, "analysis") +
                      ", no records of runs; xarray and h5py read it");
  const std::uint64_t format =
      has_attribute(file, "format") ? read_whole_attribute(file, "format") : 1;
  const std::string made_by = read_text_attribute(file, "dalembert");
  if (format <= format_version && std::atoi(made_by.c_str()) <= DALEMBERT_VERSION_MAJOR) return;
  throw OutputError(fmt::format(
      "dalembert {} has written it, in format {}; this is version {}, which reads formats up to {}",
      made_by, format, version(), format_version));
}

bool is_of_version_0_1(hid_t file) {
  return !has_attribute(file, "format") || read_whole_attribute(file, "format") < format_version;
}

void write_run_request(hid_t run, const RunPlan& plan) {
  write_attribute(run, "problem", plan.system.name());
  write_attribute(run, "run", plan.label);
  write_attribute(run, "label", plan.method.label);
  write_attribute(run, "method", method_json_text(plan.method.spec));
  write_attribute(run, "step", plan.step);
  write_attribute(run, "steps_requested", plan.steps);
  write_attribute(run, "record_every", plan.record_every);
  const Handle parameters =
      exists(run, "parameters") ? open_group(run, "parameters") : make_group(run, "parameters");
  const auto& described = plan.system.description().parameters;
  for (std::size_t i = 0; i < described.size(); ++i)
    write_attribute(parameters, described[i].name, plan.parameters[i]);
  for (const auto& [name, value] : plan.sizes)
    write_attribute(parameters, name, static_cast<std::uint64_t>(value));
}

RunResult::Status read_status(hid_t run) {
  using Status = RunResult::Status;
  const std::string text = read_text_attribute(run, "status");
  for (const Status status : {Status::ok, Status::failed, Status::interrupted})
    if (text == status_text(status)) return status;
  throw OutputError("its status is none that a run has");
}

std::uint64_t read_record_every(hid_t run, std::optional<std::uint64_t> of_study) {
  const std::uint64_t every = read_whole_attribute(run, "record_every");
  if (every == 0) throw OutputError("its record_every is 0, which must be a positive number");
  if (of_study && every != *of_study) {
    throw OutputError(
        fmt::format("\"record_every\" is {} in the run, and {} in the study", every, *of_study));
  }
  return every;
}

namespace {

std::size_t part_size(const std::string& name, const StepProgram& program) {
  if (name == "lambda") return program.lambda_count();
  if (name == "carried") return program.carried_count();
  if (name == "history") return program.history_count();
  return name.starts_with("v") ? program.velocity_count() : program.storage_count();
}

}  // namespace

std::vector<double> read_part(hid_t group, const std::string& name, const StepProgram& program,
                              std::size_t points) {
  const std::size_t count = points * part_size(name, program);
  if (name == "history") {
    // Files of other versions know another one, or none: the next step begins without it.
    std::vector<double> known;
    if (exists(group, name)) known = read_values(group, name);
    return known.size() == count ? known : std::vector<double>(count, 0.0);
  }
  if (name != "carried" || exists(group, name)) return read_values(group, name, count);
  std::vector<double> older = read_values(group, "extra");
  return older.size() == count ? older : std::vector<double>{};
}

void make_room(Point& point, const StepProgram& program) {
  point.error_estimate.assign(program.error_count(), 0.0);
  point.dense.assign(program.dense_count(), 0.0);
}

void describe_table(hid_t table, const std::string& description,
                    const std::vector<std::string>& units) {
  write_attribute(table, "description", description);
  if (std::ranges::all_of(units, &std::string::empty)) return;
  const bool are_same = std::ranges::count(units, units.front()) == std::ssize(units);
  if (are_same) {
    write_attribute(table, "units", units.front());
  } else {
    write_attribute(table, "units", units);
  }
}

}  // namespace dalembert::study
