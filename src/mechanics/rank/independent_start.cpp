#include "dalembert/mechanics/rank/independent_start.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/group/displacement.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "mechanics/numeric_rank.hpp"
#include "mechanics/rank/rows_at_state.hpp"
#include "mechanics/rank/scaled_rows.hpp"

namespace dalembert {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Singular values of rows that are independent, and their ratio to those of round-off.
constexpr double least_independent = 1e-6, least_gap = 1e4;
/// Round-off of sums of some terms, relative to these.
constexpr double round_off = 1e3 * epsilon;

/// A state of a motion.
struct State {
  std::vector<double> q, v;
};

/// Looks for constraints that follow from others at a start.
class RankSearch {
 public:
  RankSearch(const System& system, const Start& start, std::span<const double> parameters, double t)
      : system_(system),
        wanted_(start),
        parameters_(parameters.begin(), parameters.end()),
        t_(t),
        rows_(system, parameters_) {}

  /// Nothing where all constraints are independent.
  std::optional<IndependentStart> find();

 private:
  std::size_t rank_of(const RowSpectrum& spectrum) const;
  std::vector<std::size_t> kept_at(const State& state, double least);
  void take(const State& state);
  std::shared_ptr<const Redundancy> redundancy_at(const State& state);
  std::optional<State> state_on_constraints();
  void refuse_vanishing() const;
  void refuse_nearly_dependent(const RowSpectrum& spectrum, std::size_t rank) const;
  std::vector<bool> shared(const RowSpectrum& spectrum, std::size_t rank) const;
  Start in_working(const Redundancy& redundancy, const State& near) const;
  void require_values(const std::vector<std::size_t>& which) const;
  void require_consistent(const Redundancy& redundancy, const State& state, bool with_positions);
  void require_same_nearby(const Redundancy& redundancy, const State& state);
  std::vector<State> states_nearby(const Redundancy& redundancy, const State& state);
  void require_ideal(const Redundancy& redundancy) const;
  [[noreturn]] void refuse_contradiction(const Redundancy& redundancy,
                                         const RowCombinations& combinations, std::size_t l) const;

  const System& system_;
  const Start& wanted_;
  std::vector<double> parameters_;
  double t_;
  RowsAtState rows_;
};

std::size_t RankSearch::rank_of(const RowSpectrum& spectrum) const {
  const auto most = static_cast<double>(std::max(rows_.count(), system_.dof()));
  const double least = round_off * most * spectrum.values.front();
  return static_cast<std::size_t>(std::count_if(spectrum.values.begin(), spectrum.values.end(),
                                                [=](double value) { return value > least; }));
}

void RankSearch::take(const State& state) {
  if (rows_.set(t_, state.q, state.v)) return;
  throw RequestError("the mass, or a constraint, of system \"" + system_.name() +
                     "\" is not finite or not positive there; check for a division by zero");
}

/// Rows that are independent by more than `least` of the largest singular value.
std::vector<std::size_t> RankSearch::kept_at(const State& state, double least) {
  take(state);
  const RowSpectrum spectrum = row_spectrum(rows_.scaled());
  const std::size_t rank = static_cast<std::size_t>(
      std::count_if(spectrum.values.begin(), spectrum.values.end(),
                    [&](double value) { return value > least * spectrum.values.front(); }));
  return independent_rows(rows_.scaled(), rank, rows_.first_on_positions());
}

void RankSearch::refuse_vanishing() const {
  for (std::size_t i = 0; i < rows_.count(); ++i)
    if (rows_.scaled().length(i) == 0.0)
      throw RequestError(constraint_list(system_, {i}) + " of system \"" + system_.name() +
                         "\" vanishes for every velocity at the start; leave it out");
}

/// Names of rows in combinations that are neither round-off nor clearly something else.
void RankSearch::refuse_nearly_dependent(const RowSpectrum& spectrum, std::size_t rank) const {
  const std::size_t m = rows_.count();
  const double last = rank == 0 ? 0.0 : spectrum.values[rank - 1],
               next = rank < m ? spectrum.values[rank] : 0.0;
  if (last > least_independent && last > least_gap * next) return;
  constexpr double taking_part = 1e-3;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < m; ++i) {
    bool is_part = false;
    for (std::size_t k = 0; k < m; ++k)
      is_part = is_part || (spectrum.values[k] <= numeric::larger(least_independent, last) &&
                            std::fabs(spectrum.combinations[k * m + i]) > taking_part);
    if (is_part) which.push_back(i);
  }
  throw RequestError(
      constraint_list(system_, which) + " of system \"" + system_.name() +
      "\" are nearly dependent at the start: a combination of their rows, each of length 1, is " +
      to_string(last) + "; state them so that they are dependent to round-off, or clearly not");
}

