#pragma once

#include "dalembert/analysis/analysis.hpp"

namespace dalembert::study {

/// Derivatives by the start, parameters and the step: see sensitivity.
Analysis sensitivity_analysis();

}  // namespace dalembert::study
