#include "dalembert/method/composition.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/vector.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/newmark.hpp"

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
      {"triple-jump", 4, palindrome(std::vector<Constant>{jump})},
      {"suzuki-4", 4, palindrome(std::vector<Constant>{suzuki, suzuki})},
      {"yoshida-6", 6,
       palindrome({"0.78451361047755726381949763", "0.23557321335935813368479318",
                   "-1.17767998417887100694641568"})},
      {"kahan-li-6", 6,
       palindrome({"0.39216144400731413927925056", "0.33259913678935943859974864",
                   "-0.70624617255763935980996482", "0.08221359629355080023149045"})},
      {"suzuki-8", 8,
       palindrome({"0.74167036435061295344822780", "-0.40910082580003159399730010",
                   "0.19075471029623837995387626", "-0.57386247111608226665638773",
                   "0.29906418130365592384446354", "0.33462491824529818378495798",
                   "0.31529309239676659663205666"})},
      {"kahan-li-8", 8,
       palindrome({"0.13020248308889008087881763", "0.56116298177510838456196441",
                   "-0.38947496264484728640807860", "0.15884190655515560089621075",
                   "-0.39590389413323757733623154", "0.18453964097831570709183254",
                   "0.25837438768632204729397911", "0.29501172360931029887096624"})}};
  return schemes;
}

Equations compose_steps(const std::vector<CompositionStep>& steps, const System& system,
                        const State& before, Unknowns& unknowns, const Expr& h) {
  Equations all;
  all.after = before;
  for (const CompositionStep& step : steps) {
    const Expr fraction = Expr(step.fraction) * h;
    const State between = all.after;
    const Equations part = step.method.equations(system, between, unknowns, fraction);
    // Only the last part's condition is one on the new state.
    all.zero = concatenate({all.zero, all.constraint, part.zero});
    all.constraint = part.constraint;
    all.after = part.after;
    // A method that reports the continuous multiplier passes on the last guess.
    if (all.after.lambda.empty()) all.after.lambda = before.lambda;
    all.after.t = between.t + fraction;
  }
  if (!steps.empty() && all.after.lambda.size() == before.lambda.size()) {
    const bool reports =
        std::equal(all.after.lambda.begin(), all.after.lambda.end(), before.lambda.begin(),
                   [](const Expr& x, const Expr& y) { return same(x, y); });
    if (reports) all.after.lambda.clear();
  }
  return all;
}

Adjoint::Adjoint() : base(Dla{.alpha = 0.0}) {}

std::vector<Option<Adjoint>> Adjoint::options() {
  return {{"base", &Adjoint::base, "the method whose adjoint is taken"}};
}

Facts Adjoint::facts() const {
  Facts facts = base.facts();
  facts.multiplier_order = std::min(facts.multiplier_order, 1);
  return facts;
}

void Adjoint::check_options() const {
  const Facts facts = base.facts();
  if (facts.carries_multiplier) {
    throw RequestError("method \"adjoint\" cannot take \"" + base.name() +
                       "\" as base: it carries its multiplier from step to step");
  }
}

Equations Adjoint::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  // The base goes from the unknown state back to the known one.
  State after{u.vector("q", a.q + h * a.v), u.vector("v", a.v), a.lambda, a.extra, a.t + h};
  const Equations back = base.equations(s, after, u, -h);
  const Vector arrives = concatenate({back.after.q - a.q, back.after.v - a.v});
  // Where the base puts its result on the constraint, the known state is there already, and the
  // unknown one has to be.
  const bool exchange = !back.constraint.empty();
  return {.zero = concatenate({back.zero, arrives}),
          .constraint = exchange ? s.constraint(after.q, after.v, after.t) : Vector{},
          .after = {after.q, after.v, back.after.lambda, {}}};
}

Compose::Compose() : base(Dla01{}) {}

std::vector<Option<Compose>> Compose::options() {
  std::vector<std::string> names;
  for (const CompositionScheme& scheme : composition_schemes()) names.push_back(scheme.name);
  return {{"base", &Compose::base, "a symmetric method of order 2 that maps D to D"},
          {"scheme", &Compose::scheme, "the composition scheme", names}};
}

namespace {

const CompositionScheme& scheme_named(const std::string& name) {
  const auto& all = composition_schemes();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const CompositionScheme& s) { return s.name == name; });
  if (found == all.end()) throw RequestError("there is no composition scheme \"" + name + "\"");
  return *found;
}

}  // namespace

Facts Compose::facts() const {
  Facts facts = base.facts();
  facts.order = scheme_named(scheme).order;
  return facts;
}

void Compose::check_options() const {
  const Facts facts = base.facts();
  const std::string which = "method \"compose\" cannot raise \"" + base.name() + "\": ";
  if (!facts.symmetric || facts.order != 2)
    throw RequestError(which + "the base must be symmetric and of order 2");
  if (!facts.maps_constraint_set) {
    throw RequestError(
        which +
        "the base does not map the constraint set to itself, so its compositions stay at order 2");
  }
  const int order = scheme_named(scheme).order;
  if (facts.carries_multiplier && order > 4) {
    throw RequestError(which +
                       "the base carries its multiplier, so its compositions stay at "
                       "order 4; use triple-jump or suzuki-4");
  }
}

Equations Compose::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  std::vector<CompositionStep> steps;
  for (const Constant& fraction : scheme_named(scheme).fractions) steps.push_back({base, fraction});
  return compose_steps(steps, s, a, u, h);
}

Facts NewmarkComposition::facts() const {
  return {.order = 2,
          .multiplier_order = 0,
          .symmetric = true,
          .reversible = true,
          .symplectic = LagrangianKind::constant_mass};
}

Requirements NewmarkComposition::requirements() const { return Newmark{}.requirements(); }

Equations NewmarkComposition::equations(const System& s, const State& a, Unknowns& u,
                                        const Expr& h) const {
  Equations all = compose_steps({{Method(Newmark{.alpha = 0.0}), Constant{0.5}},
                                 {Method(Newmark{.alpha = 1.0}), Constant{0.5}}},
                                s, a, u, h);
  all.after.extra.clear();
  return all;
}

}  // namespace dalembert
