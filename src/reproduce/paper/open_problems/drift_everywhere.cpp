// The six cases of the pendulum-driven transmission, with all methods and over a million units of
// time.
#include "drift_everywhere.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/measure/discrete_energy.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/modin_verdier_2020/transmission_integrals.hpp"
#include "reproduce/study_runs.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double exact_energy = 1e-9;  // round-off of 1e7 steps, which walks

/// The new methods, those that keep both energies exactly, and those that lose the passengers'
/// where the driver's motion is not reversible.
const std::vector<std::string> splittings{"driver-splitting", "driver-splitting, energy",
                                          "driver-splitting composed"};
const std::vector<std::string> exact_methods{"mean value", "energy-collocation 1",
                                             "energy-collocation 2", "driver-splitting, energy"};
const std::vector<std::string> losing{"dla",
                                      "dla01",
                                      "newmark",
                                      "newmark-composition",
                                      "velocity-dla",
                                      "discrete-derivative",
                                      "reduced-gradient",
                                      "gonzalez-full",
                                      "spark",
                                      "dla01 composed",
                                      "lobatto 3 turned",
                                      "lobatto 3 closed",
                                      "lobatto 4"};
/// What pictures show.
const std::vector<std::string> shown{
    "dla01",    "discrete-derivative",  "lobatto 3 turned",          "lobatto 4",
    "leapfrog", "energy-collocation 2", "driver-splitting composed", "frame-splitting"};

/// The three integrals of the transmission along all runs.
struct AllIntegrals {
  TransmissionIntegral passenger, driver, latitude;

  AllIntegrals(const StudyRuns& runs, const ReproductionEffort& effort, std::size_t samples)
      : passenger(TransmissionIntegral::energy(runs, "passenger_energy")),
        driver(TransmissionIntegral::energy(runs, "driver_energy")),
        latitude(TransmissionIntegral::latitude(runs, samples, effort.threads)) {}

  /// No drift of any of them in any case.
  void add_free(std::vector<Evidence>& evidence, const std::string& method) const {
    for (const TransmissionIntegral* integral : {&passenger, &driver, &latitude})
      evidence.push_back(integral->free(method, all_cases));
  }
};

/// The largest change of an energy by a method in all cases.
Evidence exact_change(const TransmissionIntegral& integral, const std::string& method) {
  Evidence evidence = integral.largest_change(method, all_cases);
  evidence.role = EvidenceRole::both;
  evidence.least = 0.0;
  evidence.most = exact_energy;
  return evidence;
}

/// In how many of the six cases an integral surely drifts or has drifted away, slowly or not.
int lost_cases(const TransmissionIntegral& integral, const std::string& method) {
  int count = 0;
  for (std::size_t number = 0; number < transmission_cases.size(); ++number) {
    const Standing now = integral.standing(method, number);
    count += now == Standing::drifts || now == Standing::slow ? 1 : 0;
  }
  return count;
}

Evidence loses_somewhere(const TransmissionIntegral& passenger, const std::string& method) {
  return {"cases of six in which the passenger energy drifts, " + method,
          static_cast<double>(lost_cases(passenger, method)), 0.0, 1.0, 6.0};
}

/// A mark of what happens to each integral.
std::string standing_mark(const AllIntegrals& all, const std::string& method, std::size_t number) {
  std::string text;
  const auto add = [&](const TransmissionIntegral& integral, const char* letter) {
    const Standing now = integral.standing(method, number);
    if (now == Standing::free) return;
    text += (text.empty() ? "" : " ") + std::string(letter) +
            (now == Standing::slow        ? " slowly"
             : now == Standing::undecided ? "?"
                                          : "");
  };
  add(all.passenger, "E");
  add(all.driver, "W");
  add(all.latitude, "L");
  return text.empty() ? "-" : text;
}

ResultTable standing_table(const StudyRuns& runs, const AllIntegrals& all) {
  ResultTable table{
      "What drifts: E the passenger energy, W the driver energy, L the latitude, ? not decided, - "
      "none of them"};
  table.head = {"method"};
  for (const char* name : transmission_cases) table.head.emplace_back(name);
  for (const RunPlan& plan : runs.plans()) {
    if (plan.label != transmission_cases[0]) continue;
    const std::string& method = plan.method.label;
    table.rows.push_back({method});
    for (std::size_t number = 0; number < transmission_cases.size(); ++number)
      table.rows.back().push_back(standing_mark(all, method, number));
  }
  return table;
}

}  // namespace

ExperimentOutcome open_problems_drift(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=3000.0", "run.record_every=5"};
  const StudyRuns runs("open-problems/drift", effort, settings);
  const AllIntegrals all(runs, effort, effort.quick ? 120 : 480);
  std::vector<Evidence> exact, lost, frame;
  for (const std::string& method : exact_methods) {
    exact.push_back(exact_change(all.passenger, method));
    exact.push_back(exact_change(all.driver, method));
  }
  for (const std::string& method : losing) {
    // The slowest drifts are not seen in short runs.
    if (!effort.quick || !method.starts_with("lobatto"))
      lost.push_back(loses_somewhere(all.passenger, method));
  }
  // The carried multiplier beats with the axis: growth and the beginning of a beat look alike.
  Evidence beating = loses_somewhere(all.passenger, "lobatto 3");
  beating.what += ": drift or beat not decided";
  beating.role = EvidenceRole::shown;
  lost.push_back(beating);
  frame.push_back(exact_change(all.passenger, "frame-splitting"));
  frame.push_back(exact_change(all.driver, "frame-splitting"));
  frame.push_back(all.latitude.free("frame-splitting", all_cases));
  frame.push_back(driver_alone(runs.plans()[runs.find("frame-splitting")]));
  return {
      {all.passenger.picture(30.0, shown), all.driver.picture(30.0, shown),
       all.latitude.picture(30.0, shown)},
      {{"open-2.1", lost}, {"open-2.2", exact}, {"open-3.3", frame}},
      {standing_table(runs, all), all.passenger.table(), all.driver.table(), all.latitude.table()}};
}

ExperimentOutcome open_problems_million(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=10000.0", "run.record_every=20"};
  const StudyRuns runs("open-problems/million", effort, settings);
  const AllIntegrals all(runs, effort, effort.quick ? 120 : 600);
  const double window = effort.quick ? 300.0 : 3000.0;
  std::vector<Evidence> no_drift, energies, leapfrog;
  for (const std::string& method : splittings) {
    no_drift.push_back(exact_change(all.passenger, method));
    no_drift.push_back(all.driver.free(method, all_cases));
    no_drift.push_back(all.latitude.free(method, all_cases));
  }
  const char* exact = "driver-splitting, energy";
  energies.push_back(exact_change(all.passenger, exact));
  energies.push_back(exact_change(all.driver, exact));
  energies.push_back(driver_alone(runs.plans()[runs.find(exact)]));
  all.add_free(leapfrog, "leapfrog");
  return {{all.passenger.picture(window), all.driver.picture(window), all.latitude.picture(window)},
          {{"open-2.3", leapfrog}, {"open-3.1", no_drift}, {"open-3.2", energies}},
          {all.passenger.table(), all.driver.table(), all.latitude.table()}};
}

}  // namespace dalembert::reproduce
