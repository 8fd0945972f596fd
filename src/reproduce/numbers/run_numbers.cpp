#include "run_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

enum class Statistic { largest, largest_error, final, final_error, initial, drift };
enum class DriftWord { free, slow, clear };

/// How a number is read from the records of a run.
struct Reading {
  Statistic statistic = Statistic::largest_error;
  std::string column = "energy";
  std::string method, run;  ///< labels; "" for that of the number, and for the first run
  double from = -infinite, to = infinite;
};

/// The keys of a reading; what is not given is as in `otherwise`.
Reading read_reading(TableReader& table, Reading reading) {
  reading.statistic = read_word(table.find("statistic"), reading.statistic,
                                {{"largest", Statistic::largest},
                                 {"largest-error", Statistic::largest_error},
                                 {"final", Statistic::final},
                                 {"final-error", Statistic::final_error},
                                 {"initial", Statistic::initial},
                                 {"drift", Statistic::drift}});
  reading.column = table.text("column", reading.column);
  reading.run = table.text("run", reading.run);
  reading.from = read_number(table.find("from")).value_or(reading.from);
  reading.to = read_number(table.find("to")).value_or(reading.to);
  return reading;
}

/// A number of a run, also over or against that of another.
struct RunDemand {
  Demand demand;
  std::string what;
  Reading reading = {};
  std::optional<Reading> over = {};     ///< what it is divided by, in absolute value
  std::optional<Reading> against = {};  ///< whose column is taken from its own
  DriftWord drift = DriftWord::free;
  double negligible = 0.0;
};

std::optional<Reading> read_other(const DocumentNode* node, const Reading& otherwise) {
  if (node == nullptr) return std::nullopt;
  TableReader table(*node);
  Reading reading = read_reading(table, otherwise);
  reading.method = table.text("method");
  if (reading.statistic == Statistic::drift)
    node->refuse("is a drift, which is judged by itself; give another statistic");
  table.finish();
  return reading;
}

RunDemand read_run_demand(const DocumentNode& node) {
  TableReader table(node);
  RunDemand asked{.demand = read_demand(table), .what = as_text(table.require("what"))};
  table.require("method");
  asked.reading = read_reading(table, {});
  asked.over = read_other(table.find("over"), asked.reading);
  asked.against = read_other(table.find("against"), asked.reading);
  if (asked.reading.statistic == Statistic::drift) {
    asked.demand.refuse_bounds_beside("a drift");
    if (asked.over || asked.against)
      node.refuse("judges a drift by itself; leave over and against out");
    asked.drift = read_word(
        &table.require("drift"), DriftWord::free,
        {{"free", DriftWord::free}, {"slow", DriftWord::slow}, {"clear", DriftWord::clear}});
    asked.negligible = read_number(table.find("negligible")).value_or(0.0);
  } else {
    asked.demand.require_bounds();
  }
  table.finish();
  return asked;
}

/// The records of a column within the times; its change since the start for an error.
Curve records_of(const StudyRuns& runs, std::size_t run, const Reading& reading) {
  const bool is_error = reading.statistic == Statistic::largest_error ||
                        reading.statistic == Statistic::final_error ||
                        reading.statistic == Statistic::drift;
  const Curve all = is_error ? runs.change(run, reading.column) : runs.column(run, reading.column);
  Curve within;
  for (std::size_t i = 0; i < all.t.size(); ++i) {
    if (all.t[i] <= reading.from || all.t[i] > reading.to) continue;
    within.t.push_back(all.t[i]);
    within.values.push_back(all.values[i]);
  }
  return within;
}

/// nan for a run that the numbers refused.
double value_of(const StudyRuns& runs, std::size_t run, const Reading& reading,
                const Curve& curve) {
  if (runs.results()[run].status != RunResult::Status::ok || curve.values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  switch (reading.statistic) {
    case Statistic::initial:
      return curve.values.front();
    case Statistic::final:
    case Statistic::final_error:
      return curve.values.back();
    case Statistic::largest:
    case Statistic::largest_error:
    case Statistic::drift:
      break;
  }
  return largest(curve);
}

/// The run that is meant; RequestError where its method has several and none is named.
std::size_t run_of(const StudyRuns& runs, const Reading& reading, const std::string& method) {
  const std::string& label = reading.method.empty() ? method : reading.method;
  const std::size_t run = runs.find(label, reading.run);
  const auto count = std::ranges::count(runs.plans(), label,
                                        [](const RunPlan& plan) { return plan.method.label; });
  if (reading.run.empty() && count > 1)
    throw RequestError("method \"" + label + "\" has several runs; name one with run, as run = \"" +
                       runs.plans()[run].label + "\"");
  return run;
}

/// Whether the number speaks of all times, and not of those up to one that it names.
bool is_of_all_times(const RunDemand& asked) {
  return asked.reading.statistic != Statistic::initial && std::isinf(asked.reading.to) &&
         asked.demand.role != EvidenceRole::shown;
}

Evidence measured(const RunDemand& asked, const StudyRuns& runs, const std::string& method,
                  const std::string& length = "") {
  const auto find = [&](const Reading& reading) { return run_of(runs, reading, method); };
  const std::size_t run = find(asked.reading);
  std::string what = asked.what + ", " + method + length;
  if (!asked.reading.run.empty()) what += ", " + asked.reading.run;
  Curve curve = records_of(runs, run, asked.reading);
  if (asked.reading.statistic == Statistic::drift) {
    const auto judge = asked.drift == DriftWord::free   ? free_of_drift
                       : asked.drift == DriftWord::slow ? drifts_slowly
                                                        : drifts;
    Evidence evidence = judge(what, curve, asked.demand.role, asked.negligible);
    evidence.name = asked.demand.name;
    // A run that was refused on the way says nothing of what would have come.
    if (runs.results()[run].status != RunResult::Status::ok)
      evidence.value = std::numeric_limits<double>::quiet_NaN();
    return evidence;
  }
  if (asked.against) {
    const Curve other = records_of(runs, find(*asked.against), *asked.against);
    if (other.t != curve.t) curve.values.clear();
    for (std::size_t i = 0; i < curve.values.size(); ++i) curve.values[i] -= other.values[i];
  }
  double value = value_of(runs, run, asked.reading, curve);
  if (asked.over) {
    const std::size_t below = find(*asked.over);
    value /= std::fabs(value_of(runs, below, *asked.over, records_of(runs, below, *asked.over)));
  }
  return asked.demand.evidence(what, value);
}

}  // namespace

ExperimentCode read_run_numbers(const StudyEntry& entry, const DocumentNode& numbers) {
  std::vector<RunDemand> demands;
  for (const DocumentNode& number : as_list(numbers)) demands.push_back(read_run_demand(number));
  return [=](const ReproductionEffort& effort) {
    const StudyRuns runs(entry.study, effort, entry.all_settings(effort));
    ExperimentOutcome outcome;
    if (entry.has_picture) outcome.pictures.push_back(runs.picture());
    for (const RunDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        add(outcome.findings, asked.demand.claim, measured(asked, runs, method));
    if (effort.quick || std::ranges::none_of(demands, is_of_all_times)) return outcome;
    const StudyRuns longer(entry.study, effort, entry.twice_as_long(runs.study()));
    for (const RunDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        if (is_of_all_times(asked))
          add_of_longer(outcome.findings, asked.demand.claim,
                        measured(asked, longer, method, twice_as_long_words));
    return outcome;
  };
}

}  // namespace dalembert::reproduce
