#include "gearbox.hpp"

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

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

/// The largest |constraint| of a method.
double constraint_error(const StudyRuns& runs, const std::string& method) {
  return runs.results()[runs.find(method)].diagnostics.constraint_max;
}

/// The largest energy error of a run, relative to the energy at the start.
double relative_error(const StudyRuns& runs, std::size_t run) {
  return runs.energy_error(run) / std::fabs(runs.results()[run].diagnostics.energy.initial);
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

/// Surely growing, and surely level, per unit of time.
constexpr double grows = 1e-6, level = 1e-8;

/// A start of SI-DLA on the gearbox: the passengers always start alike.
struct GearboxStart {
  const char* name;
  const char* rate;                 ///< what the qualification calls its rate
  const char *position, *velocity;  ///< of the driver
  double sense;                     ///< of its turning: 1, -1, or 0 for a swinging driver
};
// 1 and 1.2 are the start of Fig. 4 here: its driver turns just fast enough to pass the top.
constexpr GearboxStart gearbox_starts[] = {
    {"forwards, xi' = 1.2", "forwards", "1", "1.2", 1.0},
    {"forwards, xi' = 2.4", "fast forwards", "1", "2.4", 1.0},
    {"backwards, xi' = -1.2", "backwards", "1", "-1.2", -1},
    {"backwards, xi' = -2.4", "fast backwards", "1", "-2.4", -1},
    {"swinging, xi' = 0.3", "swinging", "2.5", "0.3", 0.0},
    {"swinging, xi' = -0.3", "swinging back", "2.5", "-0.3", 0.0}};

/// A run of SI-DLA from one of the starts.
StudyRuns gearbox_run(const GearboxStart& start, const ReproductionEffort& effort,
                      const std::string& until, const std::string& step = "0.1") {
  const std::string xi = start.position;
  return {"celledoni-2019/figure-4-starts",
          effort,
          {"initial.q=[0.6, -0.8, " + xi + "]",
           "initial.v=[\"-0.5*sin(" + xi + ")\", 0.5, " + start.velocity + "]",
           "run.until=" + until, "run.step=" + step}};
}

/// The rate of a passenger energy with the bounds that a form of the claim puts on it.
Evidence rate_between(const std::string& what, const Curve& energy, double least, double most,
                      EvidenceRole role) {
  Evidence evidence = grows_exponentially(what, energy, least, role);
  evidence.most = most;
  return evidence;
}

/// The curve from a time on.
Curve tail(const Curve& curve, double from) {
  Curve rest;
  for (std::size_t i = 0; i < curve.t.size(); ++i) {
    if (curve.t[i] < from) continue;
    rest.t.push_back(curve.t[i]);
    rest.values.push_back(curve.values[i]);
  }
  return rest;
}

/// How far the logarithm of the energy is from a line, over its whole change.
Evidence straightness(const Curve& energy) {
  Evidence straight{"deviation of the logarithm from a line over the whole growth, Fig. 4", NAN};
  try {
    const Growth law = growth_rate(energy.t, energy.values);
    straight.value = law.misfit / (law.value.value * (energy.t.back() - energy.t.front()));
  } catch (const RequestError&) {  // stays not measurable
  }
  straight.most = 0.1;
  return straight;
}

/// The power of the passengers' energy with which the constraint error grows.
Evidence constraint_power(const StudyRuns& runs) {
  constexpr std::size_t stretches = 40;
  const Curve energy = upper_envelope(runs.column(0, "passenger_energy"), stretches),
              error = upper_envelope(magnitude(runs.column(0, "constraint")), stretches);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < numeric::smaller(energy.values.size(), error.values.size()); ++i) {
    x.push_back(std::log(energy.values[i]));
    y.push_back(std::log(error.values[i]));
  }
  const LineFit line = fit_line(x, y);
  return {
      "power of the passenger energy with which the round-off in the constraint grows, "
      "SI-DLA, forwards, xi' = 2.4",
      line.slope, 2.0 * line.slope_error, 0.35, 0.65};
}

