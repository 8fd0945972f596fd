#include "newmark_formulas.hpp"

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Values = std::vector<Extended>;

/// Round-off of a step in extended precision.
constexpr double formula_round_off = 1e-26;

/// A step of a method on a problem of the library, at its default parameters.
struct FormulaStep {
  StepMap<Extended> map;
  BasicPoint<Extended> before, after;
  bool arrived;

  FormulaStep(const Problem& problem, const std::string& start, const Method& method,
              const Extended& h)
      : map(problem.system, method, problem.system.default_parameters()),
        before(map.start(problem.start(start).q, problem.start(start).v)),
        after(before),
        arrived(map.apply(after, h)) {}
};

/// The half steps (19) and (20), as printed or with x that moves with the new velocity: by how much
/// a step of h = 1/16 differs from them.
double particle_formula_error(bool printed) {
  const Extended half = Extended(1) / 32;
  const FormulaStep step(load_problem("particle-free"), "newmark",
                         make_method({"newmark-composition", {}}), 2 * half);
  if (!step.arrived) return NAN;
  const Values &q = step.before.q, &v = step.before.v;
  const Extended x = q[0] + half * v[0], y = q[1] + half * v[1], z = q[2] + half * v[2];
  const Extended size = 1 + y * y, off = v[2] - y * v[0];
  const Extended vx = v[0] + off * y / size;
  const Extended new_y = y + half * v[1], factor = size / (size + half * v[1] * y);
  const Extended new_vx = vx * factor;
  const Extended new_x = printed ? Extended((x + half * vx) * factor) : Extended(x + half * new_vx);
  const Values new_q{new_x, new_y, z + new_y * (new_x - x)}, new_v{new_vx, v[1], new_y * new_vx};
  return numeric::larger(largest_difference(step.after.q, new_q),
                         largest_difference(step.after.v, new_v));
}

/// <mu, dV> of the transmission, mu = (1, sin xi, 0), and |mu|^2.
Extended along_force(const Values& q) { return q[0] + sin(q[2]) * q[1]; }
Extended covector_size(const Values& q) { return 1 + sin(q[2]) * sin(q[2]); }

/// Instructions of a step on the chaotic particle, with one pass of Newton's iteration.
double step_instructions(const Method& method) {
  const auto program = StepProgram::compile(load_problem("chaotic").system, method);
  return static_cast<double>(program->tape().code.size() - program->tape().setup_end);
}

}  // namespace

std::vector<Evidence> particle_formulas() {
  return {{"difference of a step from (19) and (20) as printed", particle_formula_error(true), 0.0,
           0.0, formula_round_off, EvidenceRole::published},
          {"difference from them with x moved by the new velocity", particle_formula_error(false),
           0.0, 0.0, formula_round_off, EvidenceRole::qualified}};
}

std::vector<Evidence> explicit_formulas() {
  const Extended h = Extended(1) / 8;
  const FormulaStep step(load_problem("pendulum-cvt-inverted"), "newmark-low",
                         make_method({"newmark", {{"alpha", 0.0}}}), h);
  const Values &q = step.before.q, &v = step.before.v, &end = step.after.q;
  const Extended before = along_force(q) / covector_size(q);
  const Values force{-q[0] + before, -q[1] + before * sin(q[2]), sin(q[2])};
  Values expected;
  for (std::size_t i = 0; i < 3; ++i) expected.push_back(q[i] + h * v[i] + h * h / 2 * force[i]);
  const Extended moved = (end[0] - q[0]) + sin(end[2]) * (end[1] - q[1]);
  const Extended after = (along_force(end) - 2 * moved / (h * h)) / covector_size(end);
  const auto number = [&](double value) { return step.arrived ? value : NAN; };
  return {
      {"difference of q_{k+1} from its formula", number(largest_difference(end, expected)), 0.0,
       0.0, formula_round_off},
      {"difference of lambda'_{k+1} from its formula",
       number(largest_difference(step.after.lambda, Values{after})), 0.0, 0.0, formula_round_off}};
}

std::vector<Evidence> composition_cost() {
  const double composed = step_instructions(make_method({"newmark-composition", {}})),
               single = step_instructions(make_method({"newmark", {}}));
  return {named("ratio", {"instructions of a step of the composition over those of F^{0,0,1/2}",
                          composed / single, 0.0, 1.5, 2.5})};
}

}  // namespace dalembert::reproduce
