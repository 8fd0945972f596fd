#include "dalembert/study/page/analysis_pages.hpp"

namespace dalembert::study {

const Page<SensitivityChoice>& sensitivity_page() {
  static const Page<SensitivityChoice> page{
      "sensitivity",
      "Differentiate runs by their start, by parameters and by the step",
      {{"by", &SensitivityChoice::by,
        "Coordinates, velocities (x_dot), parameters, step; or start, positions, velocities, "
        "parameters for all of a kind (default: start,parameters)"},
       {"of", &SensitivityChoice::of,
        "Expressions of the state, multipliers, energy and integrals (default: all positions and "
        "velocities)"},
       {"mode",
        &SensitivityChoice::mode,
        "tangent: one for each argument, forwards; adjoint: one for each expression, backwards; "
        "automatic: what is less work",
        {{SensitivityMode::automatic, "automatic"},
         {SensitivityMode::tangent, "tangent"},
         {SensitivityMode::adjoint, "adjoint"}}},
       {"records", &SensitivityChoice::with_records,
        "Also at the records of the run, else at its end alone"}}};
  return page;
}

const Page<LyapunovOptions>& lyapunov_page() {
  static const Page<LyapunovOptions> page{
      "lyapunov",
      "Measure Lyapunov exponents of runs, with their intervals",
      {{"exponents", &LyapunovOptions::exponents,
        "How many, the largest; all: as many as the constraint set has dimensions", 1, 100000,
        "all"},
       {"settle", &LyapunovOptions::settle,
        "The fraction of the time that is left out at the beginning", 0.0, 0.99},
       {"blocks", &LyapunovOptions::blocks, "Parts of the time, whose means give the intervals", 4,
        1000}}};
  return page;
}

const Page<VolumeOptions>& volume_page() {
  static const Page<VolumeOptions> page{
      "volume",
      "Measure whether steps keep a volume of the constraint set, beside the motion",
      {{"samples", &VolumeOptions::samples, "About how many sums are kept of a run", 12, 1000000}}};
  return page;
}

const std::vector<PageInfo>& analysis_pages() {
  static const std::vector<PageInfo> pages{sensitivity_page().info(), lyapunov_page().info(),
                                           volume_page().info()};
  return pages;
}

}  // namespace dalembert::study
