#include "dalembert/mechanics/conservation.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "dalembert/mechanics/group/displacement.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

constexpr int wanted_states = 8, most_attempts = 60;
// Round-off of some hundred operations on terms of the size that the rate is compared with.
constexpr double negligible = 1e-11;
// What is smaller than this at all states, of terms of size one, does not act there.
constexpr double inactive = 1e-9;

using Kept = Conservation::Kept;

/// A point of the state space with the time.
struct RandomState {
  double t;
  std::vector<double> q, v;
};

/// Where rates are looked at.
struct Samples {
  std::vector<RandomState> states;
  std::span<const double> parameters;
};

/// Random states near (q, v), or near the origin, brought onto the constraints.
std::vector<RandomState> admissible_states(const System& system, std::span<const double> near_q,
                                           std::span<const double> near_v,
                                           std::span<const double> parameters) {
  std::mt19937_64 engine(1);
  const auto random = [&engine] {
    return std::uniform_real_distribution<double>(-1.0, 1.0)(engine);
  };
  ConsistentStart<double> consistent(system, parameters);
  const bool has_start = near_q.size() == system.storage_count() && near_v.size() == system.dof();
  std::vector<double> origin;
  for (const Expr& entry : system.configuration().identity())
    origin.push_back(entry.constant().as<double>());
  Displacement<double> move(system.configuration());
  std::vector<RandomState> states;
  for (int attempt = 0; attempt < most_attempts && states.size() < wanted_states; ++attempt) {
    std::vector<double> x(system.dof()), v(system.dof());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = 0.3 * random();
      v[i] = (has_start ? near_v[i] : 0.0) + 0.5 * random();
    }
    const std::vector<double> q = move(has_start ? near_q : std::span<const double>(origin), x);
    const double t = 1.0 + random();
    auto found = consistent(t, q, v);
    if (found.found()) states.push_back({t, std::move(found.q), std::move(found.v)});
  }
  return states;
}

/// The largest |sum of terms| relative to the sum of |terms| over the states; each expression is
/// given as its terms.
class Rates {
 public:
  Rates(const System& system, const Symbols& s, const std::vector<Vector>& sums,
        std::span<const double> parameters) {
    Vector outputs;
    for (const Vector& terms : sums) {
      outputs = concatenate({outputs, terms});
      counts_.push_back(terms.size());
    }
    function_ = StateFunction<double>(system, s, outputs, parameters);
  }

  std::vector<double> largest(const std::vector<RandomState>& states) {
    std::vector<double> result(counts_.size(), 0.0);
    for (const RandomState& state : states) {
      const std::span<const double> values = function_(state.t, state.q, state.v);
      auto next = values.begin();
      for (std::size_t k = 0; k < counts_.size(); ++k) {
        double sum = 0.0, size = 0.0;
        for (std::size_t i = 0; i < counts_[k]; ++i, ++next) {
          sum += *next;
          size += std::fabs(*next);
        }
        if (std::isfinite(sum) && size > 0.0)
          result[k] = numeric::larger(result[k], std::fabs(sum) / (size + 1.0));
      }
    }
    return result;
  }

 private:
  std::vector<std::size_t> counts_;
  StateFunction<double> function_;
};

Vector products(const Vector& x, const Vector& y) {
  Vector result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(x[i] * y[i]);
  return result;
}

/// The same with numbers in the place of the parameters: terms that these switch off are gone.
Vector with_numbers(const Vector& expressions, const Symbols& s, std::span<const double> values) {
  Vector numbers;
  for (const double value : values) numbers.push_back(Expr(value));
  return substitute(expressions, s.parameter_list, numbers);
}

/// The expressions and what they add up anywhere within, but for constants.
Vector summands(const Vector& expressions) {
  Vector found;
  const auto add = [&found](const Expr& summand) {
    if (!summand.is_constant()) found.push_back(summand);
  };
  for (const Expr& expression : expressions) {
    add(expression);
    if (expression.is_constant()) continue;
    const GraphPointer& graph = expression.graph();
    for (const NodeId id : reachable(*graph, {expression.id()})) {
      const Node node = graph->node(id);
      if (node.operation != Operation::add && node.operation != Operation::subtract) continue;
      add(Expr(graph, node.a));
      add(Expr(graph, node.b));
    }
  }
  return found;
}

/// Whether samples say nothing of what forces do elsewhere: they have pieces, of which only some
/// may lie at the samples, or parts that vanish at all of them.
bool may_act_elsewhere(const System& system, const Symbols& s, const Samples& samples) {
  const Vector force = with_numbers(system.force(s.q, s.v, s.t), s, samples.parameters);
  const Vector moving = concatenate({s.variables, s.v, Vector{s.t}});
  for (const Expr& entry : force)
    if (has_pieces_in(entry, moving)) return true;
  const Vector parts = summands(force);
  if (parts.empty()) return false;
  std::vector<double> largest(parts.size(), 0.0);
  StateFunction<double> function(system, s, parts, samples.parameters);
  for (const RandomState& state : samples.states) {
    const std::span<const double> values = function(state.t, state.q, state.v);
    for (std::size_t i = 0; i < largest.size(); ++i)
      largest[i] = numeric::larger(largest[i], std::fabs(values[i]));
  }
  return std::ranges::any_of(largest, [](double size) { return !(size > inactive); });
}

std::string constraint_name(const System& system, std::size_t i) {
  const std::size_t free = system.nonholonomic_count();
  return i < free ? "constraint " + std::to_string(i + 1)
                  : "holonomic constraint " + std::to_string(i - free + 1);
}

