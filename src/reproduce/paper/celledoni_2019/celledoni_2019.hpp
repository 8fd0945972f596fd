#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The experiments of [Celledoni2019].
Paper celledoni_2019();

}  // namespace dalembert::reproduce
