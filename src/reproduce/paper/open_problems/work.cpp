// Error against cost for all methods on the transmission, those without drift beside those with.
#include "work.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "dalembert/audit/rates/window_rate.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "tape_cost.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double drift_step = 0.1;
/// The second where the first does not decide.
constexpr std::array windows{1000.0, 20000.0};
constexpr double target = 1e-6;  // of the largest error of q

/// One method: errors, costs and drift.
struct WorkRow {
  OrderRow order;
  std::vector<double> costs = {};  ///< operations per unit of time, by step
  WindowRate rate = {};

  const std::string& label() const { return order.plan.method.label; }
  bool drifts() const { return is_sure(rate) || !is_steady(); }
  /// Drivers that feel the passengers take energy back and forth.
  bool is_steady() const { return rate.error < numeric::larger(1e-7, 0.05 * std::fabs(rate.rate)); }
  /// Beyond its error, and beyond what round-off may do.
  static bool is_sure(const WindowRate& rate) {
    return std::fabs(rate.rate) > numeric::larger(3.0 * rate.error, 1e-13);
  }
  /// Operations per unit of time for that error, on the straight lines between the steps;
  /// infinite where no step has less.
  double cost_of(double error) const;
};

double WorkRow::cost_of(double error) const {
  const std::vector<double>& errors = order.q.errors;
  for (std::size_t k = 1; k < errors.size(); ++k) {
    if (!(errors[k] <= error && error <= errors[k - 1])) continue;
    const double share = std::log(errors[k - 1] / error) / std::log(errors[k - 1] / errors[k]);
    return costs[k - 1] * std::pow(costs[k] / costs[k - 1], share);
  }
  return INFINITY;
}

WindowRate passenger_rate(const RunPlan& plan) {
  const auto energy = [](const Symbols& s) {
    const Expr squares = s.q[0] * s.q[0] + s.q[1] * s.q[1];
    const Expr kinetic = s.v[0] * s.v[0] + s.v[1] * s.v[1];
    return (kinetic + squares) / 2.0;
  };
  WindowRate rate;
  for (const double window : windows) {
    rate = window_rate(plan.system, plan.program->method(), {.q = plan.q, .v = plan.v}, drift_step,
                       energy, window, RateScale::logarithm, plan.parameters);
    if (WorkRow::is_sure(rate)) break;
  }
  return rate;
}

WorkRow measured_row(const RunPlan& plan, double until, int runs) {
  WorkRow row{measure_orders({plan}, {.runs = runs, .until = until, .extended = false}).front()};
  for (const double step : row.order.steps)
    row.costs.push_back(step_cost(plan, step, until) / step);
  row.rate = passenger_rate(plan);
  return row;
}

std::vector<WorkRow> measured_work(const ReproductionEffort& effort) {
  const Study file = read_study_file(find_study("open-problems/work"));
  const std::vector<RunPlan> plans = plan_runs(file);
  std::vector<std::optional<WorkRow>> found(plans.size());
  parallel_for(effort.threads, plans.size(), [&](std::size_t i, std::size_t) {
    found[i] = measured_row(plans[i], file.until.value(), effort.quick ? 5 : 7);
  });
  std::vector<WorkRow> rows;
  for (std::optional<WorkRow>& row : found) rows.push_back(std::move(row.value()));
  return rows;
}

std::string drift_text(const WorkRow& row) {
  if (!row.is_steady()) return "not steady";
  return row.drifts() ? fmt::format("{:.1e}", row.rate.rate) : "none";
}

Picture work_picture(const std::vector<WorkRow>& rows) {
  Picture picture{"Error against cost: transmission, rotating driver, epsilon = 0.5, T = 20"};
  const double unit = rows.front().costs.front();
  double least = INFINITY, most = 0.0;
  for (const WorkRow& row : rows) {
    least = numeric::smaller(least, row.costs.front() / unit);
    most = numeric::larger(most, row.costs.back() / unit);
  }
  for (const bool drifts : {false, true}) {
    PicturePanel panel{.title = drifts ? "with drift (its rate in the legend)" : "without drift",
                       .column = drifts ? 1U : 0U};
    panel.x = {"operations per unit of time, dla with h = 0.2: 1", true,
               std::pair(least / 1.3, most * 1.3)};
    panel.y = {"largest error of q", true, std::pair(1e-13, 10.0)};
    for (const WorkRow& row : rows) {
      if (row.drifts() != drifts) continue;
      const std::string label = row.label() + (drifts ? " (" + drift_text(row) + ")" : "");
      Curve curve;
      for (std::size_t k = 0; k < row.costs.size(); ++k) {
        curve.t.push_back(row.costs[k] / unit);
        curve.values.push_back(row.order.q.errors[k]);
      }
      panel.curves.push_back({picture.entry(label), std::move(curve), CurveStyle::marked});
    }
    picture.panels.push_back(std::move(panel));
  }
  picture.notes.emplace_back(
      "steps 0.2, 0.1, ..., each half of the one before; in brackets d log E/dt of the passenger "
      "energy at h = 0.1");
  return picture;
}

ResultTable work_table(const std::vector<WorkRow>& rows) {
  ResultTable table{
      "Cost of a step of h = 0.1 in operations, drift d log E/dt of the passenger energy there "
      "with its error, and operations per unit of time for an error of q, over those of the "
      "least"};
  table.head = {"method", "operations", "drift", "error of drift", "1e-3", "1e-6", "1e-9"};
  const std::array targets{1e-3, 1e-6, 1e-9};
  std::array<double, 3> least{INFINITY, INFINITY, INFINITY};
  for (const WorkRow& row : rows) {
    for (std::size_t k = 0; k < 3; ++k)
      least[k] = numeric::smaller(least[k], row.cost_of(targets[k]));
  }
  for (const WorkRow& row : rows) {
    table.rows.push_back({row.label(), fmt::format("{:.0f}", row.costs[1] * row.order.steps[1]),
                          drift_text(row), fmt::format("{:.0e}", row.rate.error)});
    for (std::size_t k = 0; k < 3; ++k) {
      const double cost = row.cost_of(targets[k]) / least[k];
      table.rows.back().push_back(std::isfinite(cost) ? fmt::format("{:.2g}", cost) : "-");
    }
  }
  return table;
}

/// The least cost of the target error among methods without drift, ours or others.
double least_cost(const std::vector<WorkRow>& rows, bool ours) {
  double least = INFINITY;
  for (const WorkRow& row : rows) {
    const bool is_ours = row.label().find("splitting") != std::string::npos;
    if (!row.drifts() && is_ours == ours) least = numeric::smaller(least, row.cost_of(target));
  }
  return least;
}

std::vector<Evidence> work_evidence(const std::vector<WorkRow>& rows) {
  std::vector<Evidence> evidence;
  evidence.push_back(
      named("ratio", {"operations for an error of 1e-6, cheapest method without drift that is no "
                      "splitting over the cheapest splitting",
                      least_cost(rows, false) / least_cost(rows, true), 0.0, 2.0}));
  for (const WorkRow& row : rows) {
    if (row.label().find("driver-splitting") == std::string::npos) continue;
    evidence.push_back({"|d log E/dt| of the passenger energy, " + row.label(),
                        std::fabs(row.rate.rate), row.rate.error, -INFINITY, 1e-13});
  }
  return evidence;
}

}  // namespace

ExperimentOutcome open_problems_work(const ReproductionEffort& effort) {
  const std::vector<WorkRow> rows = measured_work(effort);
  return {{work_picture(rows)}, {{"open-3.4", work_evidence(rows)}}, {work_table(rows)}};
}

}  // namespace dalembert::reproduce
