// Modin and Verdier 2020, Figs. 6 to 8 and the open problems: the pendulum-driven transmission.
#include "transmission.hpp"

#include <cmath>

#include "dalembert/measure/discrete_energy.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/run_plan.hpp"
#include "reproduce/experiment.hpp"
#include "study/extended.hpp"
#include "transmission_integrals.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* reversible_methods[] = {"DLA 0.5", "DLA 0,1", "LF"};

std::size_t latitude_samples(const ReproductionEffort& effort) { return effort.quick ? 200 : 600; }

/// The largest change of the leap-frog's discrete energy of the passengers along a run.
double discrete_energy_defect(const RunPlan& plan) {
  Stepper stepper(plan.program, plan.step, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  const DiscreteEnergy energy(plan.system, plan.parameters, {"x1", "x2"});
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  std::vector<double> before = plan.q;
  double first = 0.0, worst = 0.0;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = plan.steps}, [&](const Sample& sample) {
        if (sample.step > 0) {
          const double now = energy(before, sample.q, plan.step);
          if (sample.step == 1) first = now;
          worst = numeric::larger(worst, std::fabs(now - first));
        }
        before.assign(sample.q.begin(), sample.q.end());
        return true;
      });
  return report.status == RunReport::Status::ok ? worst : NAN;
}

double worst_discrete_energy(const StudyRuns& runs) {
  double worst = 0.0;
  for (const char* name : transmission_cases) {
    const double defect = discrete_energy_defect(runs.plans()[runs.find("LF", name)]);
    worst = numeric::larger(worst, defect);
  }
  return worst;
}

/// The largest change of the total energy by a method, in all cases.
Evidence total_energy(const StudyRuns& runs, const std::string& method) {
  double worst = 0.0;
  for (const char* name : transmission_cases) {
    const double now = runs.energy_error(runs.find(method, name));
    worst = numeric::larger(worst, now);
  }
  return {"largest change of the total energy, " + method + ", all cases", worst, 0.0, 0.0, 1e-10};
}

/// The three integrals of long runs.
struct Integrals {
  TransmissionIntegral passenger, driver, latitude;

  void add_all(std::vector<Evidence>& evidence, const std::string& method) const {
    for (const TransmissionIntegral* integral : {&passenger, &driver, &latitude})
      evidence.push_back(integral->free(method, all_cases));
  }
};

/// The published drift of the discrete-derivative method with Gonzalez' gradient in each case where
/// the reversal is seen, with what is there instead.
std::vector<Evidence> gonzalez_drift(const TransmissionIntegral& integral) {
  std::vector<Evidence> evidence;
  for (const std::size_t number : reversible_cases.numbers)
    evidence.push_back(integral.drifting("DD", {transmission_cases[number], {number}}));
  evidence.push_back(integral.free("DD", reversible_cases, EvidenceRole::shown));
  evidence.push_back(named("slope", integral.largest_slope("DD", reversible_cases)));
  evidence.push_back(named("change", integral.largest_change("DD", reversible_cases)));
  return evidence;
}

/// Figs. 6 and 8 alike: an integral that reversible methods keep in the reversible cases, and that
/// all but the leap-frog lose in the others.
ExperimentOutcome kept_and_lost(const TransmissionIntegral& integral, const char* kept_claim,
                                const char* lost_claim) {
  std::vector<Evidence> kept, rotating;
  for (const char* method : reversible_methods)
    kept.push_back(integral.free(method, reversible_cases));
  for (const char* method : {"DLA 0.5", "DLA 0,1", "DD"})
    rotating.push_back(integral.drifting(method, not_reversible_cases));
  rotating.push_back(integral.gone("DLA 0.4", not_reversible_cases, 0.1));
  rotating.push_back(integral.free("LF", not_reversible_cases));
  return {{integral.picture()}, {{kept_claim, kept}, {lost_claim, rotating}}, {integral.table()}};
}

}  // namespace

