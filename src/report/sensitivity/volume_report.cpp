#include "dalembert/report/sensitivity/volume_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "dalembert/report/sensitivity/sensitivity_report.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using VolumeJson = nlohmann::ordered_json;

/// Problem and start, which runs of several methods share.
std::string motion_heading(const RunPlan& plan) {
  const std::string& which = plan.label.empty() ? plan.start : plan.label;
  return plan.system.name() + (which.empty() ? "" : ", " + which);
}

VolumeJson drift_json(const Drift& drift) {
  return {{"slope", drift.slope.value},
          {"low", drift.slope.low},
          {"high", drift.slope.high},
          {"oscillation", drift.oscillation}};
}

/// "0" where nothing but round-off is left of it.
std::string rate_text(const Estimate& slope, double round_off) {
  if (std::fabs(slope.value) + slope.uncertainty() <= round_off) return "0";
  return fmt::format("{:.3g} +- {:.1g}", slope.value, slope.uncertainty());
}

}  // namespace

std::string volume_verdict(const RunVolume& run) {
  const DriftVerdict verdict = run.judgement.verdict;
  if (verdict == DriftVerdict::undecided) return "undecided";
  if (!run.judgement.motion_keeps)
    return verdict == DriftVerdict::free ? "as the motion" : "not as the motion";
  if (run.judgement.every_step) return "keeps it in every step";
  return verdict == DriftVerdict::free   ? "keeps it"
         : verdict == DriftVerdict::slow ? "slowly loses it"
                                         : "loses it";
}

std::string volume_table(const std::vector<RunVolume>& runs) {
  std::string text;
  for (std::size_t first = 0; first < runs.size();) {
    const std::string heading = motion_heading(runs[first].plan);
    std::vector<std::vector<std::string>> rows{{"method", "of", "step", "until", "rate",
                                                "of the motion", "difference", "oscillates",
                                                "volume"}};
    for (; first < runs.size() && motion_heading(runs[first].plan) == heading; ++first) {
      const RunVolume& run = runs[first];
      if (!run.ok()) continue;
      const VolumeHistory& history = run.history;
      const VolumeJudgement& judgement = run.judgement;
      const double time = history.t.back(), rate = history.log_volume.back() / time;
      const double round_off = (volume_round_off(history) + volume_round_off(run.motion)) / time;
      rows.push_back({run.plan.method.label, history.with_multiplier ? "D x lambda" : "D",
                      fmt::format("{:g}", run.plan.step), fmt::format("{:g}", run.plan.end()),
                      std::fabs(rate) <= round_off ? "0" : fmt::format("{:.3g}", rate),
                      rate_text(judgement.of_motion.slope, round_off),
                      rate_text(judgement.difference.slope, round_off),
                      fmt::format("{:.1g}", judgement.difference.oscillation),
                      volume_verdict(run)});
    }
    if (rows.size() > 1)
      text += (text.empty() ? "" : "\n") + heading +
              ": logarithm of the volume of the constraint "
              "set, per unit of time\n" +
              aligned_within(0, rows, 1);
  }
  return text;
}

std::string volume_json(const std::vector<RunVolume>& runs) {
  VolumeJson entries = VolumeJson::array();
  for (const RunVolume& run : runs) {
    VolumeJson entry{{"problem", run.plan.system.name()},
                     {"start", run.plan.start},
                     {"label", run.plan.label},
                     {"method", VolumeJson::parse(method_json_text(run.plan.method.spec))},
                     {"step", run.plan.step},
                     {"until", run.plan.end()},
                     {"status", outcome_word(run.history.status)},
                     {"message", run.ok() ? "" : run.history.message + run.motion.message},
                     {"steps", run.history.steps},
                     {"dimension", run.history.dimension},
                     {"with_multiplier", run.history.with_multiplier},
                     {"t", run.history.t},
                     {"log_volume", run.history.log_volume},
                     {"log_volume_of_motion", run.motion.log_volume}};
    if (run.ok()) {
      entry["verdict"] = volume_verdict(run);
      entry["every_step"] = run.judgement.every_step;
      entry["motion_keeps_volume"] = run.judgement.motion_keeps;
      entry["of_motion"] = drift_json(run.judgement.of_motion);
      entry["difference"] = drift_json(run.judgement.difference);
    }
    entries.push_back(std::move(entry));
  }
  return VolumeJson{{"dalembert", version()}, {"runs", entries}}.dump(2) + "\n";
}

Picture volume_picture(const std::string& title, const std::vector<RunVolume>& runs) {
  Picture picture{title};
  for (std::size_t first = 0; first < runs.size();) {
    const std::string heading = motion_heading(runs[first].plan);
    PicturePanel panel{.title = heading, .row = picture.panels.size()};
    panel.x = {runs[first].plan.columns.time_label()};
    panel.y = {"log volume, less that of the motion"};
    for (; first < runs.size() && motion_heading(runs[first].plan) == heading; ++first) {
      const RunVolume& run = runs[first];
      Series beyond = run.beyond_motion();
      Curve curve;
      curve.t = std::move(beyond.t);
      curve.values = std::move(beyond.y);
      panel.curves.push_back({picture.entry(run.plan.method.label), std::move(curve)});
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

}  // namespace dalembert::study
