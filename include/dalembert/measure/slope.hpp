#pragma once

#include <string>
#include <vector>

namespace dalembert {

/// Errors of one quantity for steps that are halved each time, and the order that they show.
struct OrderSeries {
  std::vector<double> errors;  ///< largest entry of the difference to the reference, by step
  std::vector<bool>
      used;  ///< points to which the slope is fitted: above round-off and the reference's own error
  double slope = 0.0;  ///< measured order; meaningful if `measured`
  double uncertainty =
      0.0;  ///< standard error of the fit, or the drift of the last slopes if that is larger
  bool measured =
      false;  ///< false where fewer than three points lie above the floor, or one is nan
};

/// Fits log2(error) against the number of halvings, on the last (at most four) points above
/// `floor`; none where an error is nan. Least squares; the uncertainty is the larger of the
/// standard error and the distance of the last pair's slope from the fit.
OrderSeries fit_order(std::vector<double> errors, double floor);

/// Verdict on a promised order from a measured slope.
enum class OrderVerdict { holds, higher, broken, not_measured };
/// Compares a measured slope with a promised order: `not_measured` also where it is uncertain by
/// more than 0.5; margins are the larger of 0.1 + 0.025 promised and twice the uncertainty.
/// `higher` is more than 0.35 above the margin.
OrderVerdict judge_order(const OrderSeries& series, int promised);
/// "holds", "holds (higher here)", "BROKEN" or "not measured".
std::string verdict_text(OrderVerdict verdict);

}  // namespace dalembert
