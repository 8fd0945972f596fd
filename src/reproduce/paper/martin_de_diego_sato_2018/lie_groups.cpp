// Martin de Diego and Sato 2018, Sects. 6, 7.4 and 7.5: Lobatto methods on Lie groups.
#include "lie_groups.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/run_result.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* retractions[] = {"Cayley", "exponential"};
/// Momenta of size 1 after 100000 steps: a random walk of round-off with room.
constexpr double solver_error = 1e-12;
/// What round-off adds to an energy of size 1.
constexpr double energy_walk = 1e-12;
constexpr std::size_t stretches_shown = 300;

std::string published_form(const std::string& retraction, int s) {
  return retraction + ", s = " + std::to_string(s);
}
std::string middle_form(const std::string& retraction, int s) {
  return published_form(retraction, s) + ", base in the middle";
}

/// The largest change of the named integrals over all steps of a run.
double integral_error(const StudyRuns& runs, std::size_t run,
                      std::initializer_list<const char*> names) {
  double most = 0.0;
  for (const IntegralSummary& integral : runs.results()[run].diagnostics.integrals) {
    if (std::none_of(names.begin(), names.end(),
                     [&](const char* name) { return integral.name == name; }))
      continue;
    most = numeric::larger(most, integral.max_error);
  }
  return most;
}
double contact_error(const StudyRuns& runs, std::size_t run) {
  return integral_error(runs, run, {"contact_1", "contact_2", "spin"});
}

/// |change| of a column against time, with a curve for each of the runs of a start.
PicturePanel change_panel(Picture& picture, const StudyRuns& runs, const std::string& start,
                          const std::string& column, const std::string& axis) {
  PicturePanel panel{.title = start};
  panel.x.label = "time t (nondimensional)";
  panel.y = {axis, true};
  for (const RunPlan& plan : runs.plans()) {
    if (!start.empty() && plan.start != start) continue;
    panel.curves.push_back(
        {picture.entry(plan.method.label),
         upper_envelope(magnitude(runs.change(plan.index, column)), stretches_shown)});
  }
  return panel;
}

/// The defect of a step of h = 0.2 from being its own inverse with -h, after two steps: the stored
/// numbers of a rotation are normalised by the first, and on the constraint after the second.
double defect_of_symmetry(const StudyRuns& runs, const std::string& method) {
  const RunPlan& plan = runs.plans()[runs.find(method)];
  StepMap<Extended> map(plan.system, plan.program->method(), plan.parameters);
  BasicPoint<Extended> point = map.start(plan.q, plan.v);
  const Extended h = Extended(1) / 5;
  return map.apply(point, h, 2) ? symmetry_defect(map, point, h) : NAN;
}

void add_symmetry(std::vector<Evidence>& evidence, const StudyRuns& runs, const std::string& method,
                  bool expected) {
  const double defect = defect_of_symmetry(runs, method);
  evidence.push_back({"defect of symmetry, " + runs.plans().front().system.name() + ", " + method,
                      defect, 0.0, expected ? 0.0 : 1e-12, expected ? exact_defect : INFINITY});
}

void add_unicycle_drift(std::vector<Evidence>& evidence, const StudyRuns& runs,
                        const std::string& method, bool expected) {
  const Curve change = runs.change(runs.find(method), "energy");
  const std::string name = "energy of the unicycle, " + method;
  evidence.push_back(expected ? drifts(name, change) : free_of_drift(name, change));
}

Steadiness moving_energy_slope(const StudyRuns& ball, const std::string& method) {
  return steadiness(ball.change(ball.find(method), "moving_energy"));
}

