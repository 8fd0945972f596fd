// Modin and Verdier 2020, Fig. 4: the knife edge.
#include "knife_edge.hpp"

#include <cmath>

#include "dalembert/measure/floquet.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* plain = "horizontal, epsilon = 0";
constexpr const char* perturbed = "horizontal, epsilon = 0.1";
constexpr double knife_edge_window = 3.0;  // of the paper's running mean
constexpr double negligible = 5e-3;        // of an error that is 1 to 3 % of the kinetic energy
constexpr double negligible_acceleration = 1e-12;  // far above the round-off of an average
constexpr double exact_driver_energy = 1e-13;      // round-off of single steps that does not add up
constexpr double exact_energy = 1e-9;  // far above that of these runs, far below any oscillation

/// The energy error over the kinetic energy of the sliding motion, both as running means.
Curve relative_error(const StudyRuns& runs, std::size_t run) {
  Curve speed = runs.column(run, "x1_dot"), other = runs.column(run, "x2_dot");
  for (std::size_t i = 0; i < speed.values.size(); ++i) {
    speed.values[i] = 0.5 * (speed.values[i] * speed.values[i] + other.values[i] * other.values[i]);
  }
  Curve error = running_mean(runs.change(run, "energy"), knife_edge_window);
  const Curve kinetic = running_mean(speed, knife_edge_window);
  for (std::size_t i = 0; i < error.values.size(); ++i) error.values[i] /= kinetic.values[i];
  return error;
}

/// The same without the first tenth, where the blade is slow and the quotient means little.
Curve settled_relative_error(const StudyRuns& runs, std::size_t run) {
  Curve error = relative_error(runs, run);
  const auto tenth = static_cast<std::ptrdiff_t>(error.t.size() / 10);
  error.t.erase(error.t.begin(), error.t.begin() + tenth);
  error.values.erase(error.values.begin(), error.values.begin() + tenth);
  return error;
}

/// The largest change of the driver's energy by a method, with epsilon = 0 and 0.1.
Evidence kept_driver_energy(const StudyRuns& runs, const char* method) {
  double worst = 0.0;
  for (const char* label : {plain, perturbed}) {
    const double now = largest(runs.change(runs.find(method, label), "driver_energy"));
    worst = numeric::larger(worst, now);
  }
  return {std::string("largest change of the driver's energy to t = 3000, ") + method, worst, 0.0,
          0.0, exact_driver_energy};
}

Picture knife_edge_picture(const StudyRuns& runs) {
  Picture picture{"Energy error of the knife edge, h = pi/10, running mean over 3 units of time"};
  for (std::size_t column = 0; column < 3; ++column) {
    const char* label = column == 0 ? plain : perturbed;
    PicturePanel panel{.title = column == 0   ? "epsilon = 0"
                                : column == 1 ? "epsilon = 0.1"
                                              : "epsilon = 0.1, relative to the kinetic energy"};
    panel.column = column;
    panel.x.label = "time t (nondimensional)";
    panel.y = {column == 2 ? "|mean energy error| / mean kinetic energy" : "|mean energy error|",
               true, std::pair(1e-17, 100.0)};
    for (const RunPlan& plan : runs.plans()) {
      if (plan.label != label) continue;
      const Curve curve = column == 2
                              ? shown_error(relative_error(runs, plan.index), 0.0)
                              : shown_error(runs.change(plan.index, "energy"), knife_edge_window);
      panel.curves.push_back({picture.entry(plan.method.label), curve});
    }
    picture.panels.push_back(std::move(panel));
  }
  picture.notes.emplace_back("errors below 1.1 10^{-16} (round-off) are drawn there");
  return picture;
}

}  // namespace

ExperimentOutcome modin_verdier_knife_edge(const ReproductionEffort& effort) {
  const StudyRuns runs("modin-verdier-2020/figure-4", effort);
  const StudyRuns longer("modin-verdier-2020/figure-4", effort, {"run.until=3000.0"});
  const auto energy = [](const StudyRuns& of, const char* method, const char* label) {
    return of.change(of.find(method, label), "energy");
  };
  std::vector<Evidence> bounded, drifting;
  for (const char* method : {"DLA 0.5", "DLA 0,1", "LF", "DD"}) {
    bounded.push_back(free_of_drift(std::string("energy to t = 3000, ") + method,
                                    energy(longer, method, plain), EvidenceRole::both,
                                    std::string(method) == "DD" ? exact_energy : 0.0));
  }
  bounded.push_back(drifts("energy to t = 100, DLA 0.4", energy(runs, "DLA 0.4", plain)));
  for (const char* method : {"DLA 0.5", "DLA 0.4", "DLA 0,1", "LF"})
    drifting.push_back(
        drifts(std::string("energy to t = 3000, ") + method, energy(longer, method, perturbed)));
  drifting.push_back(free_of_drift("energy to t = 3000, DD", energy(longer, "DD", perturbed),
                                   EvidenceRole::both, exact_energy));
  for (const char* method : {"DLA 0.5", "DLA 0,1", "LF"}) {
    const Curve relative = settled_relative_error(longer, longer.find(method, perturbed));
    // Published: a loss of structure. It would show relative to the energy that is exchanged.
    drifting.push_back(drifts(std::string("relative energy error, ") + method, relative,
                              EvidenceRole::published, negligible));
    drifting.push_back(free_of_drift(std::string("relative energy error, ") + method, relative,
                                     EvidenceRole::qualified, negligible));
  }
  drifting.push_back(drifts("relative energy error, DLA 0.4",
                            settled_relative_error(longer, longer.find("DLA 0.4", perturbed)),
                            EvidenceRole::both, negligible));
  const RunPlan& bent = longer.plans()[longer.find("DD", perturbed)];
  drifting.push_back({"mean acceleration of the exact motion along the blade, epsilon = 0.1",
                      FloquetAverage(bent.system, bent.parameters).rate(bent.q, bent.v), 0.0,
                      negligible_acceleration, INFINITY, EvidenceRole::qualified});
  std::vector<Evidence> driver;
  for (const char* method : {"DLA 0.5", "DLA 0.4", "DLA 0,1", "LF", "DD"})
    driver.push_back(kept_driver_energy(longer, method));
  return {{knife_edge_picture(runs)},
          {{"000-C.1", bounded}, {"000-C.2", drifting}, {"000-C.3", driver}}};
}

}  // namespace dalembert::reproduce
