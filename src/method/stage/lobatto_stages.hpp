#pragma once

#include "dalembert/method/lobatto.hpp"

namespace dalembert {

/// The two forms of the Lobatto method.
LobattoStages lagrangian_stages(const LobattoTableaux& lobatto, const System& system,
                                const State& before, Unknowns& unknowns, const Expr& h,
                                Retraction retraction, ChartBase base);
LobattoStages hamiltonian_stages(const LobattoTableaux& lobatto, const System& system,
                                 const State& before, Unknowns& unknowns, const Expr& h);

}  // namespace dalembert
