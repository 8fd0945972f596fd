#include "dalembert/method/composition.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/vector.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/splitting.hpp"

namespace dalembert {
namespace {

/// A decimal number of many digits, to 106 bits.
Constant decimal(const char* text) {
  const bool negative = *text == '-';
  if (negative) ++text;
  Constant value{0.0}, scale{1.0};
  bool fraction = false;
  for (; *text != '\0'; ++text) {
    if (*text == '.') {
      fraction = true;
      continue;
    }
    value = value * Constant{10.0} + Constant{double(*text - '0')};
    if (fraction) scale = scale * Constant{10.0};
  }
  value = value / scale;
  return negative ? -value : value;
}

/// The whole palindrome from its first half; the middle fraction makes the sum one.
std::vector<Constant> palindrome(const std::vector<Constant>& half) {
  Constant middle{1.0};
  for (const Constant& fraction : half) middle = middle - Constant{2.0} * fraction;
  std::vector<Constant> all = half;
  all.push_back(middle);
  all.insert(all.end(), half.rbegin(), half.rend());
  return all;
}

std::vector<Constant> palindrome(std::initializer_list<const char*> half) {
  std::vector<Constant> fractions;
  for (const char* text : half) fractions.push_back(decimal(text));
  return palindrome(fractions);
}

/// The cube root of 2 or 4 to 106 bits, by Newton's iteration.
Constant cube_root(double value) {
  Constant x{std::cbrt(value)};
  for (int i = 0; i < 3; ++i) x = x - (x * x * x - Constant{value}) / (Constant{3.0} * x * x);
  return x;
}

}  // namespace

const std::vector<CompositionScheme>& composition_schemes() {
  static const Constant jump = Constant{1.0} / (Constant{2.0} - cube_root(2.0));
  static const Constant suzuki = Constant{1.0} / (Constant{4.0} - cube_root(4.0));
  static const std::vector<CompositionScheme> schemes{
      {Scheme::triple_jump, "triple-jump", 4, palindrome(std::vector<Constant>{jump})},
      {Scheme::suzuki_4, "suzuki-4", 4, palindrome(std::vector<Constant>{suzuki, suzuki})},
      {Scheme::yoshida_6, "yoshida-6", 6,
       palindrome({"0.78451361047755726381949763", "0.23557321335935813368479318",
                   "-1.17767998417887100694641568"})},
      {Scheme::kahan_li_6, "kahan-li-6", 6,
       palindrome({"0.39216144400731413927925056", "0.33259913678935943859974864",
                   "-0.70624617255763935980996482", "0.08221359629355080023149045"})},
      {Scheme::suzuki_8, "suzuki-8", 8,
       palindrome({"0.74167036435061295344822780", "-0.40910082580003159399730010",
                   "0.19075471029623837995387626", "-0.57386247111608226665638773",
                   "0.29906418130365592384446354", "0.33462491824529818378495798",
                   "0.31529309239676659663205666"})},
      {Scheme::kahan_li_8, "kahan-li-8", 8,
       palindrome({"0.13020248308889008087881763", "0.56116298177510838456196441",
                   "-0.38947496264484728640807860", "0.15884190655515560089621075",
                   "-0.39590389413323757733623154", "0.18453964097831570709183254",
                   "0.25837438768632204729397911", "0.29501172360931029887096624"})}};
  return schemes;
}

const CompositionScheme& composition_scheme(Scheme scheme) {
  for (const CompositionScheme& entry : composition_schemes()) {
    if (entry.scheme == scheme) return entry;
  }
  throw RequestError("there is no composition scheme number " +
                     std::to_string(static_cast<int>(scheme)));
}

Equations compose_steps(const std::vector<CompositionStep>& steps, const System& system,
                        const State& before, Unknowns& unknowns, const Expr& h) {
  std::vector<SplittingPiece> pieces;
  for (const CompositionStep& step : steps) {
    const Method& method = step.method;
    pieces.push_back({[method](const System& s, const State& a, Unknowns& u, const Expr& time) {
                        return method.equations(s, a, u, time);
                      },
                      step.fraction, true});
  }
  return apply_pieces(pieces, system, before, unknowns, h);
}

MethodPage<Adjoint> Adjoint::page() {
  return {.name = "adjoint",
          .title = "adjoint of another method",
          .description = "The inverse of the base with the step reversed.",
          .source = "HairerLubichWanner2006, Def. II.3.1",
          .facts = &Adjoint::facts,
          .requirements = &Adjoint::requirements,
          .equations = &Adjoint::equations,
          .options = {{"base", &Adjoint::base, "the method whose adjoint is taken"}},
          .conflict = &Adjoint::conflict,
          .misfit = &Adjoint::misfit};
}

Facts Adjoint::facts() const {
  Facts facts = base.facts();
  facts.multiplier_order = std::min(facts.multiplier_order, 1);
  return facts;
}

std::optional<std::string> Adjoint::conflict() const {
  if (!base.facts().carries_multiplier) return std::nullopt;
  return "cannot take \"" + base.name() + "\" as base: it carries its multiplier from step to step";
}

namespace {

/// The state from which the base goes back, with symbols for what else it may carry.
State unknown_end(const Method& base, const System& s, const State& a, Unknowns& u, const Expr& h) {
  State end{{}, {}, a.lambda, {}, a.t + h};
  if (s.traits().has_groups) {
    const Vector displacement = u.vector("displacement", h * a.v);
    end.q = s.configuration().move(Retraction::cayley, a.q, displacement);
  } else {
    end.q = u.vector("q", a.q + h * a.v);
  }
  end.v = u.vector("v", a.v);
  for (const std::string& name : base.carried_names(s))
    end.carried.push_back(make_symbol(h.graph(), name));
  return end;
}

/// Throws if the base starts from what the step before it left: the adjoint would have to know what
/// the step after it finds.
void refuse_carried(const Method& base, const State& end, const Equations& back) {
  const Vector all = concatenate({back.zero, back.constraint, back.after.q, back.after.v});
  for (const Expr& expression : all) {
    if (!depends_on(expression, end.carried)) continue;
    throw RequestError("method \"adjoint\" cannot take \"" + base.name() +
                       "\" as base: it carries more than q and v from step to step");
  }
}

}  // namespace

Equations Adjoint::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  // The base goes from the unknown state back to the known one.
  const State after = unknown_end(base, s, a, u, h);
  const Equations back = base.equations(s, after, u, -h);
  refuse_carried(base, after, back);
  const Vector place = s.configuration().difference(back.after.q, a.q);
  const Vector arrives = concatenate({place, back.after.v - a.v});
  // Where the base puts its result on the constraint, the known state is there already, and the
  // unknown one has to be.
  const bool exchange = !back.constraint.empty();
  return {.zero = concatenate({back.zero, arrives}),
          .constraint = exchange ? s.constraint(after.q, after.v, after.t) : Vector{},
          .after = {after.q, after.v, back.after.lambda}};
}

