#include "row_writer.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {

RowWriter::RowWriter(const RunPlan& plan)
    : columns_(plan.columns),
      constraint_count_(plan.system.constraint_count() + plan.system.holonomic_count()),
      quantities_begin_(plan.columns.contacts_begin() - plan.quantities.size()) {
  const System& system = plan.system;
  const Symbols s = system.symbols();
  function_ = StateFunction<double>(system, s, watched_quantities(system, s), plan.parameters);
  for (const QuantityChoice& choice : plan.quantities)
    quantities_.push_back(
        make_quantity(choice, system, plan.parameters, plan.method.spec, plan.step));
}

void RowWriter::monitor(const Point& point, std::span<double> values) {
  const std::span<const double> found = function_(point.t, point.q, point.v);
  values[0] = found[0];
  values[1] = 0.0;
  for (std::size_t i = 1; i <= constraint_count_; ++i) {
    const double size = std::fabs(found[i]);
    values[1] = numeric::larger(values[1], size);
  }
  std::ranges::copy(found.subspan(1 + constraint_count_), values.begin() + 2);
}

void RowWriter::fill(const Sample& sample, std::span<double> row, bool recorded) {
  row[0] = sample.t;
  auto next = std::copy(sample.q.begin(), sample.q.end(), row.begin() + 1);
  next = std::copy(sample.v.begin(), sample.v.end(), next);
  std::copy(sample.lambda.begin(), sample.lambda.end(), next);
  monitor(*sample.point, row.subspan(columns_.energy()));
  double* value = row.data() + quantities_begin_;
  for (const Quantity& quantity : quantities_) *value++ = quantity(sample, recorded);
}

}  // namespace dalembert::study
