// Martin de Diego and Sato 2018, Eqs. (16) and (17), Sect. 5.1: momenta at both ends of a step with
// two stages, and the algorithms that follow from them.
#include "discrete_momenta.hpp"

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

double distance(const Extended& a, const Extended& b) {
  return std::fabs(static_cast<double>(a - b));
}

/// What a step of the method with two stages says of the momenta at its ends.
struct Momenta {
  double start = 0.0, end = 0.0;  ///< |p - F^-|, |p - F^+|, the largest of all steps
  double position_form = 0.0;     ///< |M (q_2 - 2 q_1 + q_0)/h^2 + V' - A^T Lambda|
};

Momenta follow_momenta(const char* name, int steps) {
  const Problem problem = load_problem(name);
  const System& system = problem.system;
  const std::size_t n = system.dof();
  const Symbols s = system.symbols();
  StateFunction<Extended> force(system, s, system.lagrangian_gradient(s.q, s.v, s.t));
  const Vector lambda{make_symbol(s.t.graph(), "Lambda")};
  StateFunction<Extended> reaction(system, s, system.constraint_force(s.q, s.v, s.t, lambda), {},
                                   lambda);
  StateFunction<Extended> momentum(system, s, system.mass(s.q) * s.v);
  StepMap<Extended> map(system,
                        Method(Lobatto{.stages = 2, .multiplier = Lobatto::Multiplier::carried}),
                        system.default_parameters());
  BasicPoint<Extended> point = map.start(problem.start().q, problem.start().v);
  const Extended h = Extended(1) / 16;
  std::vector<std::vector<Extended>> q;
  std::vector<Extended> kick;  // V' less the reaction at the last node
  Momenta result;
  const auto values = [](std::span<const Extended> found) {
    return std::vector<Extended>(found.begin(), found.end());
  };
  for (int k = 0; k <= steps; ++k) {
    const std::vector<Extended> grad = values(force(point.t, point.q, point.v)),
                                pull = values(reaction(point.t, point.q, point.v, point.lambda)),
                                p = values(momentum(point.t, point.q, point.v));
    std::vector<Extended> now;
    for (std::size_t i = 0; i < n; ++i) now.push_back(-grad[i] - pull[i]);
    q.push_back(point.q);
    if (k > 0) {
      // M (q_k - q_(k-1))/h by the constant mass.
      std::vector<Extended> mean;
      for (std::size_t i = 0; i < n; ++i) mean.push_back((q[k][i] - q[k - 1][i]) / h);
      const std::vector<Extended> across = values(momentum(point.t, point.q, mean));
      for (std::size_t i = 0; i < n; ++i)
        result.end = numeric::larger(result.end, distance(p[i], across[i] - h / 2 * now[i]));
      if (k > 1) {
        std::vector<Extended> second;
        for (std::size_t i = 0; i < n; ++i)
          second.push_back((q[k][i] - 2 * q[k - 1][i] + q[k - 2][i]) / (h * h));
        const std::vector<Extended> inertia = values(momentum(point.t, point.q, second));
        for (std::size_t i = 0; i < n; ++i)
          result.position_form =
              numeric::larger(result.position_form, distance(inertia[i], -kick[i]));
      }
    }
    kick = now;
    const BasicPoint<Extended> before = point;
    if (!map.apply(point, h)) return {NAN, NAN, NAN};
    std::vector<Extended> mean;
    for (std::size_t i = 0; i < n; ++i) mean.push_back((point.q[i] - before.q[i]) / h);
    const std::vector<Extended> across = values(momentum(point.t, point.q, mean));
    for (std::size_t i = 0; i < n; ++i)
      result.start = numeric::larger(result.start, distance(p[i], across[i] + h / 2 * now[i]));
  }
  return result;
}

/// M^-1 (-V'), M^-1 A^T and A at a position, for one constraint.
class KickEquations {
 public:
  explicit KickEquations(const System& system) : n_(system.dof()) {
    const Symbols s = system.symbols();
    const Vector zero = zeros(n_);
    const Vector along = system.constraint_force(s.q, zero, s.t, {Expr(1.0)});
    const Matrix mass = system.mass(s.q);
    function_ = {system, s,
                 concatenate({solve_linear(mass, system.lagrangian_gradient(s.q, zero, s.t)),
                              solve_linear(mass, along), along})};
  }

  struct Kick {
    std::vector<Extended> force, reaction, constraint;
  };
  Kick at(const std::vector<Extended>& q) {
    const std::vector<Extended> still(n_, Extended(0));
    const std::span<const Extended> found = function_(Extended(0), q, still);
    const auto part = [&](std::size_t i) {
      const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i * n_);
      return std::vector<Extended>(begin, begin + static_cast<std::ptrdiff_t>(n_));
    };
    return {part(0), part(1), part(2)};
  }

 private:
  std::size_t n_;
  StateFunction<Extended> function_;
};

