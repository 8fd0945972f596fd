#pragma once

#include "dalembert/analysis/analysis.hpp"

namespace dalembert::study {

/// Lyapunov exponents with their intervals, and running means: see lyapunov_exponents.
Analysis lyapunov_analysis();

}  // namespace dalembert::study
