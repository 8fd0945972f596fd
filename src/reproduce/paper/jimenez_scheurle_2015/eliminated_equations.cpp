// Jimenez and Scheurle 2015, Theorem 2.1, Lemma 2.4 and Prop. 2.1: the eliminated equations exist
// and are tangent to the constraints, at random states of all problems of the library.
#include "eliminated_equations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/measure/followed_quantity.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/study/ensemble/random_stream.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr std::uint64_t seed_of_states = 2;
/// How far the states lie from the first start of their problem, in each position and velocity.
constexpr double spread_of_states = 0.2;

/// What the states of one problem show.
struct StatesOfProblem {
  int states = 0;        ///< that lie on the constraints
  double rank = 1.0;     ///< the least length of a row of A beside the others, over its own
  double tangent = 0.0;  ///< the largest |dPhi/dt|, in units of the multipliers and velocities
};

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The least length that is left of a row beside those before it, over its own.
double least_part(std::vector<std::vector<double>> rows) {
  double least = 1.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double own = std::sqrt(product_of(rows[i], rows[i]));
    for (std::size_t j = 0; j < i; ++j) {
      const double along = product_of(rows[i], rows[j]);
      for (std::size_t k = 0; k < rows[i].size(); ++k) rows[i][k] -= along * rows[j][k];
    }
    const double left = std::sqrt(product_of(rows[i], rows[i]));
    least = numeric::smaller(least, left / own);
    for (double& entry : rows[i]) entry /= left;
  }
  return least;
}

std::vector<std::vector<double>> rows_of(std::span<const double> entries, std::size_t count) {
  const std::size_t width = entries.size() / count;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(i * width);
    rows.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  return rows;
}

StatesOfProblem look_at_states(const Problem& problem, int wanted) {
  const System& system = problem.system;
  const std::vector<double> parameters = system.default_parameters();
  Evaluator evaluator(system, parameters);
  ConstraintRate rate(system, parameters);
  const Symbols s = system.symbols();
  const Matrix directions = system.constraint_matrix(s.q, s.v, s.t);
  Vector entries;
  for (std::size_t i = 0; i < directions.rows(); ++i)
    for (std::size_t k = 0; k < directions.columns(); ++k) entries.push_back(directions(i, k));
  StateFunction<double> matrix(system, s, entries, parameters);
  const std::size_t constraints = system.constraint_count();
  std::vector<double> lambda(constraints);
  StatesOfProblem found;
  for (int k = 0; k < wanted; ++k) {
    RandomStream random(seed_of_states, static_cast<std::uint64_t>(k), 0);
    std::vector<double> q = problem.start().q, v = problem.start().v;
    for (double& entry : v) entry += spread_of_states * (2.0 * random.uniform() - 1.0);
    // Of a body that constraints on positions hold only the velocity is varied.
    if (!system.traits().has_groups || system.holonomic_count() == 0)
      for (double& entry : q) entry += spread_of_states * (2.0 * random.uniform() - 1.0);
    try {
      std::tie(q, v) = evaluator.consistent_state(0.0, q, v);
      evaluator.check_regular(0.0, q, v);
    } catch (const RequestError&) {
      continue;  // no state of the constraints is near, or it has left what the problem is for
    }
    ++found.states;
    evaluator.multiplier(0.0, q, v, lambda);
    double size = 1.0;
    for (const double entry : lambda) size = numeric::larger(size, std::fabs(entry));
    for (const double entry : v) size = numeric::larger(size, entry * entry);
    const double off = rate(0.0, q, v, lambda);
    found.tangent = numeric::larger(found.tangent, std::fabs(off) / size);
    found.rank = numeric::smaller(found.rank, least_part(rows_of(matrix(0.0, q, v), constraints)));
  }
  return found;
}

/// 1 if a system whose constraint x x' = 0 says nothing at x = 0 is refused there.
double refusal_of_lost_rank() {
  SystemDescription description{"lost-rank", {{"x"}, {"y"}, {"z"}}, {}};
  const System system = System::define(std::move(description), [](const Symbols& s) {
    Mechanics mechanics;
    mechanics.kinetic = (s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]) / 2.0;
    mechanics.potential = 0.0 * s.q[0];
    mechanics.constraints = {s.q[0] * s.v[0]};
    return mechanics;
  });
  const std::vector<double> q{0.0, 1.0, 0.0}, v{0.0, 1.0, 0.0};
  try {
    Evaluator(system).check_regular(0.0, q, v);
  } catch (const RequestError& refusal) {
    return std::string(refusal.what()).find("constraint") == std::string::npos ? 0.0 : 1.0;
  }
  return 0.0;
}

}  // namespace

ExperimentOutcome eliminated_equations(const ReproductionEffort& effort) {
  std::vector<Problem> problems;
  for (const std::string& name : problem_names()) {
    Problem problem = load_problem(name);
    const bool has_equations = !problem.system.is_skew_gradient() &&
                               problem.system.constraint_count() > 0 && !problem.starts.empty();
    if (has_equations) problems.push_back(std::move(problem));
  }
  std::vector<StatesOfProblem> found(problems.size());
  const int wanted = effort.quick ? 100 : 1000;
  parallel_for(effort.threads, problems.size(),
               [&](std::size_t i, std::size_t) { found[i] = look_at_states(problems[i], wanted); });
  ResultTable table{"Random states of the constraints",
                    {"problem", "states", "least part of a row of A", "largest |dPhi/dt|"},
                    {}};
  double rank = 1.0, tangent = 0.0, fewest = wanted;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    rank = numeric::smaller(rank, found[i].rank);
    tangent = numeric::larger(tangent, found[i].tangent);
    fewest = numeric::smaller(fewest, static_cast<double>(found[i].states));
    table.rows.push_back({problems[i].system.name(), std::to_string(found[i].states),
                          fmt::format("{:.2g}", found[i].rank),
                          fmt::format("{:.1e}", found[i].tangent)});
  }
  return {{},
          {{"004-E.1",
            {{"problems", static_cast<double>(problems.size()), 0.0, 30.0},
             {"fewest states on the constraints of a problem", fewest, 0.0, wanted / 10.0},
             {"least part of a row of A beside the others", rank, 0.0, 1e-8},
             {"largest |dPhi/dt| of the eliminated equations, in units of 1, lambda and |v|^2",
              tangent, 0.0, 0.0, 1e-12},
             {"a constraint that loses its rank is refused by name (1)", refusal_of_lost_rank(),
              0.0, 1.0, 1.0}}}},
          {table}};
}

}  // namespace dalembert::reproduce
