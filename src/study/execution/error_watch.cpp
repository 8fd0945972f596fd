#include "study/execution/error_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert::study {
namespace {

constexpr std::uint64_t regular_rows = 64;

std::vector<double> joined(std::span<const double> q, std::span<const double> v) {
  std::vector<double> state(q.begin(), q.end());
  state.insert(state.end(), v.begin(), v.end());
  return state;
}

}  // namespace

ErrorWatch::ErrorWatch(const RunPlan& plan) : plan_(plan) {
  if (!plan.check) return;
  every_ = std::max<std::uint64_t>(1, plan.steps / (nodes_in_group * regular_rows));
}

std::uint64_t ErrorWatch::next(std::uint64_t step) const {
  if (every_ == 0) return std::numeric_limits<std::uint64_t>::max();
  return nodes_in_group * next_compared(step / nodes_in_group, every_);
}

void ErrorWatch::see(const Sample& sample) {
  if (every_ == 0 || sample.step == 0 || sample.step > plan_.steps) return;
  const std::uint64_t group = sample.step / nodes_in_group;
  const bool is_wanted = sample.step % nodes_in_group == 0 && next(sample.step - 1) == sample.step;
  // The end of a run that an event ends has the number of a node.
  if (is_wanted && (rows_.empty() || rows_.back().group < group))
    rows_.push_back({group, sample.t, joined(sample.q, sample.v)});
}

ErrorWatch::Second ErrorWatch::beside(std::uint64_t nodes, double scale, const StateValues& last,
                                      const std::function<void(Stepper&)>& prepare,
                                      const std::atomic<bool>* cancelled) const {
  const double step = plan_.step * static_cast<double>(nodes_in_group) / static_cast<double>(nodes);
  Stepper stepper(plan_.program, step, plan_.parameters);
  if (plan_.check->tolerance > 0.0) stepper.set_tolerance(plan_.check->tolerance);
  prepare(stepper);
  Evaluator evaluator(plan_.system, plan_.parameters);
  Point point = start_point(stepper, evaluator, plan_.q, plan_.v);
  if (plan_.lambda && point.lambda.size() == plan_.lambda->size()) point.lambda = *plan_.lambda;
  std::vector<double> q;
  Second second{.found = {.asked = plan_.check->asked}};
  ErrorEstimate& found = second.found;
  const auto compare = [&](double t, const std::vector<double>& state) {
    unwrap_positions(point, q);
    found.largest =
        numeric::larger(found.largest, scale * state_difference(state, joined(q, point.v)));
    if (found.largest <= found.asked) found.kept_until = t;
  };
  std::uint64_t done = 0;
  const auto go_to = [&](std::uint64_t node) {
    // In pieces, between which it can be cancelled; not where that would save little.
    constexpr std::uint64_t piece = 4096, patience = 65536;
    while (done < node && second.status == Second::Status::complete) {
      const bool may_end = cancelled != nullptr && done >= patience;
      if (may_end && cancelled->load(std::memory_order_relaxed)) {
        second.status = Second::Status::cancelled;
        break;
      }
      const RunReport report =
          integrate(stepper, evaluator, point,
                    {.first_step = done, .steps = std::min<std::uint64_t>(piece, node - done)}, {});
      done += report.steps;
      if (report.status != RunReport::Status::ok) second.status = Second::Status::failed;
    }
    return second.status == Second::Status::complete;
  };
  for (const Row& row : rows_) {
    if (row.t > last.t) break;
    if (!go_to(row.group * nodes)) return second;
    compare(row.t, row.state);
  }
  const double left = last.t / step, whole = std::floor(left * (1.0 + 1e-12));
  if (!go_to(std::max<std::uint64_t>(done, static_cast<std::uint64_t>(whole)))) return second;
  if (last.t - point.t > 1e-12 * last.t) {
    // Data of steps of one size end at a node.
    if (plan_.program->carried_count() > 0) return second;
    const RunReport report = integrate_to(stepper, evaluator, point, last.t, done + 1, {});
    if (report.status != RunReport::Status::ok) second.status = Second::Status::failed;
  }
  if (second.status == Second::Status::complete) compare(last.t, joined(last.q, last.v));
  return second;
}

std::optional<ErrorEstimate> ErrorWatch::estimate(const StateValues& last,
                                                  const std::function<void(Stepper&)>& prepare,
                                                  const std::atomic<bool>* cancelled) const {
  if (every_ == 0 || !(last.t > 0.0)) return std::nullopt;
  const double scale = plan_.check->scale;
  Second second = beside(coarser_nodes_in_group, scale, last, prepare, cancelled);
  // The tolerance of substeps stays coarser.
  if (second.status == Second::Status::failed && plan_.check->tolerance == 0.0) {
    // (4/3)^p and (4/5)^p of the same order p.
    const double order = numeric::log(1.0 + 1.0 / scale) / numeric::log(4.0 / 3.0);
    const double finer = 1.0 / (1.0 - numeric::exp(order * numeric::log(0.8)));
    second = beside(nodes_in_group + 1, finer, last, prepare, cancelled);
  }
  if (second.status == Second::Status::cancelled) return std::nullopt;
  if (second.status == Second::Status::failed)
    second.found.largest = std::numeric_limits<double>::infinity();
  return second.found;
}

}  // namespace dalembert::study