ExperimentOutcome modin_verdier_passenger(const ReproductionEffort& effort) {
  const StudyRuns runs("modin-verdier-2020/figure-6", effort);
  const auto passenger = TransmissionIntegral::energy(runs, "passenger_energy");
  return kept_and_lost(passenger, "000-D.1", "000-D.2");
}

ExperimentOutcome modin_verdier_driver(const ReproductionEffort& effort) {
  const StudyRuns runs("modin-verdier-2020/figure-7", effort);
  const auto driver = TransmissionIntegral::energy(runs, "driver_energy");
  std::vector<Evidence> kept;
  for (const char* method : {"DLA 0.5", "DLA 0.4", "DLA 0,1", "LF"})
    kept.push_back(driver.free(method, all_cases));
  return {{driver.picture()}, {{"000-D.3", kept}}, {driver.table()}};
}

ExperimentOutcome modin_verdier_latitude(const ReproductionEffort& effort) {
  const StudyRuns runs("modin-verdier-2020/figure-6", effort);
  const auto latitude =
      TransmissionIntegral::latitude(runs, latitude_samples(effort), effort.threads);
  return kept_and_lost(latitude, "000-D.4", "000-D.5");
}

ExperimentOutcome modin_verdier_hardening(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=30000.0"};
  const StudyRuns runs("modin-verdier-2020/hardening", effort, settings);
  const auto passenger = TransmissionIntegral::energy(runs, "passenger_energy");
  return {{passenger.picture()},
          {{"000-E.3",
            {passenger.drifting("LF", not_reversible_cases), passenger.free("LF", reversible_cases),
             passenger.largest_slope("LF", reversible_cases),
             passenger.free("DD mean value", all_cases)}}},
          {passenger.table()}};
}

ExperimentOutcome modin_verdier_open_problems(const ReproductionEffort& effort) {
  std::vector<std::string> settings;
  if (effort.quick) settings = {"run.until=6000.0"};
  const StudyRuns runs("modin-verdier-2020/long", effort, settings);
  const Integrals integrals{
      TransmissionIntegral::energy(runs, "passenger_energy"),
      TransmissionIntegral::energy(runs, "driver_energy"),
      TransmissionIntegral::latitude(runs, latitude_samples(effort), effort.threads)};
  std::vector<Evidence> longer, leapfrog, answer;
  for (const char* method : reversible_methods) {
    longer.push_back(integrals.passenger.free(method, reversible_cases));
    longer.push_back(integrals.latitude.free(method, reversible_cases));
  }
  for (const char* method : {"DLA 0.5", "DLA 0.4", "DLA 0,1", "LF"})
    longer.push_back(integrals.driver.free(method, all_cases));
  leapfrog.push_back({"largest change of the leap-frog's discrete passenger energy, all cases",
                      worst_discrete_energy(runs), 0.0, 0.0, 1e-10});
  integrals.add_all(leapfrog, "LF");
  for (const char* method : {"DD mean value", "collocation 1", "collocation 2"}) {
    answer.push_back(driver_alone(runs.plans()[runs.find(method, "rotating, epsilon = 0.5")]));
    integrals.add_all(answer, method);
  }
  return {{integrals.passenger.picture(), integrals.driver.picture(), integrals.latitude.picture()},
          {{"000-D.6", {integrals.passenger.gone("DLA 0.4", all_cases, 0.1)}},
           {"000-D.7", gonzalez_drift(integrals.passenger)},
           {"000-D.8", gonzalez_drift(integrals.driver)},
           {"000-D.9", gonzalez_drift(integrals.latitude)},
           {"000-D.11",
            {integrals.passenger.drifting("DD", not_reversible_cases),
             integrals.driver.drifting("DD", not_reversible_cases), total_energy(runs, "DD")}},
           {"000-D.10", longer},
           {"000-E.1", leapfrog},
           {"000-E.2", answer}},
          {integrals.passenger.table(), integrals.driver.table(), integrals.latitude.table()}};
}

}  // namespace dalembert::reproduce