/// A multiplier is determined where no combination of rows that vanishes holds its row.
std::vector<bool> RankSearch::shared(const RowSpectrum& spectrum, std::size_t rank) const {
  constexpr double nothing = 1e-8;  // round-off of a combination is below 1e-9 by the gap
  const std::size_t m = rows_.count();
  std::vector<bool> result(m, false);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = rank; k < m; ++k)
      if (std::fabs(spectrum.combinations[k * m + i]) > nothing) result[i] = true;
  return result;
}

/// Null where all rows are independent there.
std::shared_ptr<const Redundancy> RankSearch::redundancy_at(const State& state) {
  take(state);
  refuse_vanishing();
  const RowSpectrum spectrum = row_spectrum(rows_.scaled());
  const std::size_t rank = rank_of(spectrum);
  refuse_nearly_dependent(spectrum, rank);
  if (rank == rows_.count()) return nullptr;
  return std::make_shared<const Redundancy>(
      system_, independent_rows(rows_.scaled(), rank, rows_.first_on_positions()),
      shared(spectrum, rank));
}

/// The wanted start for the constraints that are kept; its multipliers have the same reaction.
Start RankSearch::in_working(const Redundancy& redundancy, const State& near) const {
  Start start = wanted_;
  if (!start.lambda || start.lambda->size() != rows_.count()) return start;
  const std::vector<double> all = *start.lambda;
  start.lambda->resize(redundancy.kept().size());
  std::shared_ptr<const Redundancy> same(&redundancy, [](const Redundancy*) {});
  FullMultipliers(same, parameters_).reduce(t_, near.q, near.v, all, *start.lambda);
  return start;
}

/// Refuses what a start does not satisfy, under the names that constraints have in the problem.
void RankSearch::require_values(const std::vector<std::size_t>& which) const {
  const auto refuse = [&](std::size_t i, double value, const char* what) {
    throw RequestError(constraint_list(system_, {i}) + " of system \"" + system_.name() +
                       "\" is violated by " + to_string(value) + "; correct the " + what +
                       " or ask for a projection with project = true");
  };
  for (const std::size_t i : which) {
    // With room for data printed to 15 digits.
    if (std::fabs(rows_.value(i)) > round_off * rows_.value_size(i) + 1e-15)
      refuse(i, rows_.value(i), "velocity");
    if (i < rows_.first_on_positions()) continue;
    const std::size_t k = i - rows_.first_on_positions();
    if (std::fabs(rows_.position(k)) > round_off * rows_.position_size(k))
      refuse(i, rows_.position(k), "position");
  }
}

void RankSearch::refuse_contradiction(const Redundancy& redundancy,
                                      const RowCombinations& combinations, std::size_t l) const {
  constexpr double taking_part = 1e-8;
  std::vector<std::size_t> which{redundancy.left_out()[l]};
  for (std::size_t k = 0; k < redundancy.kept().size(); ++k)
    if (std::fabs(combinations.factor(l, k)) > taking_part) which.push_back(redundancy.kept()[k]);
  std::ranges::sort(which);
  throw RequestError(constraint_list(system_, which) + " of system \"" + system_.name() +
                     "\" contradict each other: their rows are dependent, and no motion satisfies "
                     "all of them; correct one or leave it out");
}

