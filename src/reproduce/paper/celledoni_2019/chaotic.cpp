// Celledoni et al. 2019, Fig. 2: random starts of the chaotic system.
#include "chaotic.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/ensembles.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double spread_round_off = 1e-11;  // after many steps

/// The largest variance of the energy error over time, as a part of the energy.
Evidence zero_variance(const StudyEnsembles& ensembles, const std::string& method) {
  constexpr double energy = 3.06;
  const QuantityStatistics* errors = ensembles.result(method, 0.2).find("energy_error");
  double most = errors == nullptr ? NAN : 0.0;
  for (std::size_t k = 0; errors != nullptr && k < errors->records.size(); ++k)
    most = numeric::larger(most, errors->records[k].variance);
  return {"largest spread (standard deviation) of the relative energy error, " + method,
          std::sqrt(most) / energy, 0.0, 0.0, spread_round_off};
}

/// Another picture's panel beside those of the first.
void add_panel(Picture& picture, const Picture& other) {
  PicturePanel panel = other.panels[0];
  panel.column = picture.panels.size();
  for (PictureCurve& curve : panel.curves) {
    const LegendEntry& legend = other.legend[curve.entry];
    curve.entry = picture.entry(legend.label, legend.reference);
  }
  picture.panels.push_back(std::move(panel));
}

}  // namespace

ExperimentOutcome celledoni_ensemble(const ReproductionEffort& effort) {
  std::vector<std::string> settings, energy_settings;
  if (effort.quick) settings = {"run.step=0.2", "run.until=4000.0"};
  if (effort.quick) energy_settings = {"run.until=200.0"};
  const StudyEnsembles ensembles("celledoni-2019/figure-2-ensemble", effort, settings),
      exact("celledoni-2019/figure-2-ensemble-energy", effort, energy_settings);
  constexpr double h = 0.2, published = 1e-4;
  const double scale = published * std::pow(h, 4);
  const auto rate = [&](const std::string& method, EvidenceRole role) {
    return ensembles.rate("rate of the variance over 1e-4 h^4", method, h, GrowthOf::variance,
                          scale, 1.0 / 3.0, 3.0, role);
  };
  // A power of one where the walk has left the oscillation behind, in the form of the paper.
  std::vector<Evidence> walk{
      named("rate", rate("SI-DLA", EvidenceRole::both)),
      named("power",
            ensembles.power("SI-DLA", h, GrowthOf::variance, 0.75, 1.25, EvidenceRole::published)),
      ensembles.power("SI-DLA", h, GrowthOf::variance, 0.0, 0.75, EvidenceRole::qualified)};
  std::vector<Evidence> similar{rate("I-DLA", EvidenceRole::both),
                                rate("SPARK", EvidenceRole::both)};
  Picture picture = ensembles.picture(
      "Variance of the energy error over random starts of energy 3.06", GrowthOf::variance, 0.0);
  add_panel(picture, exact.picture("", GrowthOf::variance, 0.0));
  const std::vector<double>& t = picture.panels[0].curves.front().curve.t;
  const Curve line{{t.front(), t.back()}, {published * t.front(), published * t.back()}};
  picture.panels[0].curves.push_back({picture.entry("0.0001 t", true), line});
  return {{picture},
          {{"001-A.4", walk},
           {"001-A.5", similar},
           {"001-A.6", {zero_variance(exact, "GONZALEZ"), zero_variance(exact, "AVF")}}}};
}

}  // namespace dalembert::reproduce
