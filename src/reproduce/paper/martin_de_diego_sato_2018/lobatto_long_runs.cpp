// Martin de Diego and Sato 2018, Sect. 7.2, continued: long runs of the transmission.
#include "lobatto_long_runs.hpp"

#include <fmt/core.h>

#include <cmath>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "lobatto_multiplier.hpp"
#include "lobatto_transmission.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

Steadiness passenger_drift(const StudyRuns& runs, int s, const TransmissionMotion& motion,
                           const std::string& step) {
  return energy_steadiness(runs, s, motion, step, "passenger_energy");
}

/// With a rotating driver, the least of the largest errors of the passenger energy with epsilon not
/// 0 over that with epsilon = 0. Where the error of the multiplier grows, that of the energy is no
/// line.
double least_departure(const StudyRuns& runs, int s) {
  const auto error = [&](std::size_t number) {
    const std::size_t run = runs.find(stages_label(s), transmission_motions[number].label("0.1"));
    return largest(runs.change(run, "passenger_energy"));
  };
  return numeric::smaller(error(4), error(5)) / error(3);
}

/// Both energies: what drifts, and where.
ClaimFinding drifts_without_reversibility(const StudyRuns& runs, int most) {
  std::vector<Evidence> evidence;
  for (int s = least_stages; s <= most; ++s) {
    const auto drift = [&](const char* energy) {
      return [&runs, s, energy](const TransmissionMotion& motion) {
        return energy_steadiness(runs, s, motion, "0.1", energy);
      };
    };
    const std::string name = ", h = 0.1, " + stages_label(s);
    evidence.push_back(free_in(Motions::all, "driver energy" + name, drift("driver_energy")));
    const std::string passenger = "passenger energy" + name;
    const MotionDrift moves = drift("passenger_energy");
    evidence.push_back(free_in(Motions::reversible, passenger, moves));
    if (s == 2) {
      evidence.push_back(free_in(Motions::not_reversible, passenger, moves));
    } else if (s % 2 == 0) {
      evidence.push_back(drifting_in(Motions::not_reversible, passenger, moves));
    } else {
      evidence.push_back(
          {"least error of the passenger energy, driver rotating, epsilon not 0, over "
           "that with epsilon = 0" +
               name,
           least_departure(runs, s), 0.0, 5.0});
    }
  }
  return {"002-B.4", evidence};
}

/// How the rate of that drift falls with the step.
ClaimFinding drift_falls_with_the_step(const StudyRuns& runs, int most) {
  std::vector<Evidence> evidence;
  for (int s = 4; s <= most; s += 2) {
    const Steadiness coarse = passenger_drift(runs, s, transmission_motions[5], "0.2"),
                     fine = passenger_drift(runs, s, transmission_motions[5], "0.1");
    evidence.push_back({"power of h in the drift of the passenger energy from h = 0.2 to 0.1, " +
                            transmission_motions[5].words() + ", " + stages_label(s),
                        std::log2(std::fabs(coarse.slope / fine.slope)), 0.0, 2.0 * s - 1.5});
  }
  return {"002-B.5", evidence};
}

/// The defect of symmetry of a step of h = 0.2 of a run's method.
double step_back_defect(const StudyRuns& runs, std::size_t run) {
  const RunPlan& plan = runs.plans()[run];
  StepMap<Extended> map(plan.system, plan.program->method(), plan.parameters);
  return symmetry_defect(map, map.start(plan.q, plan.v), Extended(1) / 5);
}