/// The combinations that vanish do so for what constraints say of velocities and accelerations,
/// and what is left out of those on positions holds where the others do.
void RankSearch::require_consistent(const Redundancy& redundancy, const State& state,
                                    bool with_positions) {
  RowCombinations combinations(redundancy.kept(), redundancy.left_out(), system_.dof());
  take(state);
  combinations.set(rows_.scaled());
  // Factors have the round-off of the rows over the smallest part that is new.
  const double allowed = round_off / combinations.least_new();
  const auto is_zero = [&](std::size_t l, auto value) {
    const auto scaled = [&](std::size_t i) { return value(i) / rows_.scaled().length(i); };
    double sum = scaled(redundancy.left_out()[l]), largest = std::fabs(sum), terms = 1.0;
    for (std::size_t k = 0; k < redundancy.kept().size(); ++k) {
      const double factor = combinations.factor(l, k), part = scaled(redundancy.kept()[k]);
      sum -= factor * part;
      terms += std::fabs(factor);
      largest = numeric::larger(largest, std::fabs(part));
    }
    return std::fabs(sum) <= allowed * terms * largest;
  };
  for (std::size_t l = 0; l < redundancy.left_out().size(); ++l) {
    const std::size_t i = redundancy.left_out()[l];
    const bool fails_on_positions =
        with_positions && i >= rows_.first_on_positions() &&
        !(std::fabs(rows_.position(i - rows_.first_on_positions())) <=
          round_off * rows_.position_size(i - rows_.first_on_positions()));
    if (fails_on_positions || !is_zero(l, [&](std::size_t row) { return rows_.change(row); }))
      refuse_contradiction(redundancy, combinations, l);
  }
  if (system_.traits().constraints == ConstraintKind::nonlinear) return;
  // At rest the values are what is left without the velocities.
  take({state.q, std::vector<double>(system_.dof(), 0.0)});
  for (std::size_t l = 0; l < redundancy.left_out().size(); ++l)
    if (!is_zero(l, [&](std::size_t row) { return rows_.value(row); }))
      refuse_contradiction(redundancy, combinations, l);
}

/// Three states along the constraints, in directions that have nothing special.
std::vector<State> RankSearch::states_nearby(const Redundancy& redundancy, const State& state) {
  constexpr std::size_t count = 3;
  constexpr double distance = 1e-2;
  const std::size_t n = system_.dof();
  Evaluator evaluator(redundancy.working(), parameters_);
  Displacement<double> move(system_.configuration());
  std::vector<State> states;
  for (std::size_t number = 1; number <= count; ++number) {
    std::vector<double> way(n), rest(n, 0.0), velocity = state.v;
    for (std::size_t j = 0; j < n; ++j)
      way[j] = static_cast<double>((7 * j + 5 * number + j * j * number) % 11) - 4.5;
    // Directions without what a constraint that depends on time, or a moved origin, adds.
    if (system_.traits().constraints != ConstraintKind::nonlinear) {
      way = evaluator.projected_velocity(t_, state.q, way);
      rest = evaluator.projected_velocity(t_, state.q, rest);
    }
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      way[j] -= rest[j];
      largest = numeric::larger(largest, std::fabs(way[j]));
    }
    if (!(largest > 1e-9)) break;  // nothing can move
    for (std::size_t j = 0; j < n; ++j) {
      way[j] *= distance / largest;
      velocity[j] += way[j];
    }
    auto [q, v] = evaluator.consistent_state(t_, move(state.q, way), velocity);
    states.push_back({std::move(q), std::move(v)});
  }
  return states;
}

void RankSearch::require_same_nearby(const Redundancy& redundancy, const State& state) {
  for (const State& near : states_nearby(redundancy, state)) {
    take(near);
    const RowSpectrum spectrum = row_spectrum(rows_.scaled());
    if (rank_of(spectrum) > redundancy.kept().size()) {
      std::vector<std::size_t> which;
      for (std::size_t i = 0; i < rows_.count(); ++i)
        if (redundancy.shared()[i]) which.push_back(i);
      throw RequestError(
          constraint_list(system_, which) + " of system \"" + system_.name() +
          "\" are dependent at this start only, and independent beside it: there is no unique "
          "motion from here; start elsewhere");
    }
    require_consistent(redundancy, near, true);
  }
}

