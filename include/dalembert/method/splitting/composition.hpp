#pragma once

#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// One factor of a composition: a method and the fraction of the step that it takes.
struct CompositionStep {
  Method method;      ///< method of this factor
  Constant fraction;  ///< part of the step, may be negative
};

/// The equations of several methods one after the other, as one step.
Equations compose_steps(const std::vector<CompositionStep>& steps, const System& system,
                        const State& before, Unknowns& unknowns, const Expr& h);

/// The adjoint of a method: its equations with before and after exchanged and h reversed. Its base
/// must not carry anything from step to step. Source: [HairerLubichWanner2006], Def. II.3.1.
struct Adjoint {
  Method base = Dla{.alpha = 0.0};  ///< method whose adjoint is taken

  static MethodPage<Adjoint> page();
  Facts facts() const;
  Requirements requirements() const { return base.requirements(); }
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Symmetric sequences of fractions of a step, of the order that the name ends with. Those of
/// Blanes and Moan are of the pieces of a splitting, all others of whole steps.
enum class Scheme {
  triple_jump,
  suzuki_4,
  yoshida_6,
  kahan_li_6,
  suzuki_8,
  kahan_li_8,
  blanes_moan_4,
  blanes_moan_6
};

/// The coefficients of a scheme, its name in studies and its order. Sources: triple-jump (order 4),
/// yoshida-6 [Yoshida1990]; suzuki-4 [Suzuki1990]; kahan-li-6, kahan-li-8 [KahanLi1997]; suzuki-8
/// [SuzukiUmeno1993]; all as collected in [HairerLubichWanner2006], Sect. V.3.2. blanes-moan-4 and
/// blanes-moan-6: [BlanesMoan2002], Table 2, S6 and S10; their digits are continued such that the
/// order conditions hold to those of Constant.
struct CompositionScheme {
  Scheme scheme;     ///< scheme of these coefficients
  std::string name;  ///< name in studies, as "triple-jump"
  int order;         ///< order of the composition: 4, 6 or 8
  /// Fractions of the step for steps of the base, or for the first and last of the two flows A B A
  /// into which it splits. They sum to 1.
  std::vector<Constant> fractions;
  /// Fractions for the other flow, between those; empty for schemes of whole steps.
  std::vector<Constant> fractions_between = {};
};
/// All schemes, in the order of Scheme.
const std::vector<CompositionScheme>& composition_schemes();
/// Coefficients of that scheme. Throws RequestError for a value that is not one of Scheme.
const CompositionScheme& composition_scheme(Scheme scheme);

/// A symmetric composition that raises the order of a symmetric method of order 2 which maps D to
/// D. Schemes of flows need a base that is a splitting A(h/2) B(h) A(h/2) into two of them.
struct Compose {
  Method base = Dla01{};                ///< symmetric method of order 2 that maps D to D
  Scheme scheme = Scheme::triple_jump;  ///< fractions of the composition

  static MethodPage<Compose> page();
  Facts facts() const;
  Requirements requirements() const { return base.requirements(); }
  /// Reason why the base cannot be raised; nothing if it can.
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  /// Names of what the base carries; none for schemes of flows.
  std::vector<std::string> carried_names(const System& system) const;
  Vector carried_start(const System& system, const State& start) const;
  /// Steps of the base, or its two flows in turns, with their fractions.
  std::vector<SplittingPiece> pieces(const System& system, const State& before) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// F^{0,0,1}_{h/2} o F^{0,0,0}_{h/2} of the Newmark family. Order 2. Reports the multiplier of the
/// last half step. Source: [AnahorySimoes2022], Sect. 3.3.
struct NewmarkComposition {
  static MethodPage<NewmarkComposition> page();
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  std::optional<VolumeFormula> volume(const System& system, const State& before, const State& after,
                                      const Expr& h) const;
};

}  // namespace dalembert