/// What the claim, and its qualified form, ask of the passengers' energy from a start.
void add_rates(std::vector<Evidence>& growth, const GearboxStart& start, const Curve& energy) {
  const std::string what = std::string("the passenger energy of SI-DLA, ") + start.name;
  if (start.sense > 0.0) {
    growth.push_back(
        named(start.rate, rate_between(what, energy, grows, INFINITY, EvidenceRole::both)));
    return;
  }
  const bool turns = start.sense < 0.0;
  growth.push_back(rate_between(what, energy, grows, INFINITY, EvidenceRole::published));
  growth.push_back(
      named(start.rate, rate_between(what, energy, turns ? -INFINITY : -level,
                                     turns ? -grows : level, EvidenceRole::qualified)));
}

/// The rate forwards with half the step over that with the step.
Evidence rate_by_step(const ReproductionEffort& effort, const std::string& until,
                      const Curve& energy) {
  const StudyRuns halved = gearbox_run(gearbox_starts[1], effort, until, "0.05");
  const Evidence whole = rate_between("", energy, grows, INFINITY, EvidenceRole::qualified),
                 half = rate_between("", halved.column(0, "passenger_energy"), 0.0, INFINITY,
                                     EvidenceRole::qualified);
  return {
      std::string("growth rate with h = 0.05 over that with h = 0.1, ") + gearbox_starts[1].name,
      half.value / whole.value,
      half.uncertainty / whole.value,
      0.2,
      0.3,
      EvidenceRole::qualified};
}

/// The rates that decide the claim, the picture of the energies, and the constraint error.
void measure_starts(const ReproductionEffort& effort, ExperimentOutcome& outcome) {
  const std::string until = effort.quick ? "20000.0" : "50000.0";
  Picture picture{"Passenger energy of SI-DLA on the gearbox, h = 0.1, by the driver's motion"};
  PicturePanel panel{.title = ""};
  panel.x.label = "time t (nondimensional)";
  panel.y = {"passenger energy", true};
  std::vector<Evidence> growth, constraint;
  for (const GearboxStart& start : gearbox_starts) {
    const StudyRuns runs = gearbox_run(start, effort, until);
    const Curve energy = runs.column(0, "passenger_energy");
    panel.curves.push_back({picture.entry(start.name), upper_envelope(energy, 300)});
    add_rates(growth, start, energy);
    if (&start == &gearbox_starts[0]) growth.push_back(straightness(energy));
    if (&start != &gearbox_starts[1]) continue;
    growth.push_back(rate_by_step(effort, until, energy));
    constraint.push_back(constraint_power(runs));
  }
  picture.panels.push_back(std::move(panel));
  outcome.pictures.push_back(std::move(picture));
  const StudyRuns longer = gearbox_run(gearbox_starts[2], effort, "200000.0");
  growth.push_back(named(
      "later",
      rate_between(
          "the passenger energy of SI-DLA from t = 100000 to 200000, backwards, xi' = -1.2",
          tail(longer.column(0, "passenger_energy"), 1e5), grows, 3e-5, EvidenceRole::qualified)));
  outcome.findings.push_back({"001-D.1", growth});
  outcome.findings.push_back({"001-D.4", constraint});
}

}  // namespace

ExperimentOutcome celledoni_gearbox(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=20000.0"};
  const StudyRuns runs("celledoni-2019/figure-4", effort, settings);
  std::vector<Evidence> energy, constraint;
  for (const char* method : {"GONZALEZ-R", "GONZALEZ-F"})
    energy.push_back({std::string("largest relative energy error, ") + method,
                      relative_error(runs, runs.find(method)), 0.0, 0.0, energy_round_off});
  for (const char* method : {"SI-DLA", "GONZALEZ-R"})
    constraint.push_back({std::string("largest |constraint|, ") + method,
                          constraint_error(runs, method), 0.0, 0.0, constraint_round_off});
  constraint.push_back({"largest |constraint|, GONZALEZ-F", constraint_error(runs, "GONZALEZ-F"),
                        0.0, 0.01, INFINITY});
  ExperimentOutcome outcome{
      {energy_and_constraint(runs, "Gearbox with an asymmetric pendulum, h = 0.1")},
      {{"001-D.2", energy}, {"001-D.3", constraint}}};
  measure_starts(effort, outcome);
  return outcome;
}

}  // namespace dalembert::reproduce
