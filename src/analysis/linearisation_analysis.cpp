#include <algorithm>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/report/linearisation/linearisation_report.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "library.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Arrays with an entry for each motion, or without that dimension of a single one.
class MotionArrays {
 public:
  explicit MotionArrays(const LinearisedProblem& result) : result_(result) {
    if (!result.varied.empty()) table_.dimensions.push_back({result.varied, result.motions.size()});
  }

  template <class Value>
  void add(const std::string& name, const std::string& description,
           const std::function<Value(const Linearisation&)>& value) {
    std::vector<Value> values;
    for (const Linearisation& motion : result_.motions) values.push_back(value(motion));
    table_.variables.push_back({name, description, along({}), std::move(values)});
  }

  /// Numbers of a motion, `count` of them; none of one that was not found.
  void add(const std::string& name, const std::string& description,
           const std::vector<std::string>& dimensions, std::size_t count,
           const std::function<std::vector<double>(const Linearisation&)>& numbers) {
    std::vector<double> values;
    for (const Linearisation& motion : result_.motions) {
      std::vector<double> own = motion.ok() ? numbers(motion) : std::vector<double>{};
      own.resize(count, no_number);
      values.insert(values.end(), own.begin(), own.end());
    }
    table_.variables.push_back({name, description, along(dimensions), std::move(values)});
  }

  LabelledTable& table() { return table_; }

 private:
  std::vector<std::string> along(std::vector<std::string> dimensions) const {
    if (!result_.varied.empty()) dimensions.insert(dimensions.begin(), result_.varied);
    return dimensions;
  }

  const LinearisedProblem& result_;
  LabelledTable table_ = {};
};

/// One part of each entry of the shapes of modes.
std::vector<double> shape_parts(const Linearisation& motion,
                                double (*part)(const std::complex<double>&)) {
  std::vector<double> parts;
  for (const LinearMode& mode : motion.modes)
    for (const std::complex<double>& entry : mode.shape) parts.push_back(part(entry));
  return parts;
}

/// The matrix and the modes, where all motions have the same states.
void add_states(MotionArrays& arrays, const LinearisedProblem& result, std::size_t roots) {
  std::vector<std::string> states;
  for (const Linearisation& motion : result.motions) {
    if (!motion.ok()) continue;
    if (!states.empty() && motion.states != states) return;
    states = motion.states;
  }
  const std::size_t count = states.size();
  arrays.table().dimensions.push_back({"state", count});
  arrays.table().dimensions.push_back({"by", count});
  arrays.table().coordinates.push_back(
      {"state", "of a small deviation along the constraints", {"state"}, states});
  arrays.table().coordinates.push_back({"by", "the same states", {"by"}, states});
  arrays.add("matrix", "of deviations x' = matrix x", {"state", "by"}, count * count,
             [](const Linearisation& motion) { return motion.matrix; });
  arrays.add("shape_real", "of the mode of a root", {"root", "state"}, roots * count,
             [](const Linearisation& motion) {
               return shape_parts(motion, [](const auto& entry) { return entry.real(); });
             });
  arrays.add("shape_imaginary", "of the mode of a root", {"root", "state"}, roots * count,
             [](const Linearisation& motion) {
               return shape_parts(motion, [](const auto& entry) { return entry.imag(); });
             });
}

void add_changes(LabelledTable& table, const LinearisedProblem& result) {
  std::vector<double> values, imaginary;
  std::vector<std::string> before, after;
  for (const StabilityChange& change : result.changes) {
    values.push_back(change.value);
    imaginary.push_back(change.root.imag());
    before.emplace_back(stability_word(change.below));
    after.emplace_back(stability_word(change.above));
  }
  table.dimensions.push_back({"change", values.size()});
  for (LabelledArray& array : std::vector<LabelledArray>{
           {"change_value", "where stability changes", {"change"}, std::move(values)},
           {"change_before", "stability", {"change"}, std::move(before)},
           {"change_after", "stability", {"change"}, std::move(after)},
           {"change_imaginary", "part of the root there", {"change"}, std::move(imaginary)}})
    table.variables.push_back(std::move(array));
}

