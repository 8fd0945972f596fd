#include "rows_at_times.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <utility>
#include <vector>

#include "app/terminal/progress.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/result/csv_result.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/execution/recorded_motion.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::app {

using namespace study;

namespace {

constexpr double most_values = 1e8;  // in memory at the same time, as 0.8 GB

/// The numbers of an option, as "0.5,1,\"pi/2\"".
std::vector<double> numbers_of(const std::string& option, const std::string& text) {
  DocumentNode document = parse_document("", "command line");
  try {
    apply_setting(document, "times=[" + text + "]");
    std::vector<double> numbers;
    for (const DocumentNode& number : as_values(*document.find("times")))
      numbers.push_back(parse_constant(number));
    return numbers;
  } catch (const RequestError&) {
    throw RequestError(option + " " + text +
                       " is no list of times between commas, as 12.34,20 or \"pi/2\",5");
  }
}

/// The multiples of a time up to the end of a motion.
std::vector<double> multiples(const std::string& text, const RecordedMotion& motion) {
  const std::vector<double> spacing = numbers_of("--every", text);
  if (spacing.size() != 1 || !(spacing.front() > 0.0))
    throw RequestError("--every " + text + " is no time between rows; give a positive number");
  const RunPlan& plan = motion.plan();
  const double count = motion.end() / spacing.front();
  if (!(count * static_cast<double>(plan.columns.width()) < most_values)) {
    throw RequestError(
        fmt::format("--every {} asks for {} rows up to t = {}; at most {} are written", text,
                    to_string(count), to_string(motion.end()),
                    to_string(most_values / static_cast<double>(plan.columns.width()))));
  }
  const RecordTimes times = RecordTimes::every_time(spacing.front());
  std::vector<double> found;
  for (double t = 0.0; t <= motion.end() + 1e-9 * plan.step;
       t = times.time(found.size(), plan.step))
    found.push_back(t);
  return found;
}

void check_request(const Study& study, const std::string& file, const StoredRequest& request) {
  const StudyArguments& outputs = request.outputs;
  if (study.ensemble) {
    throw RequestError(file + " holds an ensemble, whose statistics are recorded and not its " +
                       "motions; --at and --every are for single runs");
  }
  if (outputs.csv.empty() || !outputs.json.empty() || !outputs.plot.empty()) {
    throw RequestError(
        "--at and --every say at which times rows are written; give --csv DIR "
        "beside them, and no --json or --plot");
  }
}

std::vector<double> rows_of(RecordedMotion motion, const TimesRequest& request) {
  return motion.rows_at(request.every.empty() ? numbers_of("--at", request.at)
                                              : multiples(request.every, motion));
}

}  // namespace

void add_times(CLI::App& command, TimesRequest& request) {
  CLI::Option* at =
      command.add_option("--at", request.at,
                         "With --csv: rows at these times instead of those recorded, as "
                         "0.5,1,\"pi/2\", by steps of the run's method");
  command.add_option("--every", request.every, "The same every so much time, as 0.02")
      ->excludes(at);
}

void write_rows_at_times(const Study& study, const std::string& file, const StoredRequest& outputs,
                         const TimesRequest& times) {
  check_request(study, file, outputs);
  std::vector<RunPlan> plans = plan_fitting_with_progress(study).plans;
  std::vector<RunResult> results =
      read_hdf5_results(file, plans, {.record_every = study.record_every});
  {
    const WaitingLine line("stepping from the records of " + file);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      std::vector<double>& records = results[i].records;
      if (!records.empty()) records = rows_of(RecordedMotion(plans[i], std::move(records)), times);
    }
  }
  CsvSink csv(outputs.outputs.csv, plans);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    csv.append(plans[i], results[i].records, results[i]);
    csv.finish(plans[i], results[i]);
  }
}

}  // namespace dalembert::app