MethodPage<Compose> Compose::page() {
  Words<Scheme> schemes;
  for (const CompositionScheme& entry : composition_schemes())
    schemes.emplace_back(entry.scheme, entry.name);
  return {.name = "compose",
          .title = "symmetric composition of another method",
          .description =
              "Several steps of a symmetric base of order 2, forward and backward, that add up to "
              "one step of higher order.",
          .source = "Yoshida1990; Suzuki1990; KahanLi1997; SuzukiUmeno1993",
          .facts = &Compose::facts,
          .requirements = &Compose::requirements,
          .equations = &Compose::equations,
          .carries = &Compose::carried_names,
          .start = &Compose::carried_start,
          .options = {{"base", &Compose::base, "a symmetric method of order 2 that maps D to D"},
                      {"scheme", &Compose::scheme, "the composition scheme", schemes}},
          .conflict = &Compose::conflict,
          .misfit = &Compose::misfit};
}

Facts Compose::facts() const {
  Facts facts = base.facts();
  facts.order = composition_scheme(scheme).order;
  return facts;
}

std::optional<std::string> Compose::misfit(const System& system) const {
  if (system.traits().has_groups && base.facts().asymmetric_on_groups) {
    return "method \"compose\" cannot raise \"" + base.name() + "\" on system \"" + system.name() +
           "\": the base is not symmetric on " + system.configuration().text();
  }
  return base.misfit(system);
}

std::optional<std::string> Compose::conflict() const {
  const Facts facts = base.facts();
  const std::string which = "cannot raise \"" + base.name() + "\": the base ";
  if (!facts.symmetric || facts.order != 2) return which + "must be symmetric and of order 2";
  if (!facts.maps_constraint_set) {
    return which + "does not map the constraint set to itself, so its compositions stay at order 2";
  }
  if (facts.carries_multiplier && composition_scheme(scheme).order > 4) {
    return which +
           "carries its multiplier, so its compositions stay at order 4; use triple-jump or "
           "suzuki-4";
  }
  return std::nullopt;
}

Equations Compose::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  std::vector<CompositionStep> steps;
  for (const Constant& fraction : composition_scheme(scheme).fractions)
    steps.push_back({base, fraction});
  return compose_steps(steps, s, a, u, h);
}

MethodPage<NewmarkComposition> NewmarkComposition::page() {
  return {.name = "newmark-composition",
          .title = "symmetric composition of two explicit Newmark half steps",
          .description =
              "F with alpha = 0 followed by F with alpha = 1, half a step each, beta = beta' = 0.",
          .source = "AnahorySimoes2022, Sect. 3.3",
          .facts = Facts{.order = 2,
                         .multiplier_order = 0,
                         .symmetric = true,
                         .reversible = true,
                         .maps_constraint_set = true,
                         .keeps_fibration = true,
                         .symplectic = LagrangianKind::constant_mass},
          .requirements = Method(Newmark{}).requirements(),
          .equations = &NewmarkComposition::equations};
}

Equations NewmarkComposition::equations(const System& s, const State& a, Unknowns& u,
                                        const Expr& h) const {
  Equations all = compose_steps({{Method(Newmark{.alpha = 0.0}), Constant{0.5}},
                                 {Method(Newmark{.alpha = 1.0}), Constant{0.5}}},
                                s, a, u, h);
  all.after.carried.clear();
  return all;
}

}  // namespace dalembert
