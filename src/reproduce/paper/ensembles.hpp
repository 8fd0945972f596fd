#pragma once
// Random walks of the energy error as evidence for the claims of the papers. Only for the sources
// of this room.

#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The ensembles of a published study, executed.
class StudyEnsembles {
 public:
  StudyEnsembles(const std::string& study, const ReproductionEffort& effort,
                 const std::vector<std::string>& settings = {});

  /// The result of that method label and step; std::logic_error if there is none.
  const study::EnsembleResult& result(const std::string& method, double step) const;

  /// The power of t with which the variance (or the mean square) of the energy error grows, with
  /// twice its standard error: 1 for a random walk, less as long as a bounded oscillation hides it.
  study::Evidence power(const std::string& method, double step, GrowthOf statistic, double least,
                        double most, study::EvidenceRole role = study::EvidenceRole::both) const;
  /// The rate of its growth per unit of time beneath that oscillation, over `scale`, with twice its
  /// standard error.
  study::Evidence rate(const std::string& what, const std::string& method, double step,
                       GrowthOf statistic, double scale, double least, double most,
                       study::EvidenceRole role = study::EvidenceRole::both) const;
  double rate(const std::string& method, double step, GrowthOf statistic) const;

  /// Variance or mean square against time over h^4, on logarithmic axes, with factor t beside it.
  study::Picture picture(const std::string& title, GrowthOf statistic, double factor) const;

 private:
  std::vector<study::EnsemblePlan> plans_;
  std::vector<study::EnsembleResult> results_;
};

}  // namespace dalembert::reproduce
