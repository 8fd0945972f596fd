#include "dalembert/method/splitting/composition.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/vector.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/numeric/elementary.hpp"

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

/// The same for an even number of fractions: the two in the middle make the sum one.
std::vector<Constant> even_palindrome(std::initializer_list<const char*> first) {
  std::vector<Constant> half;
  Constant rest{0.5};
  for (const char* text : first) {
    half.push_back(decimal(text));
    rest = rest - half.back();
  }
  half.push_back(rest);
  std::vector<Constant> all = half;
  all.insert(all.end(), half.rbegin(), half.rend());
  return all;
}

/// The cube root of 2 or 4 to 106 bits, by Newton's iteration.
Constant cube_root(double value) {
  Constant x{numeric::pow(value, 1.0 / 3.0)};
  for (int i = 0; i < 3; ++i) x = x - (x * x * x - Constant{value}) / (Constant{3.0} * x * x);
  return x;
}

/// A step of a method, as one piece.
SplittingPiece whole_step(const Method& base, const Constant& fraction) {
  return {.name = base.name(),
          .map = [base](const System& s, const State& a, Unknowns& u,
                        const Expr& time) { return base.equations(s, a, u, time); },
          .moves_time = true,
          .fraction = fraction};
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
                   "0.25837438768632204729397911", "0.29501172360931029887096624"})},
      {Scheme::blanes_moan_4, "blanes-moan-4", 4,
       palindrome({"0.0792036964311956694336634958882689", "0.353172906049773988481061311573121",
                   "-0.0420650803577195353681102983025170"}),
       even_palindrome(
           {"0.209515106613362021274072640029501", "-0.143851773179818008275115057856528"})},
      {Scheme::blanes_moan_6, "blanes-moan-6", 6,
       palindrome({"0.0502627644003926860212216544020741", "0.413514300428343815063063720133884",
                   "0.0450798897943980629688970521245135", "-0.188054853819568914799128488918871",
                   "0.541960678450780134831414740933072"}),
       even_palindrome(
           {"0.148816447901043231920901005535578", "-0.132385865767783647448845426598940",
            "0.0673076046921844581502578965926010", "0.432666402578173597527667970883545"})}};
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
  for (const CompositionStep& step : steps)
    pieces.push_back(whole_step(step.method, step.fraction));
  return apply_pieces(pieces, system, before, unknowns, h);
}

