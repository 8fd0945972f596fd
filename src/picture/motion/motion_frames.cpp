#include "dalembert/picture/motion/motion_frames.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

/// Visits the points of a shape: their coordinates, [d].
template <class Visitor>
void visit_points(const SceneShape& shape, std::span<const double> frame, std::size_t d,
                  const Visitor& visit) {
  const std::span<const double> own = frame.subspan(shape.first, shape.count);
  if (shape.kind != ShapeKind::circle && shape.kind != ShapeKind::ball) {
    for (std::size_t k = 0; k < own.size(); k += d) visit(own.subspan(k, d));
    return;
  }
  // The box around an ellipse or an ellipsoid with these half axes.
  std::vector<double> low(d), high(d);
  for (std::size_t i = 0; i < d; ++i) {
    double reach = 0.0;
    for (std::size_t k = d; k < own.size(); k += d) reach = numeric::hypot(reach, own[k + i]);
    low[i] = own[i] - reach;
    high[i] = own[i] + reach;
  }
  visit(std::span<const double>(low));
  visit(std::span<const double>(high));
}

}  // namespace

MotionFrames motion_frames(Scene& scene, const RunPlan& plan, std::span<const double> records,
                           std::size_t most) {
  const std::size_t width = plan.columns.width(), rows = records.size() / width,
                    q = plan.system.storage_count(), v = plan.system.velocity_count();
  MotionFrames frames{.frame_size = scene.frame_size()};
  const std::size_t count = std::min<std::size_t>(rows, most);
  for (std::size_t k = 0; k < count; ++k) {
    // The first and the last are always there.
    const std::size_t row = count < 2 ? 0 : k * (rows - 1) / (count - 1);
    const std::span<const double> record = records.subspan(row * width, width);
    const std::span<const double> numbers =
        scene.frame(record[0], record.subspan(1, q), record.subspan(1 + q, v));
    if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) break;
    frames.t.push_back(record[0]);
    frames.numbers.insert(frames.numbers.end(), numbers.begin(), numbers.end());
  }
  if (frames.size() < 2)
    throw RequestError("a motion needs two records where the picture is defined, and the run has " +
                       std::to_string(frames.size()));
  return frames;
}

MotionExtent motion_extent(const Scene& scene, const MotionFrames& frames) {
  const std::size_t d = scene.dimension();
  MotionExtent extent{std::vector<double>(d, std::numeric_limits<double>::infinity()),
                      std::vector<double>(d, -std::numeric_limits<double>::infinity())};
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const std::span<const double> frame = frames.at(k);
    for (const SceneShape& shape : scene.shapes()) {
      if (scene.followed() && shape.kind == ShapeKind::trail) continue;
      visit_points(shape, frame, d, [&](std::span<const double> point) {
        for (std::size_t i = 0; i < d; ++i) {
          const double x = point[i] - (scene.followed() ? frame[*scene.followed() + i] : 0.0);
          extent.least[i] = numeric::smaller(extent.least[i], x);
          extent.largest[i] = numeric::larger(extent.largest[i], x);
        }
      });
    }
  }
  return extent;
}

}  // namespace dalembert::study
