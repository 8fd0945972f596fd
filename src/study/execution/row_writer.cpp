#include "row_writer.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {

RowWriter::RowWriter(const RunPlan& plan)
    : columns_(plan.columns),
      constraint_count_(plan.system.constraint_count() + plan.system.holonomic_count()),
      stated_count_(plan.stated_system().constraint_count() +
                    plan.stated_system().holonomic_count()),
      quantities_begin_(plan.columns.contacts_begin() - plan.quantities.size()) {
  const System& stated = plan.stated_system();
  const Symbols s = stated.symbols();
  function_ = StateFunction<double>(stated, s, watched_quantities(stated, s), plan.parameters);
  if (plan.redundancy) full_.emplace(plan.redundancy, plan.parameters);
  for (const QuantityChoice& choice : plan.quantities)
    quantities_.push_back(make_quantity(choice, plan.system, plan.parameters, plan.method.spec,
                                        plan.step, plan.redundancy));
}

void RowWriter::monitor(const Point& point, std::span<double> values) {
  const std::span<const double> found = function_(point.t, point.q, point.v);
  values[0] = found[0];
  values[1] = 0.0;
  for (std::size_t i = 1; i <= stated_count_; ++i) {
    const double size = std::fabs(found[i]);
    values[1] = numeric::larger(values[1], size);
  }
  std::ranges::copy(found.subspan(1 + stated_count_), values.begin() + 2);
}

void RowWriter::fill(const Sample& sample, std::span<double> row, bool recorded) {
  row[0] = sample.t;
  auto next = std::copy(sample.q.begin(), sample.q.end(), row.begin() + 1);
  next = std::copy(sample.v.begin(), sample.v.end(), next);
  if (full_) {
    (*full_)(sample.t, sample.point->q, sample.v, sample.lambda,
             row.subspan(columns_.lambda_begin(), columns_.lambda_count));
  } else {
    std::copy(sample.lambda.begin(), sample.lambda.end(), next);
  }
  monitor(*sample.point, row.subspan(columns_.energy()));
  double* value = row.data() + quantities_begin_;
  for (const Quantity& quantity : quantities_) *value++ = quantity(sample, recorded);
}

}  // namespace dalembert::study