/// The state that is wanted, brought onto the constraints where that is asked for; nothing where
/// all are independent.
std::optional<State> RankSearch::state_on_constraints() {
  State state{wanted_.q, wanted_.v};
  if (state.v.empty()) state.v.assign(system_.dof(), 0.0);
  if (!wanted_.project && !wanted_.p) return state;
  // Off the constraints, rows that are dependent on them are nearly so.
  constexpr double nearly = 1e-2;
  take(state);
  refuse_vanishing();
  const std::vector<std::size_t> kept = kept_at(state, nearly);
  if (kept.size() == rows_.count()) return std::nullopt;
  const Redundancy rough(system_, kept, std::vector<bool>(rows_.count(), false));
  const Start ready = prepare_start(rough.working(), in_working(rough, state), parameters_, t_);
  return State{ready.q, ready.v};
}

/// The motion would depend on how reactions that are not ideal are shared.
void RankSearch::require_ideal(const Redundancy& redundancy) const {
  const std::vector<Vector>& reactions = system_.mechanics().reactions;
  for (std::size_t i = 0; i < reactions.size(); ++i)
    if (redundancy.shared()[i] && !reactions[i].empty())
      throw RequestError("system \"" + system_.name() + "\": " + redundancy.sentence() +
                         ", but the reaction of " + constraint_list(system_, {i}) +
                         " has a direction of its own, and the motion depends on its share");
}

std::optional<IndependentStart> RankSearch::find() {
  const std::optional<State> state = state_on_constraints();
  if (!state) return std::nullopt;
  const std::shared_ptr<const Redundancy> found = redundancy_at(*state);
  if (found == nullptr) return std::nullopt;
  require_ideal(*found);
  require_consistent(*found, *state, false);
  take(*state);
  if (!wanted_.project && !wanted_.p) {
    require_values(found->kept());
    require_consistent(*found, *state, true);
  }
  Start start = in_working(*found, *state);
  start.q = state->q;
  start.v = state->v;
  start.p.reset();
  IndependentStart result{found->working(), prepare_start(found->working(), start, parameters_, t_),
                          found};
  const State ready{result.start.q, result.start.v};
  require_same_nearby(*found, ready);
  take(ready);
  require_values(found->left_out());
  return result;
}

/// True where rows may be dependent by more than round-off: the search decides.
bool are_near(const System& system, const Start& start, std::span<const double> parameters,
              double t) {
  const std::size_t m = system.constraint_count(), n = system.dof();
  if (m < 2 || system.is_skew_gradient()) return false;
  const Symbols s = system.symbols();
  StateFunction<double> function(system, s, system.constraint_matrix(s.q, s.v, s.t).entries(),
                                 parameters);
  const std::span<const double> entries = function(t, start.q, start.v);
  std::vector<double> rows(entries.begin(), entries.end()), lengths;
  for (std::size_t k = 0; k < m; ++k)
    if (!(independent_part(rows, lengths, k, n) > 10.0 * least_independent)) return true;
  return false;
}

}  // namespace

IndependentStart independent_start(const System& system, const Start& start,
                                   std::span<const double> given, double t) {
  const std::vector<double> parameters = given.empty()
                                             ? named_parameter_values(system, start.parameters)
                                             : std::vector<double>(given.begin(), given.end());
  std::exception_ptr refusal;
  try {
    IndependentStart result{system, prepare_start(system, start, parameters, t)};
    if (!are_near(system, result.start, parameters, t)) return result;
    if (auto found = RankSearch(system, start, parameters, t).find()) return *std::move(found);
    return result;
  } catch (const DependentConstraints&) {
    refusal = std::current_exception();
  }
  if (auto found = RankSearch(system, start, parameters, t).find()) return *std::move(found);
  std::rethrow_exception(refusal);
}

}  // namespace dalembert
