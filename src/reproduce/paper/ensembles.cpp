#include "ensembles.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

#include "dalembert/document/library.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

const char* name_of(GrowthOf statistic) {
  return statistic == GrowthOf::variance ? "variance" : "mean square";
}

const GrowthLaw& law_of(const EnsembleResult& result, GrowthOf statistic) {
  return statistic == GrowthOf::variance ? result.variance : result.mean_square;
}

}  // namespace

StudyEnsembles::StudyEnsembles(const std::string& study, const ReproductionEffort& effort,
                               const std::vector<std::string>& settings)
    : plans_(plan_ensembles(read_study_file(find_study(study), settings))) {
  EnsembleExecution execution;
  execution.threads = effort.threads;
  execution.cancelled = effort.cancelled;
  results_ = execute_ensembles(plans_, execution);
}

const EnsembleResult& StudyEnsembles::result(const std::string& method, double step) const {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (plans_[i].run.method.label == method && plans_[i].run.step == step) return results_[i];
  }
  throw std::logic_error("no ensemble of \"" + method + "\"");
}

Evidence StudyEnsembles::power(const std::string& method, double step, GrowthOf statistic,
                               double least, double most, EvidenceRole role) const {
  const GrowthLaw& law = law_of(result(method, step), statistic);
  return {fmt::format("power of t in the {} of the energy error, {}, h = {}", name_of(statistic),
                      method, step),
          law.measured ? law.exponent : NAN,
          2.0 * law.uncertainty,
          least,
          most,
          role};
}

Evidence StudyEnsembles::rate(const std::string& what, const std::string& method, double step,
                              GrowthOf statistic, double scale, double least, double most,
                              EvidenceRole role) const {
  const GrowthLaw& law = law_of(result(method, step), statistic);
  return {fmt::format("{}, {}, h = {}", what, method, step),
          law.measured ? law.rate / scale : NAN,
          2.0 * law.rate_uncertainty / scale,
          least,
          most,
          role};
}

double StudyEnsembles::rate(const std::string& method, double step, GrowthOf statistic) const {
  const GrowthLaw& law = law_of(result(method, step), statistic);
  return law.measured ? law.rate : NAN;
}

Picture StudyEnsembles::picture(const std::string& title, GrowthOf statistic, double factor) const {
  Picture picture{title};
  PicturePanel panel{.title = ""};
  panel.x = {"time t (nondimensional)", true};
  panel.y = {std::string(name_of(statistic)) + " of H - H(0), over h^4", true};
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const QuantityStatistics* energy = results_[i].find("energy_error");
    const double scale = std::pow(plans_[i].run.step, 4);
    Curve curve;
    for (std::size_t k = 1; energy != nullptr && k < energy->records.size(); ++k) {
      const SampleStatistics& record = energy->records[k];
      curve.t.push_back(results_[i].t[k]);
      curve.values.push_back(
          (statistic == GrowthOf::variance ? record.variance : record.mean_square) / scale);
    }
    const std::size_t entry =
        picture.entry(fmt::format("{}, h = {}", plans_[i].run.method.label, plans_[i].run.step));
    panel.curves.push_back({entry, std::move(curve), CurveStyle::path});
  }
  if (factor > 0.0 && !results_.empty()) {
    const double from = results_.front().t.at(1), until = results_.front().t.back();
    panel.curves.push_back({picture.entry(fmt::format("{:g} t", factor), true),
                            {{from, until}, {factor * from, factor * until}}});
  }
  picture.panels.push_back(std::move(panel));
  return picture;
}

}  // namespace dalembert::reproduce
