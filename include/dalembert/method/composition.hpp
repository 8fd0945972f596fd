#pragma once

#include "dalembert/method/method.hpp"

namespace dalembert {

/// One factor of a composition: a method and the fraction of the step that it takes.
struct CompositionStep {
  Method method;
  Constant fraction;
};

/// The equations of several methods one after the other, as one step.
Equations compose_steps(const std::vector<CompositionStep>& steps, const System& system,
                        const State& before, Unknowns& unknowns, const Expr& h);

/// The adjoint of a method: its equations with before and after exchanged and h reversed.
/// Source: [HairerLubichWanner2006], Def. II.3.1.
struct Adjoint {
  Method base;

  static constexpr std::string_view name = "adjoint";
  static std::vector<Option<Adjoint>> options();
  Adjoint();
  explicit Adjoint(Method method) : base(std::move(method)) {}
  Facts facts() const;
  Requirements requirements() const { return base.requirements(); }
  std::optional<std::string> misfit(const System& system) const { return base.misfit(system); }
  void check_options() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// A symmetric composition that raises the order of a symmetric method of order 2 which maps D to
/// D. Schemes and sources: triple-jump, yoshida-6 [Yoshida1990]; suzuki-4 [Suzuki1990]; kahan-li-6,
/// kahan-li-8 [KahanLi1997]; suzuki-8 [SuzukiUmeno1993]; all as collected in
/// [HairerLubichWanner2006], Sect. V.3.2.
struct Compose {
  Method base;
  std::string scheme = "triple-jump";

  static constexpr std::string_view name = "compose";
  static std::vector<Option<Compose>> options();
  Compose();
  Compose(Method method, std::string scheme_name)
      : base(std::move(method)), scheme(std::move(scheme_name)) {}
  Facts facts() const;
  Requirements requirements() const { return base.requirements(); }
  std::optional<std::string> misfit(const System& system) const { return base.misfit(system); }
  /// Throws RequestError with the reason if the base cannot be raised.
  void check_options() const;
  std::vector<std::string> extra_names(const System& system) const {
    return base.extra_names(system);
  }
  Vector extra_start(const System& system, const State& start) const {
    return base.extra_start(system, start);
  }
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// The coefficients of a scheme, and its order.
struct CompositionScheme {
  std::string name;
  int order;
  std::vector<Constant> fractions;
};
const std::vector<CompositionScheme>& composition_schemes();

/// F^{0,0,1}_{h/2} o F^{0,0,0}_{h/2} of the Newmark family. Order 2. Reports the multiplier of the
/// last half step. Source: [AnahorySimoes2022], Sect. 3.3.
struct NewmarkComposition {
  static constexpr std::string_view name = "newmark-composition";
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
