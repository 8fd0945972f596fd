#pragma once

#include "dalembert/reproduce/reproduce.hpp"

namespace dalembert {

/// Fig. 2: the chaotic system.
Outcome celledoni_orders(const Effort& effort);
Outcome celledoni_trajectory(const Effort& effort);
Outcome celledoni_ensemble(const Effort& effort);
/// Prop. 4.1 and Fig. 3: the sleigh.
Outcome celledoni_sleigh(const Effort& effort);
/// Sect. 4.3.
Outcome celledoni_suslov(const Effort& effort);
/// Fig. 4: the gearbox.
Outcome celledoni_gearbox(const Effort& effort);

}  // namespace dalembert
