#pragma once

#include "dalembert/method/method.hpp"

namespace dalembert {

/// The discrete-derivative method: midpoint positions, a discrete gradient of the potential, the
/// constraint on the mean velocity. Energy exact, reversible for a symmetric gradient; not a map on
/// D. With the mean-value gradient driver and passenger of a coupled system keep their energies
/// separately. Source: [ModinVerdier2020], A.3; [Gonzalez1996].
struct DiscreteDerivative {
  std::string gradient = "gonzalez";

  static constexpr std::string_view name = "discrete-derivative";
  static std::vector<Option<DiscreteDerivative>> options();
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// A discrete gradient of the whole energy on T*Q, with the constraint on its velocity part. Energy
/// exact; the constraint holds at the midpoint only. Source: [Celledoni2019], Eq. (15).
struct GonzalezFull {
  std::string gradient = "gonzalez";

  static constexpr std::string_view name = "gonzalez-full";
  static std::vector<Option<GonzalezFull>> options();
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// A discrete gradient method for the reduced equations on D*: energy and constraint exact, order 2
/// for a symmetric gradient. Source: [Celledoni2019], Sects. 2 and 3.
struct ReducedGradient {
  std::string gradient = "gonzalez";
  std::string frame = "qr";
  std::string derivative = "exact";

  static constexpr std::string_view name = "reduced-gradient";
  static std::vector<Option<ReducedGradient>> options();
  static std::vector<std::string> formula();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Energy-preserving collocation for the reduced equations on D*: energy and constraint exact,
/// order 2 * stages; one stage is the mean-value discrete gradient. Source: [CohenHairer2011], Eq.
/// (5), applied to the equations of [Celledoni2019], Sect. 2.
struct EnergyCollocation {
  int stages = 2;
  std::string frame = "qr";

  static constexpr std::string_view name = "energy-collocation";
  static std::vector<Option<EnergyCollocation>> options();
  static std::vector<std::string> formula();
  Facts facts() const;
  Requirements requirements() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