Extended product(const std::vector<Extended>& x, const std::vector<Extended>& y) {
  Extended sum(0);
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// x + factor y.
std::vector<Extended> moved(std::vector<Extended> x, const Extended& factor,
                            const std::vector<Extended>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += factor * y[i];
  return x;
}

using Positions = std::vector<std::vector<Extended>>;

/// The multiplier at a node from the momentum that the step before it leaves there, p^+; then the
/// next position, from where the momenta match.
Positions by_arriving_momenta(KickEquations& equations, Positions q, const Extended& h,
                              std::size_t steps) {
  while (q.size() <= steps) {
    const auto kick = equations.at(q.back());
    const std::vector<Extended> velocity =
        moved(moved(q.back(), Extended(-1), q[q.size() - 2]), h * h / 2, kick.force);
    const Extended half =
        -product(kick.constraint, velocity) / (h * h / 2 * product(kick.constraint, kick.reaction));
    const std::vector<Extended> arrived = moved(velocity, h * h / 2 * half, kick.reaction);
    q.push_back(moved(moved(moved(q.back(), Extended(1), arrived), h * h / 2, kick.force),
                      h * h / 2 * half, kick.reaction));
  }
  return q;
}

/// The multiplier at a node together with the next position: the momentum that the step after it
/// begins with, p^-, satisfies the constraint, and positions their three-term form.
Positions by_leaving_momenta(KickEquations& equations, Positions q, const Extended& h,
                             std::size_t steps) {
  while (q.size() <= steps) {
    const auto kick = equations.at(q.back());
    // Without the reaction, and what a multiplier of one adds.
    const std::vector<Extended> free =
        moved(moved(moved(q.back(), Extended(1), q.back()), Extended(-1), q[q.size() - 2]), h * h,
              kick.force);
    const auto leaving = [&](const std::vector<Extended>& next, const Extended& lambda) {
      return moved(moved(moved(next, Extended(-1), q.back()), -h * h / 2, kick.force),
                   -h * h / 2 * lambda, kick.reaction);
    };
    const Extended without = product(kick.constraint, leaving(free, Extended(0))),
                   with = product(kick.constraint,
                                  leaving(moved(free, h * h, kick.reaction), Extended(1)));
    q.push_back(moved(free, h * h * (without / (without - with)), kick.reaction));
  }
  return q;
}

/// The positions of a method with a step of h.
Positions positions_of(const Problem& problem, const Method& method, const Extended& h,
                       std::size_t steps) {
  StepMap<Extended> map(problem.system, method, problem.system.default_parameters());
  BasicPoint<Extended> point = map.start(problem.start("rotating").q, problem.start("rotating").v);
  Positions q{point.q};
  while (q.size() <= steps && map.apply(point, h)) q.push_back(point.q);
  return q;
}

double largest_distance(const Positions& one, const Positions& other) {
  double result = one.size() == other.size() ? 0.0 : NAN;
  for (std::size_t k = 0; k < one.size() && k < other.size(); ++k)
    result = numeric::larger(result, largest_difference(one[k], other[k]));
  return result;
}

std::vector<Evidence> two_algorithms() {
  constexpr std::size_t steps = 1000;
  const Problem problem = load_problem("pendulum-cvt");
  const Extended h = Extended(1) / 10;
  KickEquations equations(problem.system);
  const Positions published = positions_of(
      problem, Method(Lobatto{.stages = 2, .multiplier = Lobatto::Multiplier::carried}), h, steps);
  // With the exact multiplier of the start, which the first step of the method has, too.
  const Positions start{published[0], published[1]};
  const Positions arriving = by_arriving_momenta(equations, start, h, steps),
                  leaving = by_leaving_momenta(equations, start, h, steps),
                  newmark = positions_of(problem, Method(Newmark{.beta = 0.0}), h, steps);
  const std::string of = ", 1000 steps of 0.1, pendulum-cvt";
  // Round-off of 113 bits, a thousand times and what the motion makes of it.
  return {{"positions by p^+ against those by p^-" + of, largest_distance(arriving, leaving), 0.0,
           0.0, 1e-26},
          {"positions by p^+ against those of the method" + of,
           largest_distance(arriving, published), 0.0, 0.0, 1e-26},
          {"with two multipliers at each node" + of, largest_distance(arriving, newmark), 0.0, 1e-6,
           INFINITY}};
}

}  // namespace

ExperimentOutcome discrete_momenta(const ReproductionEffort&) {
  std::vector<Evidence> evidence;
  for (const char* name : {"witness-constant-mass", "heisenberg"}) {
    const Momenta momenta = follow_momenta(name, 50);
    const std::string of = std::string(", largest in 50 steps of 1/16, ") + name;
    evidence.push_back({"|p - F^-|" + of, momenta.start, 0.0, 0.0, 1e-30});
    evidence.push_back({"|p - F^+|" + of, momenta.end, 0.0, 0.0, 1e-30});
    // Divided by h^2 = 1/256.
    evidence.push_back(
        {"defect of the position form" + of, momenta.position_form, 0.0, 0.0, 1e-28});
  }
  return {{}, {{"002-G.4", evidence}, {"002-G.5", two_algorithms()}}};
}

}  // namespace dalembert::reproduce
