#include "dalembert/study/sensitivity/run_volume.hpp"

#include <algorithm>

#include "dalembert/method/library.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"

namespace dalembert::study {
namespace {

bool shares_motion(const RunPlan& a, const RunPlan& b) {
  return a.system.name() == b.system.name() && a.q == b.q && a.v == b.v && a.step == b.step &&
         a.end() == b.end() && a.parameters == b.parameters;
}

}  // namespace

Series RunVolume::beyond_motion() const {
  Series series;
  const std::size_t count = std::min<std::size_t>(history.t.size(), motion.t.size());
  for (std::size_t k = 0; k < count; ++k) {
    series.t.push_back(history.t[k]);
    series.y.push_back(history.log_volume[k] - motion.log_volume[k]);
  }
  return series;
}

RunVolume volume_of_run(const RunPlan& plan, VolumeOptions options, const RunVolume* before) {
  refuse_jumps(plan);
  options.step = plan.step;
  options.until = plan.end();
  options.parameters = parameters_of_plan(plan);
  const Problem problem = problem_of_plan(plan);
  RunVolume run{plan, volume_along(problem, make_method(plan.method.spec), {}, options), {}};
  if (before != nullptr && before->motion.ok() && shares_motion(before->plan, plan)) {
    run.motion = before->motion;
  } else {
    run.motion = volume_along_motion(problem, {}, options);
  }
  if (run.ok()) run.judgement = judge_volume(run.history, run.motion);
  return run;
}

}  // namespace dalembert::study
