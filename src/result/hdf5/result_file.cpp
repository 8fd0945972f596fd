#include "result_file.hpp"

#include <fmt/core.h>

#include "dalembert/result/json_result.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "dalembert/version.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
constexpr std::uint64_t format_version = 1;

}  // namespace

ResultFile::ResultFile(const std::filesystem::path& path, const Study& study, bool create)
    : path_(path), file_(open_file(path, create, true)) {
  write([&](hid_t file) {
    write_attribute(file, "dalembert", version());
    write_attribute(file, "format", format_version);
    write_attribute(file, "title", study.title);
    write_attribute(file, "study", study.text);
    if (create) const Handle runs = make_group(file, "runs");
  });
}

std::string run_group_name(const RunPlan& plan) {
  return fmt::format("runs/{:04}", plan.index + 1);
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

std::vector<double> read_part(hid_t group, const std::string& name, const StepProgram& program,
                              std::size_t points) {
  if (name != "carried" || hdf5::exists(group, name)) return hdf5::read_values(group, name);
  const std::vector<double> older = hdf5::read_values(group, "extra");
  return older.size() == points * program.carried_count() ? older : std::vector<double>{};
}

void make_room(Point& point, const StepProgram& program) {
  point.error_estimate.assign(program.error_count(), 0.0);
  point.dense.assign(program.dense_count(), 0.0);
}

void describe_table(hid_t table, const std::string& description) {
  write_attribute(table, "description", description);
  write_attribute(table, "units", std::string("nondimensional"));
}

}  // namespace dalembert::study
