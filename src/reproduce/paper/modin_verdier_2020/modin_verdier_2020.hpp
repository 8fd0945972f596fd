#pragma once

#include "dalembert/reproduce/reproduce.hpp"

namespace dalembert {

/// Orders, and the table of Sect. 3.4.
Outcome modin_verdier_methods(const Effort& effort);
/// Fig. 4.
Outcome modin_verdier_knife_edge(const Effort& effort);
/// Figs. 6 to 8.
Outcome modin_verdier_passenger(const Effort& effort);
Outcome modin_verdier_driver(const Effort& effort);
Outcome modin_verdier_latitude(const Effort& effort);
/// Open problems 2 and 3, and the figures continued.
Outcome modin_verdier_open_problems(const Effort& effort);

}  // namespace dalembert
