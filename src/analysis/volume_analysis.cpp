#include "dalembert/analysis/volume_analysis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "dalembert/study/page/analysis_pages.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

/// "0" where nothing but round-off is left of it.
std::string rate_text(const Estimate& slope, double round_off) {
  if (std::fabs(slope.value) + slope.uncertainty() <= round_off) return "0";
  return fmt::format("{:.3g} +- {:.1g}", slope.value, slope.uncertainty());
}

/// Of which set, of the constraints or of these and the multipliers; the mean rate of the logarithm
/// of the volume, that of the motion, their difference with its interval, the verdict.
std::vector<std::string> row_of(const RunVolume& run) {
  const VolumeHistory& history = run.history;
  const VolumeJudgement& judgement = run.judgement;
  const double time = history.t.back(), rate = history.log_volume.back() / time;
  const double round_off = (volume_round_off(history) + volume_round_off(run.motion)) / time;
  return {run.plan.method.label,
          history.with_multiplier ? "D x lambda" : "D",
          fmt::format("{:g}", run.plan.step),
          fmt::format("{:g}", run.plan.end()),
          std::fabs(rate) <= round_off ? "0" : fmt::format("{:.3g}", rate),
          rate_text(judgement.of_motion.slope, round_off),
          rate_text(judgement.difference.slope, round_off),
          fmt::format("{:.1g}", judgement.difference.oscillation),
          volume_verdict(run)};
}

/// A yes or a no as a table has it.
LabelledArray truth(const std::string& name, const std::string& description, bool value) {
  return {name, description, {}, std::vector{std::int64_t{value}}, {}, {}, true};
}

LabelledArray drift_of(const std::string& name, const std::string& description,
                       const Drift& drift) {
  return {name,
          description,
          {"drift"},
          std::vector{drift.slope.value, drift.slope.low, drift.slope.high, drift.oscillation}};
}

LabelledTable volume_arrays(const RunVolume& run) {
  const VolumeHistory& history = run.history;
  std::vector<double> of_motion = run.motion.log_volume;
  of_motion.resize(history.t.size(), std::numeric_limits<double>::quiet_NaN());
  LabelledTable table{
      .dimensions = {{"t", history.t.size()},
                     {"drift", 4, {"slope", "low", "high", "oscillation"}}},
      .coordinates = {{"t", "time", {"t"}, history.t, run.plan.columns.unit(0)}},
      .variables = {
          {"dimension",
           "of the set whose volume is followed",
           {},
           std::vector{static_cast<std::int64_t>(history.dimension)}},
          truth("with_multiplier", "whether that of states with multipliers",
                history.with_multiplier),
          {"log_volume", "logarithm of the factor up to t", {"t"}, history.log_volume},
          {"log_volume_of_motion", "the same of the motion", {"t"}, std::move(of_motion)}}};
  const VolumeJudgement& judgement = run.judgement;
  if (!run.ok()) return table;
  for (LabelledArray& array : std::vector<LabelledArray>{
           {"verdict", "", {}, std::vector{volume_verdict(run)}},
           truth("every_step", "whether every step keeps it to round-off", judgement.every_step),
           truth("motion_keeps_volume", "whether the motion keeps a volume",
                 judgement.motion_keeps),
           drift_of("of_motion", "of the motion, per unit of time", judgement.of_motion),
           drift_of("difference", "of the steps less that", judgement.difference)})
    table.variables.push_back(std::move(array));
  return table;
}

}  // namespace

std::vector<FoundLine> volume_lines(const RunPlan& plan, const LabelledTable& table) {
  std::vector<double> beyond = table.numbers("log_volume");
  const std::vector<double>& of_motion = table.numbers("log_volume_of_motion");
  for (std::size_t k = 0; k < beyond.size(); ++k) beyond[k] -= of_motion[k];
  return {{motion_heading(plan),
           "log volume, less that of the motion",
           plan.method.label,
           {table.numbers("t"), std::move(beyond)}}};
}

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

Finding found_volume(const RunVolume& run) {
  Finding finding = finding_of(run.history.ok() ? run.motion : run.history);
  finding.steps = run.history.steps;
  if (!run.history.message.empty() && !run.motion.message.empty())
    finding.message += "; of the motion: " + run.motion.message;
  finding.table = volume_arrays(run);
  finding.heading = motion_heading(run.plan) +
                    ": logarithm of the volume of the constraint set, per unit of time";
  if (run.ok())
    finding.rows = {{"method", "of", "step", "until", "rate", "of the motion", "difference",
                     "oscillates", "volume"},
                    row_of(run)};
  return finding;
}

Analysis volume_analysis() {
  return {.page = volume_page().info(),
          .options = words_of_runs(),
          .footer =
              "Example: dalembert volume chaplygin-ball --method lobatto,dla01,gni --step "
              "0.1 --until 1000 --plot volume.svg",
          .interrupted = "verdicts need the whole time",
          .json = "sums and verdicts",
          .csv = along_time,
          .picture = "the sums",
          .plan = [](const Study& study, const AnalysisPlanning& planning) {
            const auto before = std::make_shared<std::optional<RunVolume>>();
            const auto find = [before](const RunPlan& plan, const VolumeOptions& options) {
              *before = volume_of_run(plan, options, before->has_value() ? &**before : nullptr);
              return found_volume(**before);
            };
            // The motion takes steps of half the size.
            return plan_of_runs(study, planning, 3.0,
                                with_options(read_page(volume_page(), study), find), volume_lines);
          }};
}

}  // namespace dalembert::study
