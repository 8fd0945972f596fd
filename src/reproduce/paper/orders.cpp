#include "orders.hpp"

#include <limits>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// A slope that four halvings show of an order; the next term of the expansion is still seen.
constexpr double tolerance = 0.15;

}  // namespace

StudyOrders::StudyOrders(const std::string& study, const Options& options) {
  const Study file = read_study_file(find_study(study), options.settings);
  title_ = file.title;
  std::vector<RunPlan> plans = plan_runs(file);
  double coarsest = 0.0;
  for (const RunPlan& plan : plans) coarsest = numeric::larger(coarsest, plan.step);
  std::erase_if(plans, [&](const RunPlan& plan) { return plan.step < coarsest; });
  const OrderOptions how{.runs = options.runs,
                         .until = file.until,
                         .extended = options.extended,
                         .recomputed_multiplier = options.recomputed_multiplier};
  std::vector<std::vector<OrderRow>> rows(plans.size());
  parallel_for(options.threads, plans.size(),
               [&](std::size_t i, std::size_t) { rows[i] = measure_orders({plans[i]}, how); });
  for (std::vector<OrderRow>& row : rows) rows_.push_back(std::move(row.front()));
}

const OrderRow& StudyOrders::row(const std::string& method) const {
  const OrderRow* found = nullptr;
  for (const OrderRow& row : rows_) {
    if (row.plan.method.label != method) continue;
    if (found != nullptr)
      throw RequestError("\"" + title_ + "\" has several runs of method \"" + method +
                         "\"; choose one start and one set of parameters");
    found = &row;
  }
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const OrderRow& row : rows_) known.push_back(row.plan.method.label);
  throw RequestError("\"" + title_ + "\" has no method \"" + method + "\"" +
                     suggestion(method, known));
}

Evidence StudyOrders::measured(const std::string& method, const std::string& quantity, double order,
                               EvidenceRole role) const {
  const OrderRow& of = row(method);
  const OrderSeries& series = quantity == "q" ? of.q : quantity == "v" ? of.v : of.lambda;
  const bool is_recomputed = quantity == "lambda" && of.recomputed_multiplier;
  return {"order of " + std::string(is_recomputed ? "the recomputed lambda" : quantity) + ", " +
              method + ", " + of.plan.system.name(),
          series.measured ? series.slope : std::numeric_limits<double>::quiet_NaN(),
          series.measured ? series.uncertainty : 0.0,
          order - tolerance,
          order + tolerance,
          role};
}

}  // namespace dalembert::reproduce
