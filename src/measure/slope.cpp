#include "dalembert/measure/slope.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_points = 4;
// A slope differs from the order by terms of size h times a factor that grows with the order.
double slack(int promised) { return 0.1 + 0.025 * promised; }

}  // namespace

OrderSeries fit_order(std::vector<double> errors, double floor) {
  OrderSeries series;
  series.errors = std::move(errors);
  series.used.assign(series.errors.size(), false);
  // A step whose error has no value says nothing of the order, however good the others are.
  if (std::any_of(series.errors.begin(), series.errors.end(),
                  [](double e) { return std::isnan(e); }))
    return series;
  // Only an unbroken run of points above the floor counts: what comes after the plateau is noise.
  std::size_t end = 0;
  while (end < series.errors.size() && series.errors[end] > floor &&
         std::isfinite(series.errors[end]))
    ++end;
  const std::size_t begin = end > most_points ? end - most_points : 0;
  if (end - begin < 3) return series;
  std::vector<double> halvings, digits;
  for (std::size_t i = begin; i < end; ++i) {
    series.used[i] = true;
    halvings.push_back(static_cast<double>(i));
    digits.push_back(-std::log2(series.errors[i]));
  }
  const LineFit line = fit_line(halvings, digits);
  series.slope = line.slope;
  const double last_pair = std::log2(series.errors[end - 2] / series.errors[end - 1]);
  series.uncertainty = numeric::larger(line.slope_error, std::fabs(last_pair - series.slope));
  series.measured = true;
  return series;
}

OrderVerdict judge_order(const OrderSeries& series, int promised) {
  // A fit that is uncertain by half an order says nothing: the error crosses zero, or round-off is
  // near.
  if (!series.measured || series.uncertainty > 0.5) return OrderVerdict::not_measured;
  const double margin = numeric::larger(slack(promised), 2.0 * series.uncertainty);
  if (series.slope < promised - margin) return OrderVerdict::broken;
  return series.slope > promised + margin + 0.35 ? OrderVerdict::higher : OrderVerdict::holds;
}

std::string verdict_text(OrderVerdict verdict) {
  switch (verdict) {
    case OrderVerdict::holds:
      return "holds";
    case OrderVerdict::higher:
      return "holds (higher here)";
    case OrderVerdict::broken:
      return "BROKEN";
    default:
      return "not measured";
  }
}

}  // namespace dalembert