ClaimFinding exact_multiplier(const StudyRuns& carried, const StudyRuns& exact) {
  std::vector<Evidence> evidence;
  for (int s = least_stages; s <= most_stages; ++s) {
    for (const char* start : {"oscillating", "rotating"}) {
      const auto drift = [&](const char* step) {
        const std::size_t run = exact.find(stages_label(s), std::string(start) + ", h = " + step);
        return steadiness(exact.change(run, "passenger_energy"), 1e-12);
      };
      const std::string name = std::string(", ") + start + ", epsilon = 0, " + stages_label(s);
      const Steadiness now = drift("0.1");
      evidence.push_back({"drift of the passenger energy per unit of time, h = 0.1" + name,
                          now.slope, now.uncertainty, -INFINITY, 0.0});
      evidence.push_back({"the same over what its oscillation hides" + name,
                          (now.at_least + now.at_most) / 2.0, (now.at_most - now.at_least) / 2.0,
                          1.0});
      // With two stages the loss ends because all is lost; with six, that of h = 0.05 is round-off.
      if (s == 2) continue;
      const char* coarse = s == 6 ? "0.2" : "0.1";
      const char* fine = s == 6 ? "0.1" : "0.05";
      evidence.push_back({fmt::format("power of h in it from h = {} to {}{}", coarse, fine, name),
                          std::log2(drift(coarse).slope / drift(fine).slope), 0.0, 2.0 * s - 1.5,
                          2.0 * s - 0.5});
    }
    evidence.push_back({"defect of symmetry with the exact multiplier, " + stages_label(s),
                        step_back_defect(exact, exact.find(stages_label(s))), 0.0, 1e-12});
    evidence.push_back({"defect of symmetry with the carried multiplier, " + stages_label(s),
                        step_back_defect(carried, carried.find(stages_label(s))), 0.0, 0.0,
                        exact_defect});
  }
  return {"002-B.6", evidence};
}

/// A panel for each motion with a curve for each number of stages, h = 0.1.
Picture motions_picture(const StudyRuns& runs, const std::string& title, const std::string& axis,
                        Curve (*curve)(const StudyRuns&, std::size_t)) {
  Picture picture{title};
  for (const TransmissionMotion& motion : transmission_motions) {
    PicturePanel panel{.title = motion.words(),
                       .row = picture.panels.size() / 3,
                       .column = picture.panels.size() % 3};
    panel.x.label = "time t (nondimensional)";
    panel.y = {axis, true};
    for (int s = least_stages; s <= most_stages; ++s) {
      panel.curves.push_back(
          {picture.entry(stages_label(s)),
           upper_envelope(magnitude(curve(runs, runs.find(stages_label(s), motion.label("0.1")))),
                          200)});
    }
    picture.panels.push_back(std::move(panel));
  }
  picture.notes.emplace_back(
      "the largest of each 1/200 of the time; errors of multipliers are weighted by sqrt(A M^{-1} "
      "A^T)");
  return picture;
}

ResultTable passenger_table(const StudyRuns& runs) {
  ResultTable table{
      "Drift of the passenger energy per unit of time with the half length of its "
      "95 % interval; * where it is surely more than what hides it"};
  table.head = {"stages, step"};
  for (const TransmissionMotion& motion : transmission_motions)
    table.head.push_back(motion.words());
  for (int s = least_stages; s <= most_stages; ++s) {
    for (const char* step : {"0.2", "0.1"}) {
      table.rows.push_back({stages_label(s) + ", h = " + step});
      for (const TransmissionMotion& motion : transmission_motions) {
        const Steadiness drift = passenger_drift(runs, s, motion, step);
        table.rows.back().push_back(fmt::format("{:.1e} +- {:.0e}{}", drift.slope,
                                                drift.uncertainty,
                                                drift.at_least >= 1.0 ? " *" : ""));
      }
    }
  }
  return table;
}

}  // namespace

ExperimentOutcome lobatto_long_runs(const ReproductionEffort& effort) {
  std::vector<std::string> settings, exact_settings;
  if (effort.quick) {
    settings = {"run.until=6000.0", "run.record_every=5"};
    exact_settings = {"run.until=3000.0"};
  }
  const StudyRuns runs("martin-de-diego-sato-2018/section-7-2-long", effort, settings),
      exact("martin-de-diego-sato-2018/section-7-2-exact-multiplier", effort, exact_settings);
  const int most = effort.quick ? 4 : most_stages;  // what can be seen in short runs
  return {
      {motions_picture(
           runs, "Error of the passenger energy, h = 0.1", "|passenger energy error|",
           [](const StudyRuns& of, std::size_t run) { return of.change(run, "passenger_energy"); }),
       motions_picture(runs, "Error of the carried multiplier, h = 0.1",
                       "|multiplier error|, weighted", multiplier_error)},
      {drifts_without_reversibility(runs, most), drift_falls_with_the_step(runs, most),
       exact_multiplier(runs, exact)},
      {passenger_table(runs)}};
}

}  // namespace dalembert::reproduce