MethodPage<Adjoint> Adjoint::page() {
  return {.name = "adjoint",
          .title = "adjoint of another method",
          .use = {"you compose methods: the adjoint of a method of order 1 is the other half of a "
                  "symmetric step",
                  "you simulate: by itself it has order 1 and energies drift"},
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

std::optional<std::string> Adjoint::misfit(const System& system) const {
  if (auto reason = base.misfit(system)) return reason;
  const Facts facts = base.facts();
  if (system.constraint_count() == 0 || !facts.maps_constraint_set) return std::nullopt;
  // A multiplier of the base's own is free to bring the adjoint's new velocity onto the
  // constraints.
  if (!facts.continuous_multiplier && !system.traits().holonomic) return std::nullopt;
  return "its base \"" + base.name() +
         "\" brings every state onto the constraints, so that the base's step has no inverse";
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

namespace {

bool is_of_flows(Scheme scheme) { return !composition_scheme(scheme).fractions_between.empty(); }

/// A(h/2) B(h) A(h/2), both flows.
bool splits_into_two_flows(const std::vector<SplittingPiece>& pieces) {
  return pieces.size() == 3 && pieces[0].is_flow && pieces[1].is_flow &&
         pieces[0].name.get() == pieces[2].name.get();
}

}  // namespace

MethodPage<Compose> Compose::page() {
  Words<Scheme> schemes;
  for (const CompositionScheme& entry : composition_schemes())
    schemes.emplace_back(entry.scheme, entry.name);
  return {
      .name = "compose",
      .title = "symmetric composition of another method",
      .use = {"a symmetric method has what you need but for its order: compositions have order "
              "4, 6 or 8 and keep the rest",
              "steps of the base are expensive: gauss and lobatto of that order take less work"},
      .description =
          "Several steps of a symmetric base of order 2, forward and backward, that add up to "
          "one step of higher order; or, for a base that is a splitting into two flows, more of "
          "these.",
      .source = "Yoshida1990; Suzuki1990; KahanLi1997; SuzukiUmeno1993; BlanesMoan2002",
      .facts = &Compose::facts,
      .requirements = &Compose::requirements,
      .equations = &Compose::equations,
      .pieces = &Compose::pieces,
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
  if (facts.continuous_multiplier) facts.multiplier_order = facts.order;
  if (facts.passenger_volume != PassengerVolume::every_step &&
      facts.passenger_volume != PassengerVolume::every_step_of_springs)
    facts.passenger_volume = PassengerVolume::not_said;
  return facts;
}

std::optional<std::string> Compose::misfit(const System& system) const {
  if (system.traits().has_groups && base.facts().asymmetric_on_groups) {
    return "method \"compose\" cannot raise \"" + base.name() + "\" on system \"" + system.name() +
           "\": the base is not symmetric on " + system.configuration().text();
  }
  if (const auto reason = base.misfit(system)) return reason;
  const Symbols symbols = system.symbols();
  if (!is_of_flows(scheme) ||
      splits_into_two_flows(base.pieces(system, {symbols.q, symbols.v, {}, {}, symbols.t})))
    return std::nullopt;
  return "method \"compose\" cannot use scheme \"" + composition_scheme(scheme).name +
         "\" on system \"" + system.name() + "\": \"" + base.name() +
         "\" does not split into two flows there, as it does with passenger = \"exact\" where one "
         "direction is left to the passengers; use a scheme of whole steps";
}

std::optional<std::string> Compose::conflict() const {
  const Facts facts = base.facts();
  if (is_of_flows(scheme) && !base.is_splitting()) {
    return "cannot use scheme \"" + composition_scheme(scheme).name + "\" with \"" + base.name() +
           "\": it composes the two flows of a splitting, such as driver-splitting with passenger "
           "= "
           "\"exact\"";
  }
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

std::vector<std::string> Compose::carried_names(const System& s) const {
  return is_of_flows(scheme) ? std::vector<std::string>{} : base.carried_names(s);
}

Vector Compose::carried_start(const System& s, const State& start) const {
  return is_of_flows(scheme) ? Vector{} : base.carried_start(s, start);
}

std::vector<SplittingPiece> Compose::pieces(const System& s, const State& a) const {
  const CompositionScheme& entry = composition_scheme(scheme);
  std::vector<SplittingPiece> sequence;
  if (!is_of_flows(scheme)) {
    for (const Constant& fraction : entry.fractions) sequence.push_back(whole_step(base, fraction));
    return sequence;
  }
  const std::vector<SplittingPiece> flows = base.pieces(s, a);
  for (std::size_t i = 0; i < entry.fractions.size(); ++i) {
    sequence.push_back(flows[0]);
    sequence.back().fraction = entry.fractions[i];
    if (i == entry.fractions_between.size()) break;
    sequence.push_back(flows[1]);
    sequence.back().fraction = entry.fractions_between[i];
  }
  return sequence;
}

Equations Compose::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return apply_pieces(pieces(s, a), s, a, u, h);
}

MethodPage<NewmarkComposition> NewmarkComposition::page() {
  return {.name = "newmark-composition",
          .title = "symmetric composition of two explicit Newmark half steps",
          .use = {"order 2 with a smaller drift of the energy than newmark's is wanted, at twice "
                  "the work",
                  "the multiplier matters: the one that is reported does not converge"},
          .description =
              "F with alpha = 0 followed by F with alpha = 1, half a step each, beta = beta' = 0.",
          .source = "AnahorySimoes2022, Sect. 3.3",
          .facts = Facts{.order = 2,
                         .multiplier_order = 0,
                         .symmetric = true,
                         .reversible = true,
                         .maps_constraint_set = true,
                         .keeps_fibration = true,
                         .passenger_volume = PassengerVolume::over_turns,
                         .symplectic = LagrangianKind::constant_mass},
          .requirements = Method(Newmark{}).requirements(),
          .equations = &NewmarkComposition::equations,
          .volume = &NewmarkComposition::volume};
}

std::optional<VolumeFormula> NewmarkComposition::volume(const System& s, const State& before,
                                                        const State& after, const Expr& h) const {
  const Vector acceleration = s.unconstrained_acceleration(before.q, before.v, before.t);
  const Vector middle = before.q + 0.5 * h * (before.v + 0.25 * h * acceleration);
  const Matrix between = s.constraint_matrix(middle);
  return VolumeFormula{
      {{s.constraint_matrix(before.q), between, 1}, {between, s.constraint_matrix(after.q), -1}}};
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
