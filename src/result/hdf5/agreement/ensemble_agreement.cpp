#include "ensemble_agreement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "dalembert/measure/ensemble_statistics.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/table.hpp"
#include "result/hdf5/ensemble_groups.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

bool are_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Of a record of a quantity, what the file says, and what follows from something else in it. A
/// part that has passed its values on has no quantiles.
void check_statistics(const QuantityStatistics& quantity, std::size_t record,
                      const SampleStatistics& expected, const std::string& other) {
  const auto found = column_values(quantity.records[record]), wanted = column_values(expected);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_quantile = i > 4 && i < 10;  // see ensemble_columns
    const bool is_left_out = is_quantile && std::isnan(found[i]);
    if (is_left_out || are_same(found[i], wanted[i])) continue;
    contradict(fmt::format("the {} of \"{}\" at record {}", ensemble_columns[i], quantity.name,
                           record + 1),
               fmt::format("{}", found[i]), "the statistics", fmt::format("{}", wanted[i]), other);
  }
}

/// Values of the members with a start at the places of all members; nan for the others.
std::vector<double> by_member(const EnsemblePlan& plan, std::span<const double> values) {
  std::vector<double> all(plan.starts->size(), no_number);
  std::size_t next = 0;
  plan.starts->for_each([&](std::size_t member, auto, auto) { all[member] = values[next++]; });
  return all;
}

/// The statistics of values of all members, by the blocks of their numbers.
SampleStatistics statistics_over(const EnsemblePlan& plan, std::span<const double> values) {
  MomentTree tree(plan.part ? plan.part->first_block() : 0);
  tree.add_values(values);
  SampleStatistics statistics = statistics_of(tree.total());
  add_quantiles(statistics, values);
  return statistics;
}

void check_alive(const EnsemblePlan& plan, const EnsembleResult& result) {
  std::uint64_t before = members_with_start(plan);
  for (std::size_t i = 0; i < result.alive.size(); ++i) {
    if (result.alive[i] > before)
      contradict("the number of members", std::to_string(result.alive[i]),
                 fmt::format("record {}", i + 1), std::to_string(before),
                 i == 0 ? "the study" : "the record before");
    before = result.alive[i];
    for (const QuantityStatistics& quantity : result.quantities) {
      if (quantity.records[i].count > result.alive[i])
        contradict(fmt::format("the count of \"{}\" at record {}", quantity.name, i + 1),
                   std::to_string(quantity.records[i].count), "the statistics",
                   std::to_string(result.alive[i]), "the number of members");
    }
  }
}

void check_part(const EnsemblePlan& plan, const EnsembleResult& result) {
  if (!plan.part) return;
  for (const QuantityStatistics& quantity : result.quantities) {
    for (std::size_t i = 0; i < quantity.moments.size(); ++i) {
      std::vector<MomentTree::Node> nodes = plan.part->nodes();
      MomentTree tree(plan.part->first_block());
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        nodes[k].moments = quantity.moments[i][k];
        tree.add(nodes[k]);
      }
      SampleStatistics of_moments = statistics_of(tree.total());
      of_moments.quantiles = quantity.records[i].quantiles;
      check_statistics(quantity, i, of_moments, "the moments");
      if (i < quantity.values.size())
        check_statistics(quantity, i, statistics_over(plan, quantity.values[i]), "the values");
    }
  }
}

void check_growth(const EnsemblePlan& plan, const EnsembleResult& result) {
  for (std::size_t i = 0; i < result.growth_t.size(); ++i) {
    const auto at = std::ranges::lower_bound(result.t, result.growth_t[i]);
    if (at == result.t.end() || *at != result.growth_t[i])
      contradict("t", fmt::format("{}", result.growth_t[i]), "\"growth/t\"", "none of them",
                 "the records");
    const std::vector<double> all = by_member(plan, result.growth_errors[i]);
    check_statistics(result.quantities.front(), static_cast<std::size_t>(at - result.t.begin()),
                     statistics_over(plan, all), "\"growth/energy_error\"");
  }
}

/// Quantities of the members at their states: energy, largest error of constraints, integrals, a
/// list each; nan for those that are not `counted`.
std::vector<std::vector<double>> measured(const EnsemblePlan& plan, const MemberPoints& points,
                                          const std::vector<bool>& counted) {
  const std::size_t integrals = plan.run.system.mechanics().integrals.size();
  std::vector<std::vector<double>> found(2 + integrals,
                                         std::vector<double>(points.size(), no_number));
  Evaluator evaluator(plan.run.system, plan.run.parameters);
  std::vector<double> values(integrals);
  Point point = empty_point(*plan.run.program);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!counted[i]) continue;
    points.get(i, point);
    found[0][i] = evaluator.energy(point.t, point.q, point.v);
    found[1][i] = evaluator.constraint_error(point.t, point.q, point.v);
    evaluator.integrals(point.t, point.q, point.v, values);
    for (std::size_t j = 0; j < integrals; ++j) found[2 + j][i] = values[j];
  }
  return found;
}