Picture base_picture(const StudyRuns& unicycle, const StudyRuns& ball) {
  Picture picture{"Energy of the unicycle (left) and moving energy of the ball (right), h = 0.3"};
  for (const auto& [runs, column] : {std::pair(&unicycle, "energy"), {&ball, "moving_energy"}}) {
    PicturePanel panel{.title = runs->plans().front().system.name()};
    panel.column = picture.panels.size();
    panel.x.label = "time t (nondimensional)";
    panel.y = {"|energy error|, running mean over 30", true};
    for (const char* retraction : retractions) {
      for (const std::string& label : {published_form(retraction, 3), middle_form(retraction, 3)})
        panel.curves.push_back(
            {picture.entry(label), shown_error(runs->change(runs->find(label), column), 30.0)});
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

}  // namespace

ExperimentOutcome turntable_integrals(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=1000.0", "run.record_every=1"};
  const StudyRuns runs("martin-de-diego-sato-2018/figure-8", effort, settings);
  std::vector<Evidence> kept, moving;
  double smallest = INFINITY;
  for (const char* start : {"circle", "tumbling"}) {
    double most = 0.0;
    for (const char* retraction : retractions) {
      for (int s = 2; s <= 4; ++s) {
        const double now = contact_error(runs, runs.find(published_form(retraction, s), start));
        most = numeric::larger(most, now);
      }
    }
    kept.push_back({std::string("largest change of the three integrals, s = 2 to 4, ") + start,
                    most, 0.0, 0.0, solver_error});
  }
  kept.push_back({"the same with the midpoint rule on the group, tumbling",
                  contact_error(runs, runs.find("midpoint rule", "tumbling")), 0.0, 1e-5, INFINITY,
                  EvidenceRole::shown});
  for (const char* retraction : retractions) {
    for (int s = 2; s <= 4; ++s) {
      const std::size_t run = runs.find(published_form(retraction, s), "circle");
      const Steadiness drift = steadiness(runs.change(run, "moving_energy"), energy_walk);
      moving.push_back({"drift of the moving energy over what hides it, circle, " +
                            published_form(retraction, s),
                        (drift.noise_at_least + drift.noise_at_most) / 2.0,
                        (drift.noise_at_most - drift.noise_at_least) / 2.0, 0.0, 1.0});
      smallest = numeric::smaller(smallest, runs.energy_error(run));
    }
  }
  moving.push_back({"least change of the energy itself on the circle", smallest, 0.0, 0.1});
  Picture integrals{"Change of the three integrals of the ball, h = 0.1 (largest of each 1/300)"},
      energy{"Change of the moving energy of the ball, h = 0.1 (largest of each 1/300)"};
  for (const char* start : {"circle", "tumbling"}) {
    for (const char* name : {"contact_1", "contact_2", "spin"}) {
      integrals.panels.push_back(
          change_panel(integrals, runs, start, name, std::string("|change of ") + name + "|"));
      integrals.panels.back().row = (integrals.panels.size() - 1) / 3;
      integrals.panels.back().column = (integrals.panels.size() - 1) % 3;
    }
    energy.panels.push_back(
        change_panel(energy, runs, start, "moving_energy", "|change of the moving energy|"));
    energy.panels.back().column = energy.panels.size() - 1;
  }
  integrals.notes.emplace_back("contact_1 = r m x' + K_2, contact_2 = r m y' - K_1, spin = K_3");
  return {{integrals, energy}, {{"002-D.3", kept}, {"002-D.4", moving}}};
}

ExperimentOutcome chart_base(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=3000.0"};
  const StudyRuns unicycle("martin-de-diego-sato-2018/section-7-4-energy", effort),
      ball("martin-de-diego-sato-2018/section-7-5-energy", effort, settings);
  std::vector<Evidence> rolling, tumbling, symmetric;
  for (const char* retraction : retractions) {
    for (int s = 2; s <= 4; ++s) {
      add_unicycle_drift(rolling, unicycle, published_form(retraction, s), s > 2);
      add_unicycle_drift(rolling, unicycle, middle_form(retraction, s), false);
      add_symmetry(symmetric, unicycle, published_form(retraction, s), s == 2);
      add_symmetry(symmetric, unicycle, middle_form(retraction, s), true);
    }
    add_symmetry(symmetric, ball, published_form(retraction, 3), false);
    add_symmetry(symmetric, ball, middle_form(retraction, 3), true);
    for (const std::string& label : {published_form(retraction, 3), middle_form(retraction, 3)}) {
      const Steadiness drift = moving_energy_slope(ball, label);
      tumbling.push_back({"slope of the ball's moving energy, " + label, drift.slope,
                          drift.uncertainty, -INFINITY, INFINITY, EvidenceRole::shown});
    }
  }
  const Steadiness start = moving_energy_slope(ball, published_form("Cayley", 3)),
                   middle = moving_energy_slope(ball, middle_form("Cayley", 3));
  tumbling.push_back(
      {"slope with the base point in the middle, at most, over that with the base "
       "point at the start, at least, Cayley, s = 3",
       (std::fabs(middle.slope) + middle.uncertainty) /
           numeric::larger(0.0, std::fabs(start.slope) - start.uncertainty),
       0.0, 0.0, 0.5});
  return {{base_picture(unicycle, ball)},
          {{"002-D.5", rolling}, {"002-D.6", tumbling}, {"002-D.7", symmetric}}};
}

}  // namespace dalembert::reproduce
