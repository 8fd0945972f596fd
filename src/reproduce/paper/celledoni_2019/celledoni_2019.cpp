// Celledoni et al. 2019: the chaotic system, Suslov's problem and the gearbox.
#include "celledoni_2019.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/paper/ensembles.hpp"
#include "reproduce/paper/orders.hpp"
#include "reproduce/study_runs.hpp"
#include "sleigh.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Round-off of a constraint of terms of size 1, and of an energy after many steps.
constexpr double constraint_round_off = 1e-13, energy_round_off = 1e-11;

/// |energy error| relative to the energy at the start.
Curve relative_energy_error(const StudyRuns& runs, std::size_t run) {
  const Curve energy = runs.column(run, "energy");
  Curve error = runs.change(run, "energy");
  for (double& value : error.values) value /= energy.values.front();
  return error;
}

/// Two panels against time, on logarithmic axes: energy error and constraint.
Picture energy_and_constraint(const StudyRuns& runs, const std::string& title) {
  constexpr std::size_t stretches = 300;
  Picture picture{title};
  picture.panels.resize(2);
  picture.panels[0].y = {"relative energy error", true};
  picture.panels[1].y = {"|constraint|", true};
  picture.panels[1].column = 1;
  for (PicturePanel& panel : picture.panels) panel.x.label = "time t (nondimensional)";
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::size_t entry = picture.entry(runs.plans()[run].method.label);
    picture.panels[0].curves.push_back(
        {entry, upper_envelope(magnitude(relative_energy_error(runs, run)), stretches)});
    picture.panels[1].curves.push_back(
        {entry, upper_envelope(magnitude(runs.column(run, "constraint")), stretches)});
  }
  picture.notes.emplace_back(
      "largest value in each 1/300 of the time; errors below 1.1 10^{-16} "
      "(round-off) are drawn there");
  return picture;
}

double constraint_error(const StudyRuns& runs, const std::string& method) {
  return runs.results()[runs.find(method)].diagnostics.constraint_max;
}

double relative_error(const StudyRuns& runs, std::size_t run) {
  return runs.energy_error(run) / std::fabs(runs.results()[run].diagnostics.energy.initial);
}

ExperimentOutcome celledoni_orders(const ReproductionEffort& effort) {
  const StudyOrders orders("celledoni-2019/orders", effort.quick ? 4 : 5, false);
  std::vector<Evidence> evidence;
  for (const char* method : {"SI-DLA", "I-DLA", "SPARK", "AVF", "GONZALEZ"})
    orders.add(evidence, method, 2);
  return {{orders.picture()}, {{"001-A.1", evidence}}};
}

ExperimentOutcome celledoni_trajectory(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=200.0"};
  const StudyRuns runs("celledoni-2019/trajectory", effort, settings);
  std::vector<Evidence> constraint, energy;
  for (const char* method : {"SI-DLA", "I-DLA", "SPARK", "AVF", "GONZALEZ"})
    constraint.push_back({std::string("largest |constraint|, ") + method,
                          constraint_error(runs, method), 0.0, 0.0, constraint_round_off});
  for (const char* method : {"AVF", "GONZALEZ"})
    energy.push_back({std::string("largest relative energy error, ") + method,
                      relative_error(runs, runs.find(method)), 0.0, 0.0, energy_round_off});
  for (const char* method : {"SI-DLA", "I-DLA", "SPARK"})
    energy.push_back({std::string("largest relative energy error, ") + method,
                      relative_error(runs, runs.find(method)), 0.0, 1e-4, INFINITY});
  return {{energy_and_constraint(runs, "Chaotic system, n = 3, h = 0.1")},
          {{"001-A.2", constraint}, {"001-A.3", energy}}};
}

ExperimentOutcome celledoni_ensemble(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.step=0.2"};
  const StudyEnsembles ensembles("celledoni-2019/figure-2-ensemble", effort, settings);
  constexpr double h = 0.2, published = 1e-4;
  const double scale = published * std::pow(h, 4);
  const auto rate = [&](const std::string& method) {
    return ensembles.rate("rate of the variance over 1e-4 h^4", method, h, GrowthOf::variance,
                          scale, 0.1, 10.0);
  };
  // A power of one where the walk has left the oscillation behind, in the form of the paper.
  std::vector<Evidence> walk{
      rate("SI-DLA"),
      named("power",
            ensembles.power("SI-DLA", h, GrowthOf::variance, 0.75, 1.25, EvidenceRole::published)),
      named("rate",
            ensembles.rate("rate of the variance over 1e-4 h^4, within a factor of 3", "SI-DLA", h,
                           GrowthOf::variance, scale, 1.0 / 3.0, 3.0, EvidenceRole::qualified))};
  std::vector<Evidence> similar{rate("I-DLA"), rate("SPARK")};
  return {{ensembles.picture("Variance of the energy error over random starts of energy 3.06",
                             GrowthOf::variance, published)},
          {{"001-A.4", walk}, {"001-A.5", similar}}};
}

