#include "study/page/run_entry.hpp"

#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/choice/step_choice.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::study {
namespace {

constexpr std::uint64_t most_steps = 1'000'000'000'000;

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

/// record_every in steps, or records at times of their own.
void read_records(Study& study, TableReader& table) {
  const DocumentNode *steps = table.find("record_every"), *every = table.find("every"),
                     *at = table.find("at");
  const DocumentNode* given = every != nullptr ? every : at;
  if (given != nullptr && (steps != nullptr || (every != nullptr && at != nullptr)))
    given->refuse(
        "stands beside another of record_every, every and at; one of them says when to "
        "record");
  if (steps != nullptr)
    study.record_every = static_cast<std::uint64_t>(as_whole(*steps, 1, most_steps));
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

void read_run(Study& study, const DocumentNode& node) {
  TableReader table(node);
  if (const DocumentNode* tolerance = table.find("tolerance")) {
    read_tolerance(study, *tolerance, table.find("step"));
  } else {
    read_steps(study, table.require("step"));
  }
  const DocumentNode* until = table.find("until");
  const DocumentNode* steps = table.find("steps");
  if (until != nullptr) study.until = parse_constant(*until);
  if (steps != nullptr)
    study.step_count = static_cast<std::uint64_t>(as_whole(*steps, 1, most_steps));
  read_records(study, table);
  if (const DocumentNode* end = table.find("tolerance_until"))
    study.tolerance_until = parse_constant(*end);
  if (const DocumentNode* compensated = table.find("compensated"))
    study.compensated = as_boolean(*compensated);
  if (const DocumentNode* wrap = table.find("wrap_angles")) study.wrap_angles = as_boolean(*wrap);
  if (const DocumentNode* native = table.find("native")) read_native(study, *native);
  if (const DocumentNode* strict = table.find("strict")) study.strict = as_boolean(*strict);
  if (const DocumentNode* none = table.find("no_events"); none != nullptr && as_boolean(*none))
    study.events.clear();
  table.finish();
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
