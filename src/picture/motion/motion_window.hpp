#pragma once
// What of a motion a window shows, for pages and animated pictures.

#include <vector>

#include "dalembert/picture/motion/motion_frames.hpp"

namespace dalembert::study {

/// Half of the size of a box with a margin, none of it zero, and its middle, [d] each.
struct MotionBox {
  std::vector<double> reach, centre;
};
MotionBox box_of(const MotionExtent& extent);

/// 1, 2 or 5 times a power of ten, at most x > 0.
double round_number(double x);

/// Units of time that pass in a second: 1 where the motion then plays for some seconds.
double usual_speed(double duration);

/// From where space is seen: the angle about the vertical and the height above the horizon.
constexpr double usual_azimuth = -0.9, usual_elevation = 0.42;

}  // namespace dalembert::study
