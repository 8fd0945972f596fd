// Anahory Simoes et al. 2022, Figs. 3 and 5: energy errors of Newmark methods.
#include "figures.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/drift.hpp"
#include "reproduce/paper/ensembles.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr const char* newmark = "Newmark, beta = 0";
constexpr const char* newmark_tenth = "Newmark, beta = 0.1";
constexpr const char* composition = "composition";

double last(const Curve& curve) { return curve.values.empty() ? NAN : curve.values.back(); }

/// Fig. 3 left: the energy error of each start at the times at which it is kept.
Picture trajectories_picture(const EnsembleResult& result) {
  Picture picture{"Energy error of 100 random starts of energy 1.535, composition, h = 0.2"};
  PicturePanel panel{.title = ""};
  panel.x = {"time t (nondimensional)", true};
  panel.y.label = "energy error H(t) - H(0)";
  const std::size_t members = result.growth_errors.empty() ? 0 : result.growth_errors[0].size();
  for (std::size_t member = 0; member < members; ++member) {
    Curve curve{result.growth_t, {}};
    for (const std::vector<double>& errors : result.growth_errors)
      curve.values.push_back(errors[member]);
    panel.curves.push_back({picture.entry("one start"), std::move(curve), CurveStyle::thin});
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

/// The largest energy error of any start in the last tenth of the time over that in the first.
Evidence spread_growth(const EnsembleResult& result) {
  double early = 0.0, late = 0.0;
  for (std::size_t k = 0; k < result.growth_t.size(); ++k) {
    const double part = result.growth_t[k] / result.growth_t.back();
    for (const double error : result.growth_errors[k]) {
      if (part <= 0.1) early = numeric::larger(early, std::fabs(error));
      if (part >= 0.9) late = numeric::larger(late, std::fabs(error));
    }
  }
  return {"largest energy error of 100 starts in the last tenth of the time over that in the first",
          late / early, 0.0, 0.0, 2.0};
}

}  // namespace

ExperimentOutcome newmark_figure_3(const ReproductionEffort& effort) {
  const StudyEnsembles ensembles("anahory-simoes-2022/figure-3", effort);
  return {
      {trajectories_picture(ensembles.result(composition, 0.2)),
       ensembles.picture("Variance of the energy error over random starts of energy 1.535",
                         GrowthOf::variance, 0.0)},
      {{"003-B.8", {spread_growth(ensembles.result(composition, 0.2))}},
       {"003-B.4",
        {ensembles.rate("rate of the variance over h^4", composition, 0.2, GrowthOf::variance,
                        std::pow(0.2, 4), 0.0, INFINITY),
         ensembles.power(composition, 0.2, GrowthOf::variance, 0.75, 1.25, EvidenceRole::published),
         named("power", ensembles.power(composition, 0.2, GrowthOf::variance, 0.0, 0.75,
                                        EvidenceRole::qualified)),
         ensembles.rate("rate of the variance over h^4", newmark_tenth, 0.2, GrowthOf::variance,
                        std::pow(0.2, 4), 0.0, INFINITY, EvidenceRole::shown)}}}};
}

ExperimentOutcome newmark_figure_5(const ReproductionEffort& effort) {
  const std::string until = effort.quick ? "20000" : "200000";
  const StudyRuns runs("anahory-simoes-2022/figure-5", effort),
      longer("anahory-simoes-2022/figure-5", effort, {"run.until=" + until});
  constexpr const char* small = "newmark-high, h = 0.05";
  constexpr const char* large = "newmark-high, h = 0.1";
  Picture picture{"Energy of the transmission with epsilon = 0.1 and a rotating driver"};
  picture.panels.resize(2);
  const std::pair<const char*, const char*> shown[] = {
      {newmark, small}, {composition, large}, {composition, small}};
  for (const auto& [method, label] : shown) {
    const std::size_t entry =
        picture.entry(std::string(method) + (label == small ? ", h = 0.05" : ", h = 0.1"));
    const std::size_t run = runs.find(method, label);
    picture.panels[0].curves.push_back({entry, thinned(runs.change(run, "energy"), 1500)});
    picture.panels[1].curves.push_back({entry, shown_error(longer.change(run, "energy"), 1000.0)});
  }
  picture.panels[0].title = "as published";
  picture.panels[1].title = "continued to t = " + until + ", running mean over 1000";
  picture.panels[1].column = 1;
  picture.panels[0].x.label = picture.panels[1].x.label = "time t (nondimensional)";
  picture.panels[0].y.label = "energy error H(t) - H(0)";
  picture.panels[1].y = {"|mean energy error|", true};

  const auto energy = [&](const StudyRuns& of, const char* method, const char* label) {
    return of.change(of.find(method, label), "energy");
  };
  const ClaimFinding newmark_drifts{
      "003-B.6",
      {drifts("energy to t = 1500, Newmark, h = 0.05", energy(runs, newmark, small)),
       grows_exponentially("|energy error| to t = " + until + ", Newmark, h = 0.05",
                           energy(longer, newmark, small), 0.0, EvidenceRole::shown)}};
  // Published: near preservation. Negligible is what the oscillation of the figure hides.
  const ClaimFinding composition_keeps{
      "003-B.7",
      {free_of_drift("energy to t = 1500, composition, h = 0.05", energy(runs, composition, small),
                     EvidenceRole::published),
       named("early drift",
             drifts_slowly("energy to t = 1500, composition, h = 0.05",
                           energy(runs, composition, small), EvidenceRole::qualified)),
       free_of_drift("energy to t = 1500, composition, h = 0.1", energy(runs, composition, large),
                     EvidenceRole::shown),
       free_of_drift("energy to t = " + until + ", composition, h = 0.05",
                     energy(longer, composition, small), EvidenceRole::published),
       named("drift", drifts("energy to t = " + until + ", composition, h = 0.05",
                             energy(longer, composition, small), EvidenceRole::qualified, 1e-9)),
       {"drift of Newmark over that of the composition, h = 0.05, mean to t = 1500 and " + until,
        std::fabs(last(energy(runs, newmark, small)) / 1500.0 /
                  (last(energy(longer, composition, small)) / std::stod(until))),
        0.0, 50.0, INFINITY, EvidenceRole::qualified}}};
  return {{picture}, {newmark_drifts, composition_keeps}};
}

}  // namespace dalembert::reproduce
