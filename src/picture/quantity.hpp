#pragma once
// Curves of quantities against time, from records. Only for the sources of this room.

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/picture/curve.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// One row of panels: a quantity and how it is shown.
struct Shown {
  std::string name;
  bool error = false;       ///< absolute value of an error, on a logarithmic scale
  bool difference = false;  ///< of the difference from the start
};

/// Those of a picture: the error of the energy, where nothing else is asked for.
std::vector<Shown> shown_quantities(const PlotRequest& request);

/// What stands at its axis; `mean` is the window of a running mean, or 0.
std::string axis_label(const Shown& shown, double mean);

/// Its curve within the times of the request, without values that are out of all scale. `floored`
/// becomes true where an error is drawn at round-off.
Curve quantity_curve(const RunPlan& plan, std::span<const double> records, const Shown& shown,
                     const PlotRequest& request, bool& floored);

/// The range that all panels of an error share, with room around it: so many from the first on.
std::pair<double, double> error_range(const Picture& picture, std::size_t first, std::size_t count);

}  // namespace dalembert::study
