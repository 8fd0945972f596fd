#include "discrete_gradients.hpp"

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Round-off of a gradient in double, and of a step in extended precision.
constexpr double gradient_round_off = 1e-14, step_round_off = 1e-24;

enum class Function { quadratic, diagonal, quartic };

/// A function of three variables as the potential of a system.
System system_with(Function kind) {
  return System::define({.name = "function", .coordinates = {{"x"}, {"y"}, {"z"}}},
                        [=](const Symbols& s) {
                          Mechanics mechanics;
                          mechanics.kinetic = dot(s.v, s.v) / 2.0;
                          const Expr zz = 1.5 * square(s.q[2]);
                          const Expr yy = 0.5 * square(s.q[1]);
                          mechanics.potential = square(s.q[0]) + yy + zz;
                          const Expr mixed = s.q[0] * s.q[1];
                          if (kind == Function::quadratic) mechanics.potential += 0.7 * mixed;
                          if (kind == Function::quartic) mechanics.potential += square(mixed);
                          return mechanics;
                        });
}

/// The largest difference of a discrete gradient from the gradient at the middle.
double distance_from_midpoint(Function function, GradientKind kind) {
  const System system = system_with(function);
  const Symbols s = system.symbols();
  const Vector middle = system.potential_gradient(0.5 * (s.q + s.v));
  const Vector discrete = discrete_gradient(kind, system.potential(s.q), s.q, s.q, s.v);
  StateFunction<double> difference(system, s, discrete - middle);
  const double from[] = {0.4, -0.9, 0.6}, to[] = {-0.7, 0.8, 1.1};
  double largest = 0.0;
  for (const double value : difference(0.0, from, to))
    largest = numeric::larger(largest, std::fabs(value));
  return largest;
}

std::vector<Evidence> quadratic_evidence() {
  const auto equal = [](const std::string& what, Function function, GradientKind kind) {
    return Evidence{what + ": distance from the gradient at the middle",
                    distance_from_midpoint(function, kind), 0.0, 0.0, gradient_round_off};
  };
  const auto different = [](const std::string& what, Function function, GradientKind kind) {
    return Evidence{what + ": distance from the gradient at the middle",
                    distance_from_midpoint(function, kind), 0.0, 0.01, INFINITY};
  };
  return {equal("mean value, quadratic", Function::quadratic, GradientKind::mean_value),
          equal("Gonzalez, quadratic", Function::quadratic, GradientKind::gonzalez),
          equal("coordinate increments, sum of squares", Function::diagonal,
                GradientKind::coordinate_increment),
          different("coordinate increments, quadratic with a mixed term", Function::quadratic,
                    GradientKind::coordinate_increment),
          different("mean value, quartic", Function::quartic, GradientKind::mean_value)};
}

/// What one step of h = 1/8 does in extended precision.
struct StepDefects {
  double energy = NAN;    ///< |H(1) - H(0)|
  double middle = NAN;    ///< |A(q_m) (q_1 - q_0)/h|, q_m the middle
  double new_node = NAN;  ///< |A(q_1) v_1|
};

/// "chaplygin-sleigh" runs straight from its first start.
StepDefects step_defects(const std::string& name, const Method& method) {
  const Problem problem = load_problem(name);
  const Start& start = problem.start(name == "chaplygin-sleigh" ? "turning" : "");
  StepMap<Extended> map(problem.system, method,
                        named_parameter_values(problem.system, start.parameters));
  BasicPoint<Extended> point = map.start(start.q, start.v), middle = point;
  const Extended before = map.energy(point), h = Extended(1) / 8;
  const std::vector<Extended> from = point.q;
  if (!map.apply(point, h)) return {};
  for (std::size_t i = 0; i < from.size(); ++i) {
    middle.q[i] = (from[i] + point.q[i]) / 2;
    middle.v[i] = (point.q[i] - from[i]) / h;
  }
  const auto largest = [](const std::vector<Extended>& values) {
    return largest_difference(values, std::vector<Extended>(values.size(), Extended(0)));
  };
  return {largest_difference<Extended>({map.energy(point)}, {before}),
          largest(map.constraint(middle)), largest(map.constraint(point))};
}

const char* const bench_problems[] = {"chaotic", "pendulum-cvt-inverted", "chaplygin-sleigh"};