/// What is found of one cause after the other: a change is certain, everything else is not.
struct Findings {
  std::vector<std::string> changes, doubts;
};

/// Whether the reactions do work, a clause for each constraint whose reaction does or may.
void judge_reactions(const System& system, const Symbols& s, const Samples& samples,
                     Findings& findings) {
  const Vector phi = with_numbers(system.constraint(s.q, s.v, s.t), s, samples.parameters);
  const Vector at_rest =
      with_numbers(system.constraint(s.q, zeros(s.v.size()), s.t), s, samples.parameters);
  const Matrix reactions = system.reaction_matrix(s.q, s.v, s.t);
  const std::vector<Vector>& own = system.mechanics().reactions;
  // B^T v, (dPhi/dv) v of ideal constraints: on the constraint it must vanish.
  std::vector<Vector> powers;
  for (std::size_t i = 0; i < phi.size(); ++i) powers.push_back(products(reactions.row(i), s.v));
  const std::vector<double> found =
      Rates(system, s, powers, samples.parameters).largest(samples.states);
  const Vector moving = concatenate({s.variables, s.v, Vector{s.t}});
  for (std::size_t i = 0; i < phi.size(); ++i) {
    const bool linear = is_linear(phi[i], s.v);
    const std::string reaction = "the reaction of " + constraint_name(system, i);
    const bool has_own = i < own.size() && !own[i].empty();
    if (found[i] > negligible) {
      findings.changes.push_back(reaction + " does work, because it " +
                                 (has_own  ? "has a direction of its own"
                                  : linear ? "is affine and not linear in the velocities"
                                           : "is not homogeneous in the velocities"));
    } else if (has_own) {
      findings.doubts.push_back(reaction +
                                " has a direction of its own, and does no work near the "
                                "start, but may do so elsewhere or later");
    } else if (linear ? !at_rest[i].is_constant(0.0) : has_pieces_in(phi[i], moving)) {
      findings.doubts.push_back(reaction +
                                " does no work near the start, but may do so elsewhere or later");
    }
  }
}

std::string kind_of_constraints(const System& system) {
  if (system.constraint_count() == 0) return "there are no constraints";
  if (!system.traits().nonholonomic)
    return "the constraints on positions do not move, so that their reactions do no work";
  return system.traits().constraints == ConstraintKind::nonlinear
             ? "the constraints are homogeneous in the velocities, so that their reactions do no "
               "work"
             : "the constraints are linear in the velocities, so that their reactions do no work";
}

void judge_energy(const System& system, const Samples& samples, Conservation& result) {
  const Symbols s = system.symbols();
  Findings findings;
  const Vector lagrangian = with_numbers({system.lagrangian(s.q, s.v, s.t)}, s, samples.parameters);
  if (!gradient(lagrangian.front(), {s.t}).front().is_constant(0.0)) {
    findings.changes.emplace_back("the Lagrangian depends on time");
  } else if (depends_on(lagrangian.front(), {s.t})) {
    findings.doubts.emplace_back("the Lagrangian has pieces that begin or end at a time");
  }
  const Vector power = products(s.v, system.force(s.q, s.v, s.t));
  if (Rates(system, s, {power}, samples.parameters).largest(samples.states).front() > negligible) {
    findings.changes.emplace_back("external forces do work");
  } else if (may_act_elsewhere(system, s, samples)) {
    findings.doubts.emplace_back(
        "external forces do no work near the start, but may do so elsewhere or later");
  }
  judge_reactions(system, s, samples, findings);
  result.energy = !findings.changes.empty()  ? Kept::no
                  : !findings.doubts.empty() ? Kept::unknown
                                             : Kept::yes;
  result.reasons = findings.changes.empty() ? findings.doubts : findings.changes;
  if (!result.keeps_energy()) return;
  result.reasons = {
      "the Lagrangian does not depend on time",
      system.traits().forced ? "the external forces do no work" : "there are no external forces",
      kind_of_constraints(system)};
}

void judge_integrals(const System& system, const Samples& samples, Conservation& result) {
  const Symbols s = system.symbols();
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration;
  const bool in_doubt = may_act_elsewhere(system, s, samples);
  std::vector<Vector> rates;
  for (const auto& [name, integral] : system.mechanics().integrals) {
    const Vector along = system.left_jacobian({integral}, s.q, s.v, s.t).entries();
    rates.push_back(
        concatenate({products(along, s.v), products(gradient(integral, s.v), acceleration),
                     gradient(integral, {s.t})}));
  }
  const std::vector<double> found =
      Rates(system, s, rates, samples.parameters).largest(samples.states);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const Kept kept = found[i] > negligible ? Kept::no : in_doubt ? Kept::unknown : Kept::yes;
    result.integrals.push_back({system.mechanics().integrals[i].first, kept, found[i]});
  }
}

}  // namespace

Conservation conservation(const System& system, std::span<const double> q,
                          std::span<const double> v, std::span<const double> parameters) {
  Conservation result;
  if (system.is_skew_gradient()) {
    result.reasons = {"the equations are Pi(zeta) dH(zeta) with a skew matrix Pi"};
    return result;
  }
  const std::vector<double> values = parameter_values(system, parameters);
  const Samples samples{admissible_states(system, q, v, values), values};
  result.states = static_cast<int>(samples.states.size());
  judge_energy(system, samples, result);
  judge_integrals(system, samples, result);
  return result;
}

}  // namespace dalembert
