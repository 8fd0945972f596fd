#include "volume_numbers.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/analysis/views.hpp"
#include "dalembert/analysis/volume_analysis.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "reproduce/paper/drift.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// What is said of the logarithm of the volume: round-off in every step, or, less that of the
/// motion, what a drift is judged to be.
enum class VolumeWord { every_step, free, slow, clear };

struct VolumeDemand {
  Demand demand;
  VolumeWord change;
  double negligible = 0.0;
};

VolumeDemand read_volume_demand(const DocumentNode& node) {
  TableReader table(node);
  VolumeDemand asked{read_demand(table), read_word(&table.require("volume"), VolumeWord::free,
                                                   {{"every step", VolumeWord::every_step},
                                                    {"kept", VolumeWord::free},
                                                    {"slowly lost", VolumeWord::slow},
                                                    {"lost", VolumeWord::clear}})};
  table.require("method");
  asked.demand.refuse_bounds_beside("volume");
  asked.negligible = read_number(table.find("negligible")).value_or(0.0);
  table.finish();
  return asked;
}

/// The runs of a study with their volumes, those that are asked for.
class FollowedVolumes {
 public:
  FollowedVolumes(const StudyEntry& entry, const ReproductionEffort& effort,
                  const std::vector<std::string>& settings)
      : study_(read_study_file(find_study(entry.study), settings)),
        plans_(plan_runs(study_)),
        effort_(effort) {}

  Evidence measured(const VolumeDemand& asked, const std::string& method,
                    const std::string& length = "") {
    const RunVolume& run = volume_of(method);
    const std::string what = method + ", " + run.plan.system.name() + length;
    if (!run.ok())
      return asked.demand.evidence("volume, " + what, std::numeric_limits<double>::quiet_NaN());
    if (asked.change == VolumeWord::every_step) {
      const auto [least, most] = std::ranges::minmax(run.history.log_volume);
      Evidence evidence =
          asked.demand.evidence("range of the log of the volume, " + what, most - least);
      evidence.most = volume_round_off(run.history);
      return evidence;
    }
    Series beyond = run.beyond_motion();
    Curve curve;
    curve.t = std::move(beyond.t);
    curve.values = std::move(beyond.y);
    const auto judge = asked.change == VolumeWord::free   ? free_of_drift
                       : asked.change == VolumeWord::slow ? drifts_slowly
                                                          : drifts;
    Evidence evidence = judge("log of the volume, less that of the motion, " + what, curve,
                              asked.demand.role, asked.negligible);
    evidence.name = asked.demand.name;
    return evidence;
  }

  const Study& study() const { return study_; }
  Picture picture() const {
    Findings found;
    for (const RunVolume& run : runs_) {
      found.plans.push_back(run.plan);
      found.findings.push_back(found_volume(run));
    }
    return picture_of(volume_lines, study_.title, found);
  }

 private:
  const RunVolume& volume_of(const std::string& method) {
    const auto followed = std::ranges::find(
        runs_, method, [](const RunVolume& one) { return one.plan.method.label; });
    if (followed != runs_.end()) return *followed;
    const auto plan =
        std::ranges::find(plans_, method, [](const RunPlan& one) { return one.method.label; });
    if (plan == plans_.end()) {
      std::vector<std::string> known;
      for (const RunPlan& one : plans_) known.push_back(one.method.label);
      throw RequestError("the study has no method \"" + method + "\"" + suggestion(method, known));
    }
    VolumeOptions options;
    options.cancelled = effort_.cancelled;
    runs_.push_back(volume_of_run(*plan, options, runs_.empty() ? nullptr : &runs_.back()));
    return runs_.back();
  }

  Study study_;
  std::vector<RunPlan> plans_;
  ReproductionEffort effort_;
  std::vector<RunVolume> runs_;
};

}  // namespace

ExperimentCode read_volume_numbers(const StudyEntry& entry, const DocumentNode& numbers) {
  std::vector<VolumeDemand> demands;
  for (const DocumentNode& number : as_list(numbers)) demands.push_back(read_volume_demand(number));
  return [=](const ReproductionEffort& effort) {
    FollowedVolumes volumes(entry, effort, entry.all_settings(effort));
    ExperimentOutcome outcome;
    for (const VolumeDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        add(outcome.findings, asked.demand.claim, volumes.measured(asked, method));
    if (entry.has_picture) outcome.pictures.push_back(volumes.picture());
    if (effort.quick) return outcome;
    FollowedVolumes longer(entry, effort, entry.twice_as_long(volumes.study()));
    for (const VolumeDemand& asked : demands)
      for (const std::string& method : asked.demand.methods)
        add_of_longer(outcome.findings, asked.demand.claim,
                      longer.measured(asked, method, twice_as_long_words));
    return outcome;
  };
}

}  // namespace dalembert::reproduce
