#include "dalembert/study/page/analysis_pages.hpp"

#include <algorithm>
#include <limits>

namespace dalembert::study {
namespace {

/// The range of any positive number.
constexpr double least_positive = std::numeric_limits<double>::min(),
                 largest = std::numeric_limits<double>::max();

}  // namespace

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

const Page<ComparisonOptions>& comparison_page() {
  static const Page<ComparisonOptions> page{
      "compare",
      "Compare methods on one motion: errors and drifts against what they cost",
      {{"levels", &ComparisonOptions::levels, "Steps of each method, each half of the one before",
        2, 20},
       {"error", &ComparisonOptions::error,
        "The table shows the largest steps with this error of q and v", least_positive, largest},
       {"horizon", &ComparisonOptions::horizon,
        "The time up to which q and v are compared; auto: by the scale of the motion",
        least_positive, largest},
       {"longest", &ComparisonOptions::longest, "Leave out runs that would take more seconds",
        least_positive, largest},
       {"all", &ComparisonOptions::all_methods,
        "All methods of the library that fit, in the place of those of the study"},
       {"own_steps", &ComparisonOptions::chooses_steps,
        "Each method begins with the largest step with which it follows the motion at all"},
       {"against",
        &ComparisonOptions::against,
        "What the picture shows as cost",
        {{CostAxis::time, "time"},
         {CostAxis::evaluations, "evaluations"},
         {CostAxis::step, "step"}}}}};
  return page;
}

const Page<OrderOptions>& order_page() {
  static const Page<OrderOptions> page{
      "order",
      "Measure the order of every method of a study by halving the step",
      {{"until", &OrderOptions::until,
        "Final time; auto: that of the study, but at most 20 of its largest steps", least_positive,
        largest},
       {"runs", &OrderOptions::runs, "Number of step sizes, each half of the one before", 3, 12},
       {"precision", &OrderOptions::extended, "double, or extended: some 30 decimal digits",
        "double", "extended"},
       {"multiplier", &OrderOptions::recomputed_multiplier,
        "own: what the method carries or reports; recomputed: that of the motion through its "
        "states, of the order of q and v",
        "own", "recomputed"}}};
  return page;
}

const Page<ModifiedOptions>& modified_page() {
  static const Page<ModifiedOptions> page{
      "modified",
      "Find the field that a method really follows: its expansion, what it does to integrals, and "
      "rates of drift without a long run",
      {{"points", &ModifiedOptions::points, "Points of the trajectory", 1, 1000},
       {"terms", &ModifiedOptions::terms, "Coefficients of the expansion", 0, 4},
       {"half_width", &ModifiedOptions::half_width,
        "Most steps to either side that the field is found from", 2, 100},
       {"window", &ModifiedOptions::window, "Duration over which drifts are measured",
        least_positive, largest}}};
  return page;
}

const Page<LinearisationChoice>& linearisation_page() {
  static const Page<LinearisationChoice> page{
      "linearise",
      "Linearise a problem about a steady motion: its roots, and where it is stable",
      {{"at", &LinearisationChoice::at,
        "A start that is a steady motion; or steady: the one near the start; or any: the first "
        "start that is one, or else near the first"},
       {"keep", &LinearisationChoice::keep,
        "Expressions that keep their values while a steady motion is looked for, as \"x_dot, "
        "energy\""}}};
  return page;
}

const std::vector<PageInfo>& study_pages() {
  static const std::vector<PageInfo> pages{run_page(),
                                           sensitivity_page().info(),
                                           lyapunov_page().info(),
                                           volume_page().info(),
                                           comparison_page().info(),
                                           order_page().info(),
                                           modified_page().info(),
                                           linearisation_page().info(),
                                           control_page()};
  return pages;
}

const PageInfo& page_named(const std::string& name) {
  return *std::ranges::find(study_pages(), name, &PageInfo::name);
}

}  // namespace dalembert::study
