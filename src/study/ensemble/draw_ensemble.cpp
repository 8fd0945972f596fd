// Draws the starts of an ensemble; doc/ensembles.md describes it.
#include "dalembert/study/ensemble/draw_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/group/displacement.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/numeric/small_ldlt.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/study/ensemble/ensemble_entry.hpp"
#include "dalembert/study/ensemble/random_stream.hpp"
#include "study/ensemble/member_rows.hpp"

namespace dalembert::study {
namespace {

using Values = std::vector<double>;

/// The purposes of random streams; variable k of [ensemble.random] has `variables` + k.
enum Purpose : std::uint64_t { positions = 0, velocities = 1, variables = 2 };

/// Below this many, several threads gain nothing; starts of this many are there at once.
constexpr std::uint64_t few_members = 1024, members_at_once = 16384;
constexpr double pi = 0x1.921fb54442d18p+1;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Why a start was refused; another attempt may do better.
struct Refusal {
  std::string reason;
};

bool is_finite(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// A list of expressions of parameters and random variables, compiled.
class Expressions {
 public:
  Expressions() = default;
  Expressions(const std::vector<DocumentNode>& nodes, const EnsembleEntry& entry,
              const Sizes& sizes, const ProblemFile& problem, const Values& parameters,
              std::size_t count, const std::string& what, const std::string& names) {
    const GraphPointer graph = std::make_shared<Graph>();
    Scope scope;
    scope.sizes = sizes;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      scope.names.emplace(problem.parameters[i].name, parameters[i]);
    Vector inputs;
    for (const RandomVariable& variable : entry.variables) {
      inputs.push_back(make_symbol(graph, variable.name));
      scope.names.insert_or_assign(variable.name, inputs.back());
    }
    const Vector outputs = parse_expressions(nodes, scope);
    if (outputs.size() != count) {
      throw RequestError((nodes.empty() ? entry.place : nodes.front().place).text() + ": " + what +
                         " of [ensemble] has " + std::to_string(outputs.size()) +
                         " entries; it needs " + std::to_string(count) + names);
    }
    function_ = CompiledFunction(inputs, outputs);
  }

  Values operator()(const Values& random) { return function_(random); }

 private:
  CompiledFunction function_;
};

/// Draws members one after the other.
class StartSampler {
 public:
  StartSampler(const EnsembleEntry& entry, const ProblemFile& problem, const System& system,
               const Sizes& sizes, const Values& parameters)
      : entry_(entry),
        system_(system),
        evaluator_(system, parameters),
        dof_(system.dof()),
        move_(system.configuration()),
        names_(velocity_names(system)) {
    Scope scope;
    scope.sizes = sizes;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      scope.names.emplace(problem.parameters[i].name, parameters[i]);
    if (entry.energy) energy_ = parse_constant(*entry.energy, scope);
    if (energy_) refuse_nonlinear_constraints();
    read_positions(problem, sizes, parameters, scope);
    read_velocities(problem, sizes, parameters, scope);
    if (draws_velocities()) compile_mass();
  }

  /// Constraints that are left out are to follow from the others.
  void require(FullMultipliers full) { full_ = std::move(full); }

  MemberStart operator()(std::uint64_t member) {
    std::vector<RandomStream> streams;
    for (std::uint64_t purpose = 0; purpose < variables + entry_.variables.size(); ++purpose)
      streams.emplace_back(entry_.seed, member, purpose);
    const std::uint64_t attempts = is_random() ? entry_.attempts : 1;
    MemberStart start;
    for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
      try {
        return attempt_start(member, streams);
      } catch (const Refusal& refusal) {
        start.failure = refusal.reason;
      } catch (const RequestError& error) {  // the mechanics cannot be evaluated there
        start.failure = error.what();
      }
    }
    if (attempts > 1)
      start.failure =
          "no start in " + std::to_string(attempts) + " attempts; the last one: " + start.failure;
    return start;
  }

 private:
  bool has_expressions() const { return entry_.start && !entry_.start->q.empty(); }
  bool draws_velocities() const {
    return !system_.is_skew_gradient() && !entry_.around &&
           !(entry_.start && (!entry_.start->v.empty() || entry_.start->p));
  }
  bool is_random() const { return !has_expressions() || !entry_.variables.empty(); }

  void read_positions(const ProblemFile& problem, const Sizes& sizes, const Values& parameters,
                      const Scope& scope) {
    if (has_expressions() && are_rows(entry_.start->q)) {
      q_rows_ = {entry_.start->q, scope, system_.storage_count(), "q", position_names(system_)};
    } else if (has_expressions()) {
      q_ = Expressions(entry_.start->q, entry_, sizes, problem, parameters, system_.storage_count(),
                       "q", position_names(system_));
    } else if (entry_.around) {
      centre_ = evaluate_start(problem, *entry_.around, system_, sizes, parameters);
      spread_q_ = spread(entry_.spread_q, scope);
      spread_v_ = system_.is_skew_gradient() ? Values{} : spread(entry_.spread_v, scope);
    } else {
      read_box(scope);
    }
  }

  Values spread(const std::optional<DocumentNode>& node, const Scope& scope) const {
    if (!node) return Values(dof_, 0.0);
    const std::vector<DocumentNode> list = as_list(*node);
    if (list.size() != 1 && list.size() != dof_)
      node->refuse("has " + std::to_string(list.size()) + " entries; it needs 1 or " +
                   std::to_string(dof_) + names_);
    Values values;
    for (std::size_t i = 0; i < dof_; ++i) {
      const DocumentNode& item = list[list.size() == 1 ? 0 : i];
      values.push_back(parse_constant(item, scope));
      if (!(values.back() >= 0.0))
        item.refuse("is " + to_string(values.back()) + "; a standard deviation must be >= 0");
    }
    return values;
  }

  void read_box(const Scope& scope) {
    if (system_.traits().has_groups) {
      throw RequestError(entry_.place.text(),
                         "positions uniform in a box need coordinates, and problem \"" +
                             system_.name() + "\" is one on " + system_.configuration().text() +
                             "; spread them around a start (around, spread)");
    }
    for (const Coordinate& coordinate : system_.description().coordinates) {
      const double half = coordinate.is_angle ? pi : 1.0;
      least_.push_back(-half);
      largest_.push_back(half);
    }
    if (!entry_.box) return;
    const DocumentNode& box = *entry_.box;
    if (!box.is_array() || box.array().empty())
      box.refuse("must be an interval [least, largest] or a list of them, not " + box.found());
    const bool one = !box.array().front().is_array();
    if (!one && box.array().size() != dof_)
      box.refuse("has " + std::to_string(box.array().size()) + " intervals; it needs " +
                 std::to_string(dof_) + names_ + ", or one for all");
    for (std::size_t i = 0; i < dof_; ++i) {
      const DocumentNode& interval = one ? box : box.array()[i];
      if (!interval.is_array() || interval.array().size() != 2)
        interval.refuse("must be an interval [least, largest], not " + interval.found());
      least_[i] = parse_constant(interval.array()[0], scope);
      largest_[i] = parse_constant(interval.array()[1], scope);
      if (!(least_[i] <= largest_[i]))
        interval.refuse("is empty; its first number must not be greater than the second");
    }
  }

  void read_velocities(const ProblemFile& problem, const Sizes& sizes, const Values& parameters,
                       const Scope& scope) {
    if (!entry_.start) return;
    if (are_rows(entry_.start->v)) {
      v_rows_ = {entry_.start->v, scope, dof_, "v", names_};
    } else if (!entry_.start->v.empty()) {
      v_ = Expressions(entry_.start->v, entry_, sizes, problem, parameters, dof_, "v", names_);
    }
    if (entry_.start->p)
      p_ = Expressions(*entry_.start->p, entry_, sizes, problem, parameters, dof_, "p", names_);
  }

  bool projects() const { return entry_.project || entry_.around || energy_; }

  void refuse_nonlinear_constraints() const {
    if (system_.traits().constraints == ConstraintKind::nonlinear) {
      throw RequestError(
          entry_.place.text(),
          "the constraints of problem \"" + system_.name() +
              "\" are not linear in the velocities, so that no start on a level of energy can be "
              "scaled to them; leave out energy");
    }
  }

  /// The mass matrix at rest, in double.
  void compile_mass() {
    const Symbols s = system_.symbols();
    mass_ = StateFunction<double>(system_, s, system_.mass(s.q, zeros(dof_)).entries(),
                                  evaluator_.parameters());
  }

  MemberStart attempt_start(std::uint64_t member, std::vector<RandomStream>& streams) {
    Values random;
    for (std::size_t k = 0; k < entry_.variables.size(); ++k)
      random.push_back(value_of(entry_.variables[k], streams[variables + k]));
    MemberStart start;
    start.q = q_rows_.is_empty() ? position(random, streams[positions]) : q_rows_(member);
    if (!is_finite(start.q)) throw Refusal{"q is not finite"};
    if (system_.is_skew_gradient()) {
      evaluator_.check_regular(0.0, start.q, {});
      return start;
    }
    evaluator_.check_position(0.0, start.q);
    start.v = v_rows_.is_empty() ? velocity(random, start.q, streams[velocities]) : v_rows_(member);
    if (!is_finite(start.v)) throw Refusal{"v is not finite"};
    Start ready = prepare_start(evaluator_, {.q = start.q, .v = start.v, .project = projects()});
    start.q = std::move(ready.q);
    start.v = std::move(ready.v);
    if (energy_) {
      reach_energy(start.q, start.v);
      evaluator_.check_regular(0.0, start.q, start.v);
    }
    const std::string misfit = full_ ? full_->misfit(0.0, start.q, start.v) : "";
    if (!misfit.empty()) throw Refusal{misfit};
    return start;
  }

  static double value_of(const RandomVariable& variable, RandomStream& stream) {
    if (variable.law == RandomVariable::Law::normal)
      return variable.first + variable.second * stream.normal();
    return variable.first + (variable.second - variable.first) * stream.uniform();
  }

  Values position(const Values& random, RandomStream& stream) {
    if (has_expressions()) return q_(random);
    Values q(dof_);
    for (std::size_t i = 0; i < dof_; ++i) {
      q[i] = entry_.around ? spread_q_[i] * stream.normal()
                           : least_[i] + (largest_[i] - least_[i]) * stream.uniform();
    }
    return entry_.around ? move_(centre_.q, q) : q;
  }

  Values velocity(const Values& random, const Values& q, RandomStream& stream) {
    if (v_.has_value()) return (*v_)(random);
    if (p_.has_value()) return evaluator_.velocity_of_momentum(0.0, q, (*p_)(random));
    if (!entry_.around) return isotropic_velocity(q, stream);
    Values v = centre_.p ? evaluator_.velocity_of_momentum(0.0, q, *centre_.p) : centre_.v;
    for (std::size_t i = 0; i < dof_; ++i) v[i] += spread_v_[i] * stream.normal();
    return v;
  }

  /// Normal with covariance M^-1: from M = L D L^T, v = L^-T D^-1/2 xi. Its projection onto the
  /// constraints is normal and isotropic in the metric of the mass there.
  Values isotropic_velocity(const Values& q, RandomStream& stream) {
    const std::span<const double> entries = mass_(0.0, q, Values(dof_, 0.0));
    Values mass(entries.begin(), entries.end());
    const int n = static_cast<int>(dof_);
    if (numeric::ldlt_factor(n, mass.data()).singular)
      throw Refusal{"the mass matrix at q = " + list_text(q) + " is not positive definite"};
    Values v(dof_);
    for (std::size_t i = 0; i < dof_; ++i)  // 1/D stands on the diagonal
      v[i] = std::sqrt(mass[i * dof_ + i]) * stream.normal();
    for (std::size_t i = dof_; i-- > 0;)
      for (std::size_t k = i + 1; k < dof_; ++k) v[i] -= mass[k * dof_ + i] * v[k];
    return v;
  }

  /// v = u + s w with H = energy, where u is the velocity nearest to rest that the constraints
  /// allow and w = v - u. For Lagrangians quadratic in v, H(s) - H(0) is proportional to s^2;
  /// Newton steps with a central difference serve others, and the last digits.
  void reach_energy(const Values& q, Values& v) {
    Values least(dof_, 0.0), w = v, trial = v;
    least = evaluator_.consistent_state(0.0, q, least).second;
    for (std::size_t i = 0; i < dof_; ++i) w[i] -= least[i];
    const auto excess = [&](double s) {
      for (std::size_t i = 0; i < dof_; ++i) trial[i] = least[i] + s * w[i];
      return evaluator_.energy(0.0, q, trial) - *energy_;
    };
    const double at_rest = excess(0.0), round_off = tolerance(at_rest);
    if (at_rest > round_off) {
      throw Refusal{"the energy " + to_string(*energy_) + " is below that at rest, " +
                    to_string(at_rest + *energy_) + ", at q = " + list_text(q)};
    }
    double s = std::sqrt(numeric::larger(0.0, -at_rest) / (excess(1.0) - at_rest));
    if (!std::isfinite(s)) {
      throw Refusal{"no velocity that the constraints allow reaches the energy " +
                    to_string(*energy_) + " at q = " + list_text(q)};
    }
    double error = excess(s);
    constexpr int most_corrections = 50;
    constexpr double relative_offset = 1e-4;
    for (int i = 0; i < most_corrections && error != 0.0; ++i) {
      const double slope =
          (excess(s * (1.0 + relative_offset)) - excess(s * (1.0 - relative_offset))) /
          (2.0 * relative_offset * s);
      const double next = s - error / slope, next_error = excess(next);
      if (!(std::fabs(next_error) < std::fabs(error))) break;
      s = next;
      error = next_error;
    }
    if (!(std::fabs(excess(s)) <= round_off)) {
      throw Refusal{"the energy " + to_string(*energy_) + " is missed by " + to_string(error) +
                    " at q = " + list_text(q)};
    }
    v = trial;
  }

  /// Round-off of an energy whose parts may be as large as the energy at rest and the difference.
  double tolerance(double at_rest) const {
    constexpr double terms = 64.0;
    return terms * epsilon *
           (std::fabs(*energy_) + std::fabs(at_rest + *energy_) + std::fabs(at_rest));
  }

  static std::string list_text(const Values& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "(" : ", ") + to_string(value);
    return text + ")";
  }