LabelledTable linearisation_arrays(const LinearisedProblem& result) {
  MotionArrays arrays(result);
  std::size_t roots = 0;
  for (const Linearisation& motion : result.motions)
    roots = std::max<std::size_t>(roots, motion.modes.size());
  LabelledTable& table = arrays.table();
  table.dimensions.push_back({"column", result.columns.size()});
  table.dimensions.push_back({"root", roots});
  if (!result.varied.empty())
    table.coordinates.push_back({result.varied, "parameter", {result.varied}, result.values});
  table.coordinates.push_back({"column", "positions and velocities", {"column"}, result.columns});
  arrays.add<std::string>("status", "ok or failed", [](const Linearisation& motion) {
    return std::string(motion.ok() ? "ok" : "failed");
  });
  arrays.add<std::string>("stability", "stable, undecided or unstable",
                          [](const Linearisation& motion) {
                            return std::string(motion.ok() ? stability_word(motion.stability) : "");
                          });
  arrays.add<double>("residual", "of the equations of a steady motion",
                     [](const Linearisation& motion) { return motion.residual; });
  arrays.add<double>("distance", "from the start",
                     [](const Linearisation& motion) { return motion.distance; });
  arrays.add("motion", "steady motion at t = 0", {"column"}, result.columns.size(),
             [](const Linearisation& motion) {
               std::vector<double> state = motion.q;
               state.insert(state.end(), motion.v.begin(), motion.v.end());
               return state;
             });
  const auto part_of_roots = [&](const char* name, double (*part)(const std::complex<double>&)) {
    arrays.add(name, "of the roots, those that grow most first", {"root"}, roots,
               [part](const Linearisation& motion) {
                 std::vector<double> parts;
                 for (const LinearMode& mode : motion.modes) parts.push_back(part(mode.value));
                 return parts;
               });
  };
  part_of_roots("real", [](const std::complex<double>& value) { return value.real(); });
  part_of_roots("imaginary", [](const std::complex<double>& value) { return value.imag(); });
  add_states(arrays, result, roots);
  if (!result.varied.empty()) add_changes(table, result);
  return table;
}

/// A sentence for the first motion that was not found.
std::vector<std::string> failure_of(const LinearisedProblem& result) {
  for (std::size_t i = 0; i < result.motions.size(); ++i) {
    if (result.motions[i].ok()) continue;
    const std::string of =
        result.varied.empty() ? "" : " at " + result.varied + " = " + to_string(result.values[i]);
    return {result.problem + (result.start.empty() ? "" : ", start \"" + result.start + "\"") + of +
            ": " + result.motions[i].message};
  }
  return {};
}

AnalysisReport linearisation_report(const Study& study, const AnalysisWatch& watch) {
  LinearisationRequest request =
      linearisation_request(study, read_page(linearisation_page(), study));
  request.cancelled = watch.cancelled;
  const auto result =
      std::make_shared<const LinearisedProblem>(linearise_problem(study.problem, request));
  AnalysisReport report;
  if (watch.is_cancelled()) {
    report.is_empty = true;
    return report;
  }
  report.failed = failure_of(*result);
  report.text = [result](std::size_t width) { return linearisation_table(*result, width); };
  report.json = [result] { return linearisation_json(*result); };
  report.csv = [result] { return linearisation_csv(*result); };
  report.picture = [result] { return linearisation_picture(*result); };
  hold(report, linearisation_arrays(*result));
  return report;
}

}  // namespace

Analysis linearisation_analysis() {
  return {.page = linearisation_page().info(),
          .options = {},
          .footer =
              "Examples: dalembert linearise bicycle --set speed=5\n"
              "          dalembert linearise bicycle --set \"speed={from=0.5, to=8, count=76}\" "
              "--plot weave.svg\n"
              "          dalembert linearise spherical-pendulum --at steady --keep z",
          .interrupted = "nothing is shown of what was found up to there",
          .json = "motion, matrix and roots",
          .csv = "a line for each root",
          .picture = "the roots, along the parameter if there are several values",
          .plan = [](const Study& study, const AnalysisPlanning&) -> PlannedAnalysis {
            return {.says = "linearising " + study.problem.name,
                    .report = [study](const AnalysisWatch& watch) {
                      return linearisation_report(study, watch);
                    }};
          }};
}

}  // namespace dalembert::study
