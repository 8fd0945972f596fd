// Martin de Diego and Sato 2018, Figs. 4 and 5: energies and multiplier of the transmission.
#include "lobatto_transmission.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/run_result.hpp"
#include "lobatto_multiplier.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

const TransmissionMotion transmission_motions[6] = {{"oscillating", "0"},   {"oscillating", "0.1"},
                                                    {"oscillating", "0.5"}, {"rotating", "0"},
                                                    {"rotating", "0.1"},    {"rotating", "0.5"}};

bool TransmissionMotion::reversible() const {
  return std::strcmp(start, "oscillating") == 0 || std::strcmp(epsilon, "0") == 0;
}
std::string TransmissionMotion::words() const {
  return std::string(start) + ", epsilon = " + epsilon;
}
std::string TransmissionMotion::label(const std::string& step) const {
  return words() + ", h = " + step;
}

std::string stages_label(int s) { return "s = " + std::to_string(s); }

Steadiness energy_steadiness(const StudyRuns& runs, int s, const TransmissionMotion& motion,
                             const std::string& step, const std::string& energy) {
  // Energies of size 1 that a method keeps walk so far by round-off in two million steps.
  constexpr double round_off_walk = 1e-11;
  return steadiness(runs.change(runs.find(stages_label(s), motion.label(step)), energy),
                    round_off_walk);
}

namespace {

bool belongs(const TransmissionMotion& motion, Motions motions) {
  return motions == Motions::all || motion.reversible() == (motions == Motions::reversible);
}

std::string motions_text(Motions motions) {
  if (motions == Motions::all) return "all motions";
  return motions == Motions::reversible ? "reversible motions" : "driver rotating, epsilon not 0";
}

/// A number that is surely between `low` and `high`.
Evidence surely_between(const std::string& what, double low, double high, double least, double most,
                        EvidenceRole role) {
  return {what, (low + high) / 2.0, (high - low) / 2.0, least, most, role};
}

}  // namespace

Evidence free_in(Motions motions, const std::string& what, const MotionDrift& drift,
                 EvidenceRole role) {
  double low = 0.0, high = 0.0;
  for (const TransmissionMotion& motion : transmission_motions) {
    if (!belongs(motion, motions)) continue;
    const Steadiness now = drift(motion);
    low = numeric::larger(low, now.noise_at_least);
    high = numeric::larger(high, now.noise_at_most);
  }
  return surely_between(
      "largest drift of the " + what + " over what hides it, " + motions_text(motions), low, high,
      0.0, 1.0, role);
}

Evidence drifting_in(Motions motions, const std::string& what, const MotionDrift& drift,
                     EvidenceRole role) {
  double low = INFINITY, high = INFINITY;
  for (const TransmissionMotion& motion : transmission_motions) {
    if (!belongs(motion, motions)) continue;
    const Steadiness now = drift(motion);
    low = numeric::smaller(low, now.noise_at_least);
    high = numeric::smaller(high, now.noise_at_most);
  }
  return surely_between(
      "least drift of the " + what + " over what noise hides, " + motions_text(motions), low, high,
      1.0, INFINITY, role);
}

