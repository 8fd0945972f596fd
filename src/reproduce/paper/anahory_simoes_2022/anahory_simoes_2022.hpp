#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The experiments of [AnahorySimoes2022].
Paper anahory_simoes_2022();

}  // namespace dalembert::reproduce
