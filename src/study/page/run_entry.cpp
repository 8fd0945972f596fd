#include "study/page/run_entry.hpp"

#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/choice/step_choice.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::study {
namespace {

constexpr std::uint64_t most_steps = 1'000'000'000'000;
constexpr const char* constant = "a number or an expression";

const Page<Study>& run_keys() {
  static const Page<Study> page{
      "run",
      "Steps of runs, their end and their records",
      {{"step", "The step size, as pi/10; several in a list, each of a run",
        "a number or an expression, or several"},
       {"tolerance",
        "In the place of a step: the error of q and v that the run is to keep, as 1e-8; without a "
        "method it chooses that, too",
        constant},
       {"until", &Study::until,
        "The final time; the last step is shorter where it is no multiple of the step"},
       {"steps", &Study::step_count, "In the place of until: the number of steps", 1, most_steps,
        ""},
       {"record_every", &Study::record_every,
        "Steps between records (default: so that there are at most 10000, of an ensemble 1000, "
        "of a large one fewer)",
        1, most_steps, ""},
       {"every",
        "In the place of record_every: time between records, as 0.02, whatever the step is",
        constant},
       {"at", "In the place of record_every: times of records, as 0.5,1,\"pi/2\"",
        "numbers or expressions", std::vector<std::string>()},
       {"tolerance_until", &Study::tolerance_until,
        "The final time for which tolerance chooses the step, if it is another; resume writes it"},
       {"compensated", &Study::compensated,
        "Round-off of a step carried over to the next, for runs of a million steps and more"},
       {"wrap_angles", &Study::wrap_angles,
        "A count of turns beside angles within [-pi, pi], whose round-off does not grow then"},
       {"native",
        "Use of the system's C compiler for faster steps: auto, where runs are long, unless "
        "DALEMBERT_NATIVE says otherwise; off; require. No choice changes a bit of the results",
        "",
        "auto",
        {"auto", "off", "require"}},
       {"strict", &Study::strict,
        "Failure (exit code 3), in the place of a warning, of a run that comes out of all scale or "
        "breaks its tolerance, and an end of the run where its contact ends"},
       {"no_events",
        "The events of the problem and of the study are left out",
        "",
        "no",
        {"no", "yes"}}}};
  return page;
}

void read_steps(Study& study, const DocumentNode& steps) {
  for (const DocumentNode& step : as_values(steps)) {
    study.steps.push_back(parse_constant(step));
    if (!(study.steps.back() > 0.0))
      step.refuse("is " + to_string(study.steps.back()) + "; a step size must be > 0");
  }
  if (study.steps.empty()) steps.refuse("is an empty list; it needs at least one step size");
}

void read_tolerance(Study& study, const DocumentNode& node, const DocumentNode* step) {
  if (step != nullptr) step->refuse("stands beside tolerance, which chooses the step; give one");
  if (study.ensemble)
    node.refuse("chooses the step of single runs; an ensemble needs the key step");
  const double tolerance = parse_constant(node);
  if (!(tolerance >= least_tolerance && tolerance <= largest_tolerance))
    node.refuse("is " + to_string(tolerance) + "; it must lie between " +
                to_string(least_tolerance) + " and " + to_string(largest_tolerance));
  study.tolerance = tolerance;
}

/// Records at times of their own, in the place of record_every.
void read_records(Study& study, TableReader& table) {
  const DocumentNode *steps = table.find("record_every"), *every = table.find("every"),
                     *at = table.find("at");
  const DocumentNode* given = every != nullptr ? every : at;
  if (given != nullptr && (steps != nullptr || (every != nullptr && at != nullptr)))
    given->refuse(
        "stands beside another of record_every, every and at; one of them says when to "
        "record");
  if (given == nullptr) return;
  try {
    std::vector<double> times;
    for (const DocumentNode& time : as_values(*given)) times.push_back(parse_constant(time));
    if (every != nullptr && times.size() != 1) every->refuse("must be one number, a time");
    study.record_times =
        every != nullptr ? RecordTimes::every_time(times.front()) : RecordTimes::at(times);
  } catch (const RequestError& error) {
    throw error.at(given->place.text());
  }
}

void read_native(Study& study, const DocumentNode& node) {
  try {
    study.native = native_use_of(as_text(node));
  } catch (const RequestError& error) {
    throw error.at(node.place.text());
  }
}

}  // namespace

const PageInfo& run_page() {
  static const PageInfo page = run_keys().info();
  return page;
}

void read_run(Study& study, const DocumentNode& node) {
  TableReader table(node);
  if (const DocumentNode* tolerance = table.find("tolerance")) {
    read_tolerance(study, *tolerance, table.find("step"));
  } else {
    read_steps(study, table.require("step"));
  }
  run_keys().read(table, study);
  read_records(study, table);
  if (const DocumentNode* native = table.find("native")) read_native(study, *native);
  if (const DocumentNode* none = table.find("no_events"); none != nullptr && as_boolean(*none))
    study.events.clear();
  table.finish();
  const DocumentNode *until = table.find("until"), *steps = table.find("steps");
  if ((until != nullptr) == (steps != nullptr))
    node.refuse("needs either until (a time) or steps (a number of steps)");
  if (steps != nullptr && study.tolerance)
    steps->refuse("stands beside tolerance, which chooses the step; say until when with until");
  if (until == nullptr) return;
  if (!(*study.until > 0.0))
    until->refuse("is " + to_string(*study.until) + "; the final time must be > 0");
  for (const double h : study.steps) {
    if (!(*study.until / h <= static_cast<double>(most_steps))) {
      until->refuse("asks for " + to_string(*study.until / h) + " steps of " + to_string(h) +
                    "; at most 1e12 are allowed");
    }
    // What differs by round-off is one step.
    if (*study.until < (1.0 - 1e-12) * h)
      until->refuse("is " + to_string(*study.until) + ", less than a step of " + to_string(h));
  }
}

}  // namespace dalembert::study
