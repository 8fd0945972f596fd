#pragma once
// Paths in a plane and windows in time, from records. Only for the sources of this room.

#include <span>
#include <vector>

#include "dalembert/mechanics/group/configuration.hpp"
#include "dalembert/picture/curve.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Whether a picture shows what happens at that time.
inline bool is_within(const PlotRequest& request, double t) {
  return (!request.from || t >= *request.from) && (!request.to || t <= *request.to);
}

/// RequestError for an axis that is neither a column nor an expression of the system.
void check_path(const PathRequest& path, const RunPlan& plan);
/// The path within the times of the request, x as `t`; records where an axis is not finite are left
/// out.
Curve path_of(const PathRequest& path, const RunPlan& plan, std::span<const double> records,
              const PlotRequest& request);
/// Whether both axes are positions, neither an angle: then a unit is as long on one as on the
/// other.
bool is_in_space(const PathRequest& path, const RunPlan& plan);

/// The motion in space: where the origins of elements of SE(2) and SE(3), and coordinates named x
/// and y, are in the horizontal plane, and the third axes of rotations as seen from above.
std::vector<PathRequest> paths_in_space(const Configuration& configuration);

}  // namespace dalembert::study
