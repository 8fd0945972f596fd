// Celledoni et al. 2019, Sect. 2: the almost-Poisson bracket on D*.
#include "nonholonomic_bracket.hpp"

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "householder.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Entries of sums of some ten products of size one.
constexpr double bracket_round_off = 1e-13;

/// The structure Pi of Eq. (8) in zeta = (q, rho), where rho are the first velocity symbols.
Matrix bracket_structure(const System& system, const Symbols& s, FrameKind kind) {
  const Frame frame(system, kind, s.q);
  const std::size_t n = system.dof(), m = frame.size();
  const Vector rho = slice(s.v, 0, m);
  const Matrix fields = frame.at(s.q);
  const Vector velocity = fields * frame.components_of_momentum(s.q, rho);
  const Matrix momenta = frame.bracket(s.q, system.momentum(s.q, velocity), 0.0);
  Matrix pi(n + m, n + m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t i = 0; i < n; ++i) {
      pi(i, n + a) = fields(i, a);
      pi(n + a, i) = -fields(i, a);
    }
    for (std::size_t b = 0; b < m; ++b) pi(n + a, n + b) = momenta(a, b);
  }
  return pi;
}

/// The largest |{f, {g, h}} + {g, {h, f}} + {h, {f, g}}| of coordinates f, g, h of D* at a point of
/// order one.
double jacobi_defect(const System& system, FrameKind kind) {
  const Symbols s = system.symbols();
  const Matrix pi = bracket_structure(system, s, kind);
  const std::size_t size = pi.rows();
  const Matrix slopes =
      jacobian(pi.entries(), concatenate({s.q, slice(s.v, 0, size - system.dof())}));
  StateFunction<double> function(system, s, concatenate({pi.entries(), slopes.entries()}));
  std::vector<double> q, v;
  for (std::size_t i = 0; i < system.dof(); ++i) {
    q.push_back(0.7 - 0.4 * static_cast<double>(i));
    v.push_back(0.5 + 0.3 * static_cast<double>(i));
  }
  const std::span<const double> found = function(0.0, q, v);
  const auto entry = [&](std::size_t i, std::size_t j) { return found[i * size + j]; };
  const auto slope = [&](std::size_t i, std::size_t j, std::size_t l) {
    return found[size * size + (i * size + j) * size + l];
  };
  double largest = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      for (std::size_t k = j + 1; k < size; ++k) {
        double sum = 0.0;
        for (std::size_t l = 0; l < size; ++l)
          sum += entry(i, l) * slope(j, k, l) + entry(j, l) * slope(k, i, l) +
                 entry(k, l) * slope(i, j, l);
        largest = numeric::larger(largest, std::fabs(sum));
      }
    }
  }
  return largest;
}

/// A particle whose constraint can be integrated: it stays on an ellipsoid.
System particle_on_ellipsoid() {
  return System::define({.name = "particle-on-ellipsoid", .coordinates = {{"x"}, {"y"}, {"z"}}},
                        [](const Symbols& s) {
                          Mechanics mechanics;
                          mechanics.kinetic = dot(s.v, s.v) / 2.0;
                          mechanics.potential = s.q[2];
                          const Expr last = 3.0 * s.q[2] * s.v[2];
                          const Expr middle = 2.0 * s.q[1] * s.v[1];
                          mechanics.constraints = {s.q[0] * s.v[0] + middle + last};
                          return mechanics;
                        });
}

/// Remark 2.1, from both sides.
std::vector<Evidence> jacobi_evidence() {
  std::vector<Evidence> evidence;
  for (const char* problem : {"rolling-disk", "chaotic", "chaplygin-sleigh", "particle-free"})
    evidence.push_back({std::string("largest Jacobi defect of coordinates, ") + problem,
                        jacobi_defect(load_problem(problem).system, FrameKind::given), 0.0, 0.01,
                        INFINITY});
  evidence.push_back({"the same for an integrable constraint (a particle on an ellipsoid)",
                      jacobi_defect(particle_on_ellipsoid(), FrameKind::qr), 0.0, 0.0,
                      bracket_round_off});
  return evidence;
}

/// The largest |C_ab^c| of the rolling disk: B = -C rho is linear in rho.
double disk_structure_constants() {
  const System disk = load_problem("rolling-disk").system;
  const Symbols s = disk.symbols();
  const Matrix pi = bracket_structure(disk, s, FrameKind::given);
  StateFunction<double> function(disk, s, {pi(4, 5)});
  const double q[] = {0.3, -0.2, 0.7, 1.1}, v[] = {0.9, 0.5, 0.0, 0.0};
  return std::fabs(function(0.0, q, v)[0]);
}