ExperimentOutcome celledoni_suslov(const ReproductionEffort& effort) {
  const StudyRuns runs("celledoni-2019/suslov", effort);
  std::vector<Evidence> kept;
  for (const char* start : {"generic", "unstable"}) {
    const std::size_t gradient = runs.find("discrete gradient", start),
                      midpoint = runs.find("implicit midpoint", start);
    kept.push_back({std::string("largest relative energy error, start ") + start,
                    relative_error(runs, gradient), 0.0, 0.0, energy_round_off});
    kept.push_back({std::string("motion of rho_1, start ") + start,
                    largest(runs.change(gradient, "rho_1")), 0.0, 0.1, INFINITY});
    const Curve one = runs.column(gradient, "rho_1"), other = runs.column(midpoint, "rho_1");
    double difference = one.values.size() == other.values.size() ? 0.0 : NAN;
    for (std::size_t i = 0; i < std::min(one.values.size(), other.values.size()); ++i)
      difference = std::max(difference, std::fabs(one.values[i] - other.values[i]));
    kept.push_back({std::string("difference from the implicit midpoint rule, start ") + start,
                    difference, 0.0, 0.0, energy_round_off});
  }
  return {{runs.picture()}, {{"001-C.1", kept}}};
}

ExperimentOutcome celledoni_gearbox(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=20000.0"};
  const StudyRuns runs("celledoni-2019/figure-4", effort, settings);
  const std::size_t si_dla = runs.find("SI-DLA");
  // The passengers' energy grows; the driver's is kept, and hides it at first.
  const Curve passenger = runs.column(si_dla, "passenger_energy");
  std::vector<Evidence> growth{
      grows_exponentially("the passenger energy of SI-DLA", passenger, 1e-6)};
  Evidence straight{"deviation of its logarithm from a line over the whole growth", NAN};
  try {
    const Growth law = growth_rate(passenger.t, passenger.values);
    straight.value = law.misfit / (law.value.value * (passenger.t.back() - passenger.t.front()));
  } catch (const RequestError&) {  // stays not measurable
  }
  straight.most = 0.1;
  growth.push_back(straight);
  std::vector<Evidence> energy, constraint;
  for (const char* method : {"GONZALEZ-R", "GONZALEZ-F"})
    energy.push_back({std::string("largest relative energy error, ") + method,
                      relative_error(runs, runs.find(method)), 0.0, 0.0, energy_round_off});
  for (const char* method : {"SI-DLA", "GONZALEZ-R"})
    constraint.push_back({std::string("largest |constraint|, ") + method,
                          constraint_error(runs, method), 0.0, 0.0, constraint_round_off});
  constraint.push_back({"largest |constraint|, GONZALEZ-F", constraint_error(runs, "GONZALEZ-F"),
                        0.0, 0.01, INFINITY});
  return {{energy_and_constraint(runs, "Gearbox with an asymmetric pendulum, h = 0.1")},
          {{"001-D.1", growth}, {"001-D.2", energy}, {"001-D.3", constraint}}};
}

}  // namespace

Paper celledoni_2019() {
  return {"001",
          "celledoni-2019",
          "E. Celledoni, M. Farre Puiggali, E. H. Hoiseth and D. Martin de Diego: "
          "Energy-preserving integrators applied to nonholonomic systems. Journal of Nonlinear "
          "Science 29 (2019)",
          {{"figure-2-orders", "Fig. 2, top left", "Orders on the chaotic system",
            "n = 3, integrated to t = 10 from a start of energy 3.06.", celledoni_orders},
           {"figure-2-trajectory", "Fig. 2, top right and bottom left",
            "Constraint and energy on the chaotic system",
            "One trajectory of energy 3.06, h = 0.1, T = 1000 (200 with --quick). The paper does "
            "not print its random start.",
            celledoni_trajectory},
           {"figure-2-ensemble", "Fig. 2, bottom right", "Random walk of the energy error",
            "200 random starts of energy 3.06, h = 0.2 and 0.1, T = 4000 (h = 0.2 "
            "alone with --quick).",
            celledoni_ensemble},
           {"figure-3", "Prop. 4.1 and Fig. 3", "Equilibria of the Chaplygin sleigh",
            "J = 8, m = a = 1, h = 0.5, the published starts; the multiplier of a step at the "
            "equilibria rho_2 = +-0.6 for steps on both sides of the bound, from a perturbation "
            "of 1e-10 in extended precision.",
            celledoni_sleigh},
           {"suslov", "Sect. 4.3", "Energy of the Suslov problem",
            "Coupled inertia (I13 = 0.4, I23 = 0.6: without it every state is an equilibrium), h "
            "= 0.1, T = 1000.",
            celledoni_suslov},
           {"figure-4", "Fig. 4", "Long runs of the gearbox",
            "h = 0.1, T = 50000 (20000 with --quick), epsilon = 0.4. The paper does not print its "
            "random starts; this one has a turning driver.",
            celledoni_gearbox}}};
}

}  // namespace dalembert::reproduce
