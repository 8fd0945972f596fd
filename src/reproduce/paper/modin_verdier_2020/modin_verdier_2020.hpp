#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The experiments of [ModinVerdier2020].
Paper modin_verdier_2020();

}  // namespace dalembert::reproduce