/// The largest difference of an entry of Pi from the printed matrix, at a state with r = 1.
double disk_matrix_difference() {
  const System disk = load_problem("rolling-disk").system;
  const Symbols s = disk.symbols();
  StateFunction<double> function(disk, s, bracket_structure(disk, s, FrameKind::given).entries());
  constexpr double theta = 0.7;
  const double q[] = {0.3, -0.2, theta, 1.1}, v[] = {0.9, 0.5, 0.0, 0.0};
  const std::span<const double> found = function(0.0, q, v);
  const double column[] = {std::cos(theta), std::sin(theta), 0.0, 1.0};
  double largest = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double printed = 0.0;
      if (i < 4 && j == 4) printed = column[i];
      if (i == 4 && j < 4) printed = -column[j];
      if (i == 2 && j == 5) printed = 1.0;
      if (i == 5 && j == 2) printed = -1.0;
      largest = numeric::larger(largest, std::fabs(found[6 * i + j] - printed));
    }
  }
  return largest;
}

/// g(X_1, X_3) and g(X_1, X_4) of the rolling disk with all constants one at theta = 0.7, phi =
/// 1.1, where the components of X_3 and X_4 along phi hold the given angle: the larger.
double disk_orthogonality(double angle) {
  constexpr double theta = 0.7;
  return numeric::larger(std::fabs(std::cos(theta) - std::cos(angle)),
                         std::fabs(std::sin(theta) - std::sin(angle)));
}

/// By how much a step of h = 1/8 on D* differs from the explicit formulas for the rolling disk,
/// with all constants one.
double disk_step_error(GradientKind gradient) {
  const System disk = load_problem("rolling-disk").system;
  const Method method(ReducedGradient{.gradient = gradient, .frame = FrameKind::given});
  StepMap<Extended> map(disk, method, disk.default_parameters());
  const double theta = 0.3, rolling = 0.9;
  BasicPoint<Extended> point = map.start(
      std::vector<double>{0.1, -0.2, theta, 0.5},
      std::vector<double>{rolling * std::cos(theta), rolling * std::sin(theta), 0.7, rolling});
  const std::vector<Extended> q = point.q, v = point.v;
  const Extended h = Extended(1) / 8;
  if (!map.apply(point, h)) return NAN;
  const Extended middle = q[2] + h / 2 * v[2], roll = h * v[3];
  const std::vector<Extended> end{q[0] + roll * cos(middle), q[1] + roll * sin(middle),
                                  q[2] + h * v[2], q[3] + roll};
  return numeric::larger(largest_difference(point.q, end),
                         largest_difference<Extended>({point.v[2], point.v[3]}, {v[2], v[3]}));
}

std::vector<Evidence> disk_evidence() {
  constexpr double disk_round_off = 1e-24;  // in extended precision
  std::vector<Evidence> evidence;
  for (const auto& [name, kind] : {std::pair("mean value", GradientKind::mean_value),
                                   {"Gonzalez", GradientKind::gonzalez},
                                   {"coordinate increments", GradientKind::coordinate_increment}})
    evidence.push_back({std::string("difference of a step from the explicit formulas, ") + name,
                        disk_step_error(kind), 0.0, 0.0, disk_round_off});
  return evidence;
}

}  // namespace

ExperimentOutcome celledoni_bracket(const ReproductionEffort&) {
  constexpr double theta = 0.7, phi = 1.1;
  return {{},
          {{"001-E.1", jacobi_evidence()},
           {"001-E.2",
            {{"largest |C_ab^c| of the rolling disk", disk_structure_constants(), 0.0, 0.0,
              bracket_round_off},
             {"largest g(X_1, X_3), g(X_1, X_4) as printed, with phi", disk_orthogonality(phi), 0.0,
              0.0, bracket_round_off, EvidenceRole::published},
             {"the same with theta", disk_orthogonality(theta), 0.0, 0.0, bracket_round_off,
              EvidenceRole::qualified}}},
           {"001-E.3", householder_evidence()},
           {"001-E.4", disk_evidence()},
           {"001-E.5",
            {{"largest difference of an entry of Pi from that of the printed matrix",
              disk_matrix_difference(), 0.0, 0.0, bracket_round_off}}}}};
}

}  // namespace dalembert::reproduce
