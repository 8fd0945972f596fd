// Modin and Verdier 2020, App. A and Fig. 7: forms of a method that are equal, and methods that are
// symplectic where there is no constraint, on single steps of the transmission.
#include "identities.hpp"

#include <array>
#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using ExtendedMap = StepMap<Extended>;
using ExtendedPoint = BasicPoint<Extended>;

const std::vector<double> strong_perturbation{0.5};
constexpr double shift = 1e-10;  // of central differences, whose error is its square
constexpr double same_area = 1e-17, other_area = 1e-9;

ExtendedMap map_of(const MethodSpec& spec) {
  return {load_problem("pendulum-cvt").system, make_method(spec), strong_perturbation};
}

Extended step_size() { return Extended(1) / 16; }

/// A generic state, the driver's by two numbers.
ExtendedPoint generic_point(ExtendedMap& map, double xi, double speed) {
  return map.start(std::vector{1.0, -0.4, xi}, std::vector{-0.3 * std::sin(xi), 0.3, speed});
}

/// A step of DLA^{0,1} against half a step of DLA^0 and half a step of DLA^1.
double composition_defect() {
  ExtendedMap whole = map_of({"dla01"}), first = map_of({"dla", {{"alpha", 0.0}}}),
              second = map_of({"dla", {{"alpha", 1.0}}});
  ExtendedPoint one = generic_point(whole, 0.7, 1.3), two = generic_point(first, 0.7, 1.3);
  if (!whole.apply(one, step_size()) || !first.apply(two, step_size() / 2) ||
      !second.apply(two, step_size() / 2))
    return NAN;
  return numeric::larger(largest_difference(one.q, two.q), largest_difference(one.v, two.v));
}

/// Three successive nodes of the leap-frog, at the middle one.
struct Nodes {
  double constraint;         ///< A(q_1)(q_2 - q_0)/h
  double right, as_printed;  ///< what is left of the equation along the kernel of A(q_1)
};

Nodes leapfrog_nodes() {
  ExtendedMap map = map_of({"leapfrog"});
  ExtendedPoint point = generic_point(map, 0.7, 1.3);
  std::array<std::vector<Extended>, 3> q;
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0 && !map.apply(point, step_size())) return {NAN, NAN, NAN};
    q[k] = point.q;
  }
  using std::sin;
  const Extended h = step_size(), ratio = sin(q[1][2]);
  const auto second = [&](std::size_t i) { return (q[2][i] - 2 * q[1][i] + q[0][i]) / (h * h); };
  const Extended acceleration = second(1) - ratio * second(0),
                 gradient_part = q[1][1] - ratio * q[1][0],
                 crossing = (q[2][0] - q[0][0] + ratio * (q[2][1] - q[0][1])) / h;
  const auto size = [](const Extended& x) { return std::fabs(static_cast<double>(x)); };
  return {size(crossing), size(acceleration + gradient_part), size(acceleration - gradient_part)};
}

/// Two numbers of the driver before and after a step.
struct DriverStep {
  std::array<Extended, 2> before, after;
};

/// (xi, xi') before and after a step.
DriverStep driver_step(ExtendedMap& map, ExtendedPoint point) {
  const std::array<Extended, 2> before{point.q[2], point.v[2]};
  if (!map.apply(point, step_size())) return {before, {Extended(NAN), Extended(NAN)}};
  return {before, {point.q[2], point.v[2]}};
}

/// (x, x') before and after a step, where x = xi + h^2 alpha (1 - alpha) W'(xi) and x' is the
/// divided difference to the next x. The x of DLA^alpha are the nodes of the Stoermer-Verlet method
/// for a force with another potential: from Eq. (27) without constraints follows
/// x_{k+1} - 2 x_k + x_{k-1} = -h^2 W'(xi_k).
DriverStep changed_driver_step(ExtendedMap& map, ExtendedPoint point, const Extended& alpha) {
  using std::cos, std::sin;
  const Extended h = step_size();
  std::array<Extended, 3> x;
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0 && !map.apply(point, h)) return {{}, {Extended(NAN), Extended(NAN)}};
    const Extended& xi = point.q[2];
    const Extended slope = sin(xi) - Extended(strong_perturbation[0]) * cos(2 * xi);
    x[k] = xi + h * h * alpha * (1 - alpha) * slope;
  }
  return {{x[0], (x[1] - x[0]) / h}, {x[1], (x[2] - x[1]) / h}};
}

