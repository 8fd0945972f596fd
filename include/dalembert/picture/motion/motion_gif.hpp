#pragma once

#include <filesystem>

#include "dalembert/picture/motion/motion_frames.hpp"

namespace dalembert::study {

/// Look of an animated picture.
struct GifLook {
  int width = 640, height = 400;  ///< pixels
  double seconds = 0.0;           ///< duration [s]; 0: by the motion's own time
};

/// OutputError where the file cannot be written or the program gnuplot is missing.
void check_motion_gif(const std::filesystem::path& path);

/// Draws a motion as an animated picture, a GIF that repeats: what the page of `motion_page` shows
/// at first. Throws like check_motion_gif.
void write_motion_gif(const std::filesystem::path& path, const Scene& scene,
                      const MotionFrames& frames, const GifLook& look = {});

}  // namespace dalembert::study
