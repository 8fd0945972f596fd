#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// A shape with its place among the numbers of a frame. With d = 2 in the plane and 3 in space:
/// a line has its points, [points x d]; a circle its centre and two radii at a right angle, [3 x
/// d]; a ball its centre and three half axes, [4 x d]; a point and a trail one point, [d].
struct SceneShape {
  ShapeKind kind = ShapeKind::line;  ///< meaning of the numbers
  std::string colour = {};           ///< "#0072b2", or "" for the colour of text
  double width = 2.0;                ///< of lines, and of points, in pixels
  /// A line that ends at its first point; a coloured inside; spokes or lines that turn along.
  bool is_closed = false, is_filled = false, has_spokes = false;
  std::size_t piece = 0;             ///< of a line: points in each of its pieces; 0: all
  std::size_t first = 0, count = 0;  ///< numbers in a frame
};

/// Picture of a problem in each of its states, as numbers.
class Scene {
 public:
  /// Of a problem with a scene and its system for these sizes, parameters in the order of the
  /// description. RequestError with the place for expressions that cannot be read, for vectors of
  /// another size than the plane or space has, and for values that make no sense.
  Scene(const ProblemFile& problem, const System& system, const Sizes& sizes,
        std::span<const double> parameters);

  bool is_in_space() const { return is_in_space_; }        ///< true in space, false in the plane
  bool is_up_reversed() const { return is_up_reversed_; }  ///< third axis points down
  std::size_t dimension() const { return is_in_space_ ? 3 : 2; }     ///< d
  const std::vector<SceneShape>& shapes() const { return shapes_; }  ///< in the order of the file
  /// Index in a frame of the first number of the point that is followed, [d]; nothing without it.
  std::optional<std::size_t> followed() const { return followed_; }
  std::size_t frame_size() const { return frame_size_; }  ///< numbers in a frame
  /// The numbers of a state: those of all shapes, one after the other; valid until the next call.
  std::span<const double> frame(double t, std::span<const double> q, std::span<const double> v);

 private:
  bool is_in_space_ = false, is_up_reversed_ = false;
  std::vector<SceneShape> shapes_;
  std::vector<std::size_t> free_radii_;  ///< circles in space whose radii stand for their axes
  std::optional<std::size_t> followed_;
  std::size_t frame_size_ = 0;
  StateFunction<double> function_;
  std::vector<double> frame_;
};

}  // namespace dalembert::study