namespace {

/// Below this, round-off has a part in the error of an energy of size 1.
constexpr double resolved = 1e-12;

double largest_energy_error(const StudyRuns& runs, std::size_t energy, int s,
                            const TransmissionMotion& motion, const std::string& step) {
  const std::size_t run = runs.find(stages_label(s), motion.label(step));
  return runs.results()[run].diagnostics.integrals[energy].max_error;
}

/// Where all motions and both energies with errors above round-off are concerned, how far the power
/// with which the error falls from h = 0.1 to 0.05 is from 2 s - 2.
double worst_power(const StudyRuns& runs, int s) {
  double worst = 0.0;
  bool is_resolved = false;
  for (const TransmissionMotion& motion : transmission_motions) {
    for (std::size_t energy = 0; energy < 2; ++energy) {
      const double half = largest_energy_error(runs, energy, s, motion, "0.05");
      if (half < resolved) continue;
      const double power = std::log2(largest_energy_error(runs, energy, s, motion, "0.1") / half);
      worst = numeric::larger(worst, std::fabs(power - (2.0 * s - 2.0)));
      is_resolved = true;
    }
  }
  return is_resolved ? worst : NAN;
}

double worst_energy_error(const StudyRuns& runs, int s, const std::string& step) {
  double worst = 0.0;
  for (const TransmissionMotion& motion : transmission_motions) {
    for (std::size_t energy = 0; energy < 2; ++energy) {
      const double now = largest_energy_error(runs, energy, s, motion, step);
      worst = numeric::larger(worst, now);
    }
  }
  return worst;
}

ClaimFinding erratic_at_the_step(const StudyRuns& runs) {
  std::vector<Evidence> evidence;
  double worst = 0.0;
  for (int s = least_stages; s <= most_stages; ++s) {
    worst = numeric::larger(worst, worst_energy_error(runs, s, "0.1"));
    if (s == most_stages) continue;  // with h = 0.05 all is round-off
    evidence.push_back(
        {"power of h in the errors of both energies from h = 0.1 to 0.05, distance "
         "from 2 s - 2, all motions, " +
             stages_label(s),
         worst_power(runs, s), 0.0, 0.0, 0.6});
  }
  evidence.push_back({"largest error of both energies at h = 0.1, all motions, all s", worst, 0.0,
                      0.0, INFINITY, EvidenceRole::shown, "error"});
  evidence.push_back(not_stated("the step at which the behaviour is erratic"));
  return {"002-B.1", evidence};
}

/// Three stages, a rotating driver and epsilon not 0: a drift, and how it falls with the step.
void add_drift_of_three_stages(std::vector<Evidence>& evidence, const StudyRuns& runs) {
  for (const std::size_t number : {4, 5}) {
    const TransmissionMotion& motion = transmission_motions[number];
    const std::string name = ", " + motion.words() + ", s = 3";
    const Steadiness coarse = energy_steadiness(runs, 3, motion, "0.1", "passenger_energy"),
                     fine = energy_steadiness(runs, 3, motion, "0.05", "passenger_energy");
    evidence.push_back(
        {"drift of the passenger energy over what its oscillation hides, h = 0.05" + name,
         (fine.at_least + fine.at_most) / 2.0, (fine.at_most - fine.at_least) / 2.0, 1.0, INFINITY,
         EvidenceRole::qualified});
    evidence.push_back({"drift of the passenger energy per unit of time, h = 0.1" + name,
                        coarse.slope, coarse.uncertainty, -INFINITY, INFINITY, EvidenceRole::shown,
                        std::string("drift, ") + motion.epsilon});
    evidence.push_back({"power of h in that drift from h = 0.1 to 0.05" + name,
                        std::log2(coarse.slope / fine.slope), 0.0, 3.4, 4.6,
                        EvidenceRole::qualified, std::string("power, ") + motion.epsilon});
  }
}

ClaimFinding excellent_below(const StudyRuns& runs) {
  std::vector<Evidence> evidence;
  double size = 0.0;
  for (int s = least_stages; s <= most_stages; ++s)
    size = numeric::larger(size, worst_energy_error(runs, s, "0.05"));
  evidence.push_back(named(
      "error",
      {"largest error of both energies at h = 0.05, all motions, all s", size, 0.0, 0.0, 0.01}));
  for (int s = least_stages; s <= most_stages; ++s) {
    const auto drift = [&](const char* energy) {
      return [&runs, s, energy](const TransmissionMotion& motion) {
        return energy_steadiness(runs, s, motion, "0.05", energy);
      };
    };
    const std::string name = ", h = 0.05, " + stages_label(s);
    evidence.push_back(free_in(Motions::all, "driver energy" + name, drift("driver_energy")));
    const MotionDrift passenger = drift("passenger_energy");
    evidence.push_back(free_in(Motions::reversible, "passenger energy" + name, passenger));
    evidence.push_back(free_in(Motions::not_reversible, "passenger energy" + name, passenger,
                               s == 2 ? EvidenceRole::both : EvidenceRole::published));
  }
  add_drift_of_three_stages(evidence, runs);
  return {"002-B.2", evidence};
}

/// Both energies and the multiplier over the first hundred units of time, and their errors.
Picture figure(const StudyRuns& runs, const TransmissionMotion& motion, const std::string& name) {
  Picture picture{name + ": driver " + motion.words() + ", h = 0.1"};
  const char* columns[] = {"driver_energy", "passenger_energy", "lambda_1"};
  const char* words[] = {"driver energy", "passenger energy", "multiplier"};
  for (std::size_t column = 0; column < 3; ++column) {
    PicturePanel value{.title = words[column], .column = column},
        error{.title = "", .row = 1, .column = column};
    value.x.label = error.x.label = "time t (nondimensional)";
    value.y.label = words[column];
    error.y = {std::string("|error of the ") + words[column] + "|", true};
    for (int s = least_stages; s <= most_stages; ++s) {
      const std::size_t run = runs.find(stages_label(s), motion.label("0.1"));
      const std::size_t entry = picture.entry(stages_label(s));
      Curve begin = runs.column(run, columns[column]);
      const auto shown = static_cast<std::size_t>(
          std::upper_bound(begin.t.begin(), begin.t.end(), 50.0) - begin.t.begin());
      begin.t.resize(shown);
      begin.values.resize(shown);
      value.curves.push_back({entry, std::move(begin)});
      const Curve change =
          column < 2 ? runs.change(run, columns[column]) : multiplier_error(runs, run);
      error.curves.push_back({entry, upper_envelope(magnitude(change), 300)});
    }
    picture.panels.push_back(std::move(value));
    picture.panels.push_back(std::move(error));
  }
  picture.notes.emplace_back(
      "below: the largest of each 1/300 of the time; the error of the multiplier is weighted by "
      "sqrt(A M^{-1} A^T)");
  return picture;
}

}  // namespace

ExperimentOutcome lobatto_transmission(const ReproductionEffort& effort) {
  const StudyRuns runs("martin-de-diego-sato-2018/figure-4", effort);
  return {{figure(runs, transmission_motions[2], "Fig. 4"),
           figure(runs, transmission_motions[5], "Fig. 5")},
          {erratic_at_the_step(runs), excellent_below(runs), carried_multiplier(runs)}};
}

}  // namespace dalembert::reproduce
