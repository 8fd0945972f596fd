#pragma once

#include "dalembert/mechanics/group/chart.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// A method on R^n, taken on groups in the coordinates of a chart that every step chooses anew, at
/// its start or around its middle. Order, constraints and exact energy carry over, and symmetry
/// where the origin is in the middle; momenta in space do not. On R^n it is the base itself.
/// Source: [MartinDeDiegoSato2018], Sect. 6, for charts of a step.
struct InChart {
  Method base = ReducedGradient{};             ///< method on R^n
  Retraction retraction = Retraction::cayley;  ///< map tau of the chart
  ChartBase origin = ChartBase::middle;        ///< origin of the chart in the step

  static MethodPage<InChart> page();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
