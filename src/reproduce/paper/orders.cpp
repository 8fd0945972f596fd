#include "orders.hpp"

#include <limits>
#include <stdexcept>

#include "dalembert/document/library.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// A slope that four halvings show of an order; the next term of the expansion is still seen.
constexpr double tolerance = 0.15;

Evidence order_evidence(const char* quantity, const OrderRow& row, const OrderSeries& series,
                        int order, EvidenceRole role) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {std::string("order of ") + quantity + ", " + row.plan.method.label + ", " +
              row.plan.system.name(),
          series.measured ? series.slope : nan,
          series.measured ? series.uncertainty : 0.0,
          order - tolerance,
          order + tolerance,
          role};
}

}  // namespace

StudyOrders::StudyOrders(const std::string& study, int runs, bool extended) {
  const Study file = read_study_file(find_study(study));
  title_ = file.title;
  rows_ =
      measure_orders(plan_runs(file), {.runs = runs, .until = file.until, .extended = extended});
}

const OrderRow& StudyOrders::row(const std::string& method) const {
  for (const OrderRow& row : rows_) {
    if (row.plan.method.label == method) return row;
  }
  throw std::logic_error("no orders of \"" + method + "\" in " + title_);
}

void StudyOrders::add(std::vector<Evidence>& evidence, const std::string& method, int order,
                      EvidenceRole role) const {
  const OrderRow& measured = row(method);
  evidence.push_back(order_evidence("q", measured, measured.q, order, role));
  evidence.push_back(order_evidence("v", measured, measured.v, order, role));
}

void StudyOrders::add_multiplier(std::vector<Evidence>& evidence, const std::string& method,
                                 int order, EvidenceRole role) const {
  const OrderRow& measured = row(method);
  evidence.push_back(order_evidence("lambda", measured, measured.lambda, order, role));
}

}  // namespace dalembert::reproduce
