#include "picture/motion/motion_window.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {

namespace {

/// A motion plays for about so many seconds unless its own time is of that order.
constexpr double usual_seconds = 15.0;

}  // namespace

MotionBox box_of(const MotionExtent& extent) {
  MotionBox box;
  double largest = 0.0;
  for (std::size_t i = 0; i < extent.least.size(); ++i) {
    box.centre.push_back(0.5 * (extent.least[i] + extent.largest[i]));
    box.reach.push_back(0.5 * (extent.largest[i] - extent.least[i]));
    largest = numeric::larger(largest, box.reach.back());
  }
  if (largest == 0.0) largest = 1.0;
  for (double& reach : box.reach) reach = numeric::larger(1.08 * reach, 0.05 * largest);
  return box;
}

double round_number(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  return power * (x >= 5.0 * power ? 5.0 : x >= 2.0 * power ? 2.0 : 1.0);
}

double usual_speed(double duration) {
  return duration >= 4.0 && duration <= 40.0 ? 1.0 : round_number(duration / usual_seconds);
}

}  // namespace dalembert::study
