#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dalembert/problem/scene/scene.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// A run as it is seen: the numbers of a scene at times of its records.
struct MotionFrames {
  std::vector<double> t = {};        ///< [frames]
  std::vector<double> numbers = {};  ///< [frames x frame_size]
  std::size_t frame_size = 0;        ///< numbers of the scene

  std::size_t size() const { return t.size(); }  ///< number of frames
  /// The numbers of the scene in a frame, [frame_size].
  std::span<const double> at(std::size_t frame) const {
    return std::span(numbers).subspan(frame * frame_size, frame_size);
  }
};

/// The frames of a run's records, rows of the plan's columns: at most `most`, as far apart from
/// each other as records allow. What is not finite ends them. RequestError where there are less
/// than two.
MotionFrames motion_frames(Scene& scene, const RunPlan& plan, std::span<const double> records,
                           std::size_t most);

/// Extent of all frames, relative to the followed point if there is one: least and largest
/// coordinates, each [dimension of the scene].
struct MotionExtent {
  std::vector<double> least, largest;  ///< corners of the bounding box
};
/// The extent of these frames. Trails count only where no point is followed.
MotionExtent motion_extent(const Scene& scene, const MotionFrames& frames);

}  // namespace dalembert::study
