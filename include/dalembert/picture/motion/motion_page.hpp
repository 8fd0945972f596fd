#pragma once

#include <string>

#include "dalembert/picture/motion/motion_frames.hpp"

namespace dalembert::study {

/// Texts beside a motion.
struct MotionTitle {
  std::string title, description = {}, time_unit = {};  ///< "" for no description, or no unit
};

/// The texts of a run of a study with that title: problem, start and method.
MotionTitle motion_title(const RunPlan& plan, const std::string& study_title);

/// A motion as a page that needs nothing but itself: it plays, stops, goes to any time and at other
/// speeds; a plane can be moved, space turned by dragging, both zoomed with the wheel.
std::string motion_page(const Scene& scene, const MotionFrames& frames, const MotionTitle& title);

}  // namespace dalembert::study