/// Remark 3.3.
std::vector<Evidence> constraint_evidence() {
  std::vector<Evidence> evidence;
  for (const char* problem : bench_problems) {
    const StepDefects defects = step_defects(problem, Method(ReducedGradient{}));
    evidence.push_back({std::string("|A(q_m) (q_1 - q_0)/h| after a step on D*, ") + problem,
                        defects.middle, 0.0, 0.0, step_round_off});
    evidence.push_back({std::string("|A(q_1) v_1| after a step on D*, ") + problem,
                        defects.new_node, 0.0, 0.0, step_round_off});
  }
  evidence.push_back({"|A(q_1) v_1| after a step of GONZALEZ-F, chaotic",
                      step_defects("chaotic", Method(GonzalezFull{})).new_node, 0.0, 1e-6,
                      INFINITY});
  return evidence;
}

/// Remark 3.5, beside the orders.
std::vector<Evidence> difference_evidence() {
  const Method method(
      ReducedGradient{.derivative = ReducedGradient::Derivative::finite_difference});
  std::vector<Evidence> evidence;
  for (const char* problem : bench_problems) {
    const StepDefects defects = step_defects(problem, method);
    evidence.push_back({std::string("|energy error| of a step with finite differences, ") + problem,
                        defects.energy, 0.0, 0.0, step_round_off});
    evidence.push_back({std::string("|A(q_1) v_1| of a step with finite differences, ") + problem,
                        defects.new_node, 0.0, 0.0, step_round_off});
  }
  return evidence;
}

/// Unknowns of a step, and instructions of its tape with one pass of Newton's iteration.
struct StepCost {
  double unknowns = 0.0, instructions = 0.0;
};

StepCost step_cost(const System& system, const Method& method) {
  const auto program = StepProgram::compile(system, method);
  StepCost cost;
  for (const Unknowns::Group& group : program->equations().unknowns)
    cost.unknowns += static_cast<double>(group.symbols.size());
  cost.instructions = static_cast<double>(program->tape().code.size() - program->tape().setup_end);
  return cost;
}

/// Remark 3.4. The sleigh's derived frame is orthonormal, those of the two others are not.
std::vector<Evidence> cost_evidence() {
  std::vector<Evidence> evidence;
  for (const char* problem : bench_problems) {
    const System system = load_problem(problem).system;
    const double n = static_cast<double>(system.dof()),
                 m = n - static_cast<double>(system.constraint_count());
    const StepCost full = step_cost(system, Method(GonzalezFull{})),
                   derived = step_cost(system, Method(ReducedGradient{.frame = FrameKind::given})),
                   factorized = step_cost(system, Method(ReducedGradient{.frame = FrameKind::qr}));
    const std::string where = std::string(", ") + problem;
    evidence.push_back({"unknowns of a step of (15) less 3 n - m" + where,
                        full.unknowns - (3.0 * n - m), 0.0, 0.0, 0.0});
    evidence.push_back(
        {"unknowns of a step on D* less n + m" + where, derived.unknowns - (n + m), 0.0, 0.0, 0.0});
    const bool orthonormal = system.name() == "chaplygin-sleigh";
    const EvidenceRole role = orthonormal ? EvidenceRole::both : EvidenceRole::published;
    const double derived_cost = derived.instructions / full.instructions,
                 factorized_cost = factorized.instructions / derived.instructions;
    evidence.push_back(
        {"instructions of a step on D* in the derived frame over those of (15)" + where,
         derived_cost, 0.0, 0.0, 1.0, role});
    evidence.push_back(
        {"instructions of a step on D* with QR over those in the derived frame" + where,
         factorized_cost, 0.0, 1.0, INFINITY});
    if (orthonormal) continue;
    evidence.push_back({"instructions in the derived frame over those of (15)" + where,
                        derived_cost, 0.0, 1.0, INFINITY, EvidenceRole::qualified});
  }
  return evidence;
}

}  // namespace

ExperimentOutcome celledoni_gradients(const ReproductionEffort&) {
  std::vector<Evidence> collocation;
  for (const int stages : {2, 3})
    collocation.push_back(
        {"|energy error| of a step of collocation, " + std::to_string(stages) + " stages, chaotic",
         step_defects("chaotic", Method(EnergyCollocation{.stages = stages})).energy, 0.0, 0.0,
         step_round_off});
  return {{},
          {{"001-F.2", collocation},
           {"001-F.3", quadratic_evidence()},
           {"001-F.4", constraint_evidence()},
           {"001-F.5", cost_evidence()},
           {"001-F.6", difference_evidence()}}};
}

}  // namespace dalembert::reproduce
