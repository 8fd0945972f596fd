#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert {

/// The experiments of [AnahorySimoes2022].
Paper anahory_simoes_2022();

}  // namespace dalembert