/// The record of the state, if it is one: its statistics follow from the states of the members.
void check_record_of_state(const EnsemblePlan& plan, const EnsembleResult& result) {
  if (!plan.run.records_node(result.steps)) return;
  const std::uint64_t record = plan.run.regular_records(result.steps) - 1;
  if (record >= result.t.size()) return;
  const MemberPoints& points = result.state.points;
  std::vector<bool> all(points.size(), true), alive = all;
  for (const MemberFailure& failure : result.state.failures) alive[failure.member] = false;
  const auto now = measured(plan, points, alive), first = measured(plan, start_points(plan), all);
  const auto count = static_cast<std::uint64_t>(
      std::ranges::count_if(now[0], [](double energy) { return !std::isnan(energy); }));
  if (result.alive[record] != count)
    contradict("the number of members", std::to_string(result.alive[record]),
               fmt::format("record {}", record + 1), std::to_string(count), "its state");
  const auto check = [&](std::size_t quantity, std::span<const double> values) {
    check_statistics(result.quantities[quantity], record,
                     statistics_over(plan, by_member(plan, values)), "the states of its members");
  };
  std::vector<double> errors(points.size());
  for (std::size_t j = 0; j < now.size(); ++j) {
    for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = now[j][i] - first[j][i];
    if (j == 0) {
      check(0, errors);
      for (std::size_t i = 0; i < errors.size(); ++i)
        errors[i] = std::fabs(errors[i]) / std::fabs(first[0][i]);
      check(1, errors);
    } else if (j == 1) {
      check(2, now[1]);
    } else {
      check(j + 1, errors);
    }
  }
}

/// A table of the members, and what it follows from; members without a start have nan.
void check_table(hid_t members, const std::string& name, const MemberStates& states,
                 MemberStates::Part part, std::size_t width, const std::string& other) {
  if (width == 0) return;
  const std::vector<double> rows = read_rows(members, name, width, states.size());
  for (std::size_t member = 0; member < states.size(); ++member) {
    const std::span<const double> wanted = (states.*part)(member);
    for (std::size_t i = 0; i < width; ++i) {
      const double found = rows[member * width + i],
                   expected = wanted.empty() ? no_number : wanted[i];
      if (are_same(found, expected)) continue;
      contradict(fmt::format("entry {} of member {}", i + 1, member + 1), fmt::format("{}", found),
                 "\"members/" + name + "\"", fmt::format("{}", expected), other);
    }
  }
}

/// Checks the group of members of an ensemble that has ended.
void check_members(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result) {
  if (result.status == RunResult::Status::interrupted || !exists(run, "members/q_final")) return;
  const Handle members = open_group(run, "members");
  const std::size_t q = plan.run.columns.q_count, v = plan.run.columns.velocity_count;
  const MemberStates initial = initial_states(plan);
  check_table(members, "q_initial", initial, &MemberStates::q, q, "the starts of the study");
  check_table(members, "v_initial", initial, &MemberStates::v, v, "the starts of the study");
  const std::vector<double> t = read_values(members, "t_final", plan.starts->size()),
                            failed = read_values(members, "failed_in_step", plan.starts->size());
  std::vector<double> steps(plan.starts->size(), -1.0);
  plan.starts->for_each([&](std::size_t member, auto, auto) { steps[member] = 0.0; });
  std::vector<std::size_t> number;
  plan.starts->for_each([&](std::size_t member, auto, auto) { number.push_back(member); });
  std::uint64_t failures = plan.starts->size() - number.size(), ends = 0;
  for (const MemberFailure& failure : result.state.failures) {
    if (failure.ended_by) {
      ++ends;
    } else {
      ++failures;
      steps[number[failure.member]] = static_cast<double>(failure.step);
    }
  }
  if (plan.run.last_step > 0.0) return;  // a shorter step comes after the state
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!are_same(failed[i], steps[i]))
      contradict(fmt::format("the failed step of member {}", i + 1), fmt::format("{}", failed[i]),
                 "\"members/failed_in_step\"", fmt::format("{}", steps[i]), "the state");
  }
  check_count(run, "failed", failures, "the state");
  check_count(run, "ended", ends, "the state");
  const MemberStates final(plan, result.state.points);
  check_table(members, "q_final", final, &MemberStates::q, q, "the state");
  check_table(members, "v_final", final, &MemberStates::v, v, "the state");
  check_table(members, "lambda_final", final, &MemberStates::lambda, plan.run.columns.lambda_count,
              "the state");
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!are_same(t[i], final.t(i)))
      contradict(fmt::format("the time of member {}", i + 1), fmt::format("{}", t[i]),
                 "\"members/t_final\"", fmt::format("{}", final.t(i)), "the state");
  }
}

}  // namespace

void check_ensemble(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result,
                    bool has_other_end) {
  check_alive(plan, result);
  check_part(plan, result);
  check_growth(plan, result);
  check_record_of_state(plan, result);
  if (!has_other_end) check_members(run, plan, result);
}

}  // namespace dalembert::study
