// Martin de Diego and Sato 2018, Sects. 7.1 and 7.2: Lobatto methods.
#include "lobatto_ensemble.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/paper/ensembles.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {}  // namespace

ExperimentOutcome lobatto_ensemble(const ReproductionEffort& effort) {
  const StudyEnsembles ensembles("martin-de-diego-sato-2018/section-7-3-ensemble", effort,
                                 {"run.step=0.2", "run.until=4000.0"});
  constexpr double h = 0.2;
  const double scale = 1e-4 * std::pow(h, 4);
  std::vector<Evidence> walk;
  const auto rate = [&](const char* method, double most, EvidenceRole role) {
    walk.push_back(ensembles.rate("rate of the mean square over 1e-4 h^4", method, h,
                                  GrowthOf::mean_square, scale, 0.05, most, role));
  };
  rate("SPARK", 5.0, EvidenceRole::both);
  rate("DLA", 5.0, EvidenceRole::both);
  rate("Lobatto, s = 2", 5.0, EvidenceRole::published);
  rate("Lobatto, s = 2", 20.0, EvidenceRole::qualified);
  walk.push_back(ensembles.rate("rate of the mean square over 1e-4 h^4", "Lobatto, s = 3", h,
                                GrowthOf::mean_square, scale, 0.0, 1.0, EvidenceRole::shown));
  const auto plain_rate = [&](const char* method) {
    return ensembles.rate(method, h, GrowthOf::mean_square);
  };
  const double others = numeric::larger(plain_rate("SPARK"), plain_rate("DLA"));
  walk.push_back({"rate of two stages over the larger of those of SPARK and DLA",
                  plain_rate("Lobatto, s = 2") / others, 0.0, 1.0, INFINITY,
                  EvidenceRole::qualified, "two stages"});
  walk.push_back({"rate of the larger of SPARK and DLA over that of three stages",
                  others / plain_rate("Lobatto, s = 3"), 0.0, 1.0, INFINITY,
                  EvidenceRole::qualified, "three stages"});
  return {{ensembles.picture("Mean squared energy error over random starts of energy 3.06",
                             GrowthOf::mean_square, 0.0)},
          {{"002-C.1", walk}}};
}

}  // namespace dalembert::reproduce