/// How far a step changes areas in the driver's phase space: by central differences.
template <class Step>
double area_defect(const MethodSpec& spec, Step step) {
  ExtendedMap map = map_of(spec);
  std::array<DriverStep, 2> slopes;
  for (std::size_t i = 0; i < 2; ++i) {
    std::array<DriverStep, 2> ends;
    for (std::size_t side = 0; side < 2; ++side) {
      ExtendedPoint point = generic_point(map, 0.7, 1.3);
      (i == 0 ? point.q[2] : point.v[2]) += Extended(side == 0 ? -shift : shift);
      ends[side] = step(map, point);
    }
    for (std::size_t j = 0; j < 2; ++j) {
      slopes[i].before[j] = ends[1].before[j] - ends[0].before[j];
      slopes[i].after[j] = ends[1].after[j] - ends[0].after[j];
    }
  }
  const auto area = [&](std::array<Extended, 2> DriverStep::*of) {
    const auto &a = slopes[0].*of, &b = slopes[1].*of;
    return a[0] * b[1] - a[1] * b[0];
  };
  const Extended change = area(&DriverStep::after) / area(&DriverStep::before) - 1;
  return std::fabs(static_cast<double>(change));
}

std::vector<Evidence> areas() {
  const std::string what = "change of areas by the driver's step, ";
  std::vector<Evidence> evidence;
  for (const double alpha : {0.5, 0.4}) {
    const MethodSpec spec{"dla", {{"alpha", alpha}}};
    const std::string label = alpha == 0.5 ? "DLA 0.5" : "DLA 0.4";
    evidence.push_back(named(label, {what + label, area_defect(spec, driver_step), 0.0, 0.0,
                                     same_area, EvidenceRole::published}));
    const auto changed = [alpha](ExtendedMap& map, const ExtendedPoint& point) {
      return changed_driver_step(map, point, Extended(alpha));
    };
    evidence.push_back({what + label + ", x = xi + h^2 alpha (1 - alpha) W'(xi) in place of xi",
                        area_defect(spec, changed), 0.0, 0.0, same_area, EvidenceRole::qualified});
  }
  evidence.push_back({what + "DLA 0,1", area_defect({"dla01"}, driver_step), 0.0, 0.0, same_area});
  evidence.push_back({what + "LF", area_defect({"leapfrog"}, driver_step), 0.0, 0.0, same_area});
  const MethodSpec gonzalez{"discrete-derivative", {{"gradient", std::string("gonzalez")}}};
  evidence.push_back({what + "DD", area_defect(gonzalez, driver_step), 0.0, other_area});
  return evidence;
}

}  // namespace

std::vector<ClaimFinding> modin_verdier_identities() {
  const Nodes nodes = leapfrog_nodes();
  const std::string rest = "rest of the equation of motion along the kernel of A, gradient with ";
  return {{"000-A.2",
           {{"distance of a step of DLA^{0,1} from two half steps", composition_defect(), 0.0, 0.0,
             exact_defect}}},
          {"000-A.3",
           {{"A(q_k) (q_{k+1} - q_{k-1})/h at a node of the leap-frog", nodes.constraint, 0.0, 0.0,
             exact_defect},
            {rest + "the printed sign", nodes.as_printed, 0.0, 0.0, exact_defect,
             EvidenceRole::published},
            {rest + "the opposite sign", nodes.right, 0.0, 0.0, exact_defect,
             EvidenceRole::qualified}}},
          {"000-B.4", areas()}};
}

}  // namespace dalembert::reproduce