  const EnsembleEntry& entry_;
  System system_;
  Evaluator evaluator_;
  std::size_t dof_;
  Displacement<double> move_;
  std::string names_;
  std::optional<double> energy_;
  MemberRows q_rows_, v_rows_;
  Expressions q_;
  std::optional<Expressions> v_, p_;
  Start centre_;
  Values spread_q_, spread_v_, least_, largest_;
  StateFunction<double> mass_;
  std::optional<FullMultipliers> full_;
};

}  // namespace

namespace {

[[noreturn]] void refuse_no_start(const EnsembleEntry& entry, const ProblemFile& problem,
                                  const std::string& of_what, std::uint64_t member,
                                  const std::string& reason) {
  const Place place = entry.energy ? entry.energy->place : entry.place;
  throw RequestError(place.text(), "[ensemble] of problem \"" + problem.name + "\": no member" +
                                       of_what + " has a start; member " + std::to_string(member) +
                                       ": " + reason);
}

}  // namespace

DrawnEnsemble draw_ensemble(const EnsembleEntry& entry, const ProblemFile& problem,
                            const System& system, const Sizes& sizes,
                            const std::vector<double>& parameters,
                            const std::shared_ptr<const Redundancy>& redundancy,
                            std::size_t threads) {
  StartSampler draw(entry, problem, system, sizes, parameters);
  if (redundancy) draw.require(FullMultipliers(redundancy, parameters));
  DrawnEnsemble drawn{MemberStarts(system.storage_count(), system.velocity_count()), draw(0)};
  const std::string why_not = drawn.first.failure;
  for (std::uint64_t member = 1; !drawn.first.failure.empty(); ++member) {
    if (member == entry.size) refuse_no_start(entry, problem, "", 0, why_not);
    drawn.first = draw(member);
  }
  const std::uint64_t begin = entry.part ? entry.part->first : 0,
                      end = entry.part ? entry.part->end : entry.size;
  drawn.starts.reserve(end - begin);
  const std::size_t samplers = end - begin < few_members ? 1 : threads;
  std::vector<StartSampler> others;
  for (std::size_t i = 1; i < samplers; ++i) {
    others.emplace_back(entry, problem, system, sizes, parameters);
    if (redundancy) others.back().require(FullMultipliers(redundancy, parameters));
  }
  std::vector<MemberStart> batch(std::min<std::uint64_t>(members_at_once, end - begin));
  for (std::uint64_t first = begin; first < end; first += batch.size()) {
    const std::size_t count = std::min<std::uint64_t>(batch.size(), end - first);
    parallel_for(samplers, count, [&](std::size_t i, std::size_t thread) {
      batch[i] = (thread == 0 ? draw : others[thread - 1])(first + i);
    });
    for (std::size_t i = 0; i < count; ++i) drawn.starts.push_back(batch[i]);
  }
  if (drawn.starts.count() == 0)
    refuse_no_start(entry, problem, " of part " + entry.part->text(), begin,
                    drawn.starts[0].failure);
  return drawn;
}

}  // namespace dalembert::study
