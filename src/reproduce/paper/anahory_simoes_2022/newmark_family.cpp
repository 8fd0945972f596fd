// Anahory Simoes et al. 2022, Sect. 3: what the Newmark family promises.
#include "newmark_family.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/line_fit.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "newmark_formulas.hpp"
#include "newmark_limit.hpp"
#include "reproduce/experiment.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Options = std::map<std::string, OptionValue>;
using Map = StepMap<Extended>;

/// Round-off of four steps of implicit solves in extended precision, with room for quadratures.
constexpr double equal = 1e-15;

/// A problem of the library at its default parameters with one of its starts.
struct LibraryProblem {
  System system;
  Start start;

  explicit LibraryProblem(const std::string& name) : LibraryProblem(load_problem(name)) {}
  explicit LibraryProblem(const Problem& problem)
      : system(problem.system), start(problem.start()) {}
  Map map(const Method& method) const { return Map(system, method, system.default_parameters()); }
  BasicPoint<Extended> point(Map& map) const { return map.start(start.q, start.v); }
};

Method newmark_method(double beta, double beta_prime, double alpha) {
  return make_method(
      {"newmark", Options{{"beta", beta}, {"beta_prime", beta_prime}, {"alpha", alpha}}});
}

/// The largest difference of q and v after four steps of h = 1/16 of two methods.
double difference(const LibraryProblem& bench, const Method& one, const Method& other) {
  Map first = bench.map(one), second = bench.map(other);
  BasicPoint<Extended> a = bench.point(first), b = bench.point(second);
  if (!first.apply(a, Extended(1) / 16, 4) || !second.apply(b, Extended(1) / 16, 4)) return NAN;
  return numeric::larger(largest_difference(a.q, b.q), largest_difference(a.v, b.v));
}

/// How far nodes of F^{0,0,alpha} are from the DLA equations of a unit mass,
/// (q2 - 2 q1 + q0)/h^2 + dV(q1) in the span of the constraint's covector at q1, and from the
/// discrete constraint on q2 - q1, (14) or with `average` (15). Written for the transmission.
double dla_residual(const LibraryProblem& bench, double alpha, bool average) {
  Map map = bench.map(make_method(
      {"newmark",
       Options{{"alpha", alpha}, {"constraint", std::string(average ? "average" : "point")}}}));
  const Extended h = Extended(1) / 16;
  std::vector<Extended> q[3];
  BasicPoint<Extended> point = bench.point(map);
  for (auto& node : q) {
    node = point.q;
    if (!map.apply(point, h)) return NAN;
  }
  Extended worst(0);
  const auto note = [&](const Extended& value) {
    worst = numeric::larger(worst, value < 0 ? Extended(-value) : value);
  };
  std::vector<Extended> force(3);
  for (std::size_t i = 0; i < 3; ++i) force[i] = (q[2][i] - 2 * q[1][i] + q[0][i]) / (h * h);
  force[0] += q[1][0];
  force[1] += q[1][1];
  using std::sin;                             // or that of a multiprecision type
  note(-sin(q[1][2]) * force[0] + force[1]);  // along the passengers' direction of D
  note(force[2] - sin(q[1][2]));              // the driver, which feels no reaction (epsilon = 0)
  const Extended part(alpha);
  const Extended row = average ? Extended((1 - part) * sin(q[1][2]) + part * sin(q[2][2]))
                               : Extended(sin((1 - part) * q[1][2] + part * q[2][2]));
  note((q[2][0] - q[1][0]) + row * (q[2][1] - q[1][1]));
  return static_cast<double>(worst);
}

/// Blocks of the step's equations that need Newton's iteration.
double implicit_blocks(const LibraryProblem& bench, const Method& method) {
  const auto program = StepProgram::compile(bench.system, method);
  return static_cast<double>(std::count_if(program->blocks().begin(), program->blocks().end(),
                                           [](const StepProgram::Block& block) {
                                             return block.kind == StepProgram::Block::Kind::newton;
                                           }));
}

/// Round-off in the multipliers of one step, in units of that of double: the condition of the step.
double condition(const LibraryProblem& bench, const Method& method) {
  constexpr double h = 0.0625;
  const std::vector<double> parameters = bench.system.default_parameters();
  StepMap<double> rounded(bench.system, method, parameters);
  Map exact(bench.system, method, parameters);
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {  // the rounding of a single step may be lucky
    std::vector<double> q = bench.start.q, v = bench.start.v;
    q[2] += 0.05 * k;
    BasicPoint<double> a = rounded.start(q, v);
    BasicPoint<Extended> b = exact.start(q, a.v);
    if (!rounded.apply(a, h) || !exact.apply(b, Extended(h))) return NAN;
    for (std::size_t i = 0; i < a.lambda.size(); ++i)
      worst = numeric::larger(worst,
                              std::fabs(static_cast<double>(Extended(a.lambda[i]) - b.lambda[i])));
  }
  return worst / std::numeric_limits<double>::epsilon();
}

