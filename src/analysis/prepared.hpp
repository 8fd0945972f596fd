#pragma once

#include <utility>

#include "dalembert/analysis/analysis.hpp"

namespace dalembert::study {

/// An analysis that was asked for with options: `find(plan, options)` gets them with the watch.
template <class Options, class Find>
PreparedAnalysis prepared(double passes, const Options& asked, Find find) {
  return {passes, [asked, find = std::move(find)](const RunPlan& plan, const AnalysisWatch& watch) {
            Options options = asked;
            options.cancelled = watch.cancelled;
            options.steps_done = watch.steps_done;
            return find(plan, options);
          }};
}

}  // namespace dalembert::study