/// The condition against the distance of beta + beta' from 1/2.
Curve condition_curve(const LibraryProblem& bench) {
  Curve curve;
  for (int k = 2; k <= 10; ++k) {  // down to 1e-5
    const double distance = std::pow(10.0, -0.5 * k);
    curve.t.push_back(distance);
    curve.values.push_back(
        condition(bench, newmark_method(0.25 - distance / 2.0, 0.25 - distance / 2.0, 0.5)));
  }
  return curve;
}

/// Slope of log(value) against log(t) by least squares, with its standard error.
Evidence power(const std::string& what, const Curve& curve, double least, double most) {
  std::vector<double> log_t, log_value;
  for (std::size_t i = 0; i < curve.t.size(); ++i) {
    log_t.push_back(std::log(curve.t[i]));
    log_value.push_back(std::log(curve.values[i]));
  }
  const LineFit line = fit_line(log_t, log_value);
  return {what, line.slope, line.slope_error, least, most};
}

}  // namespace

ExperimentOutcome newmark_family(const ReproductionEffort&) {
  const LibraryProblem transmission("pendulum-cvt-inverted"), coupled("witness-coupled-mass");
  NewmarkLimit limit = newmark_limit();
  std::vector<Evidence> dla,
      adjoint{
          {"F^{b,b',a} adjoint to F^{b',b,1-a}, b = 1/8, b' = 1/16, a = 1/4: difference after 4 "
           "steps",
           difference(
               coupled,
               make_method(
                   {"adjoint",
                    {{"base", std::make_shared<const MethodSpec>(MethodSpec{
                                  "newmark",
                                  {{"beta", 0.125}, {"beta_prime", 0.0625}, {"alpha", 0.25}}})}}}),
               newmark_method(0.0625, 0.125, 0.75)),
           0.0, 0.0, equal}};
  for (const bool average : {false, true}) {
    for (const double alpha : {0.0, 0.5, 1.0})
      dla.push_back({"residual of the DLA equations, alpha = " +
                         std::to_string(alpha).substr(0, 3) + (average ? ", (15)" : ", (14)"),
                     dla_residual(transmission, alpha, average), 0.0, 0.0, 1e3 * equal});
  }
  const Curve condition = condition_curve(transmission);
  Picture sensitivity{"Condition of a step of F^{beta,beta,1/2}"};
  PicturePanel panel{.title = ""};
  panel.x = {"1/2 - 2 beta", true};
  panel.y = {"round-off in lambda / machine epsilon", true};
  panel.curves.push_back({sensitivity.entry("measured"), condition, CurveStyle::marked});
  panel.curves.push_back({sensitivity.entry("1/distance", true),
                          {{condition.t.front(), condition.t.back()},
                           {condition.values[4] * condition.t[4] / condition.t.front(),
                            condition.values[4] * condition.t[4] / condition.t.back()}}});
  sensitivity.panels.push_back(std::move(panel));
  return {{std::move(limit.picture), sensitivity},
          {{"003-A.1", limit.evidence},
           {"003-A.2", dla},
           {"003-A.3", adjoint},
           {"003-A.4",
            {{"Newton iterations in a step of F^{0,0,0}, constant mass",
              implicit_blocks(transmission, newmark_method(0.0, 0.0, 0.0)), 0.0, 0.0, 0.0},
             {"Newton iterations in a step of F^{0,0,0}, mass that depends on q",
              implicit_blocks(coupled, newmark_method(0.0, 0.0, 0.0)), 0.0, 0.0, 0.0,
              EvidenceRole::published},
             {"the same number", implicit_blocks(coupled, newmark_method(0.0, 0.0, 0.0)), 0.0, 1.0,
              INFINITY, EvidenceRole::qualified}}},
           {"003-A.5",
            {named("power", power("power of the condition in the distance of beta + beta' from "
                                  "1/2, 0.1 to 1e-5",
                                  condition, -1.15, -0.85)),
             {"condition at a distance of 1e-5 over that at 0.1",
              condition.values.back() / condition.values.front(), 0.0, 1e3}}},
           {"003-A.7", particle_formulas()},
           {"003-A.8", explicit_formulas()},
           {"003-A.9", composition_cost()}}};
}

}  // namespace dalembert::reproduce
