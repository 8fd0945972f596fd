// Modin and Verdier 2020: the experiments, the orders of the methods and what they preserve.
#include "methods.hpp"

#include <array>
#include <cmath>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "identities.hpp"
#include "reproduce/experiment.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Map = StepMap<Extended>;

/// A method of the paper with what its table promises.
struct Promise {
  const char* label;
  MethodSpec spec;
  bool fibration;
};

const std::array<Promise, 5>& promises() {
  static const std::array<Promise, 5> all{
      {{"DLA 0.5", {"dla", {{"alpha", 0.5}}}, true},
       {"DLA 0.4", {"dla", {{"alpha", 0.4}}}, true},
       {"DLA 0,1", {"dla01"}, true},
       {"DD", {"discrete-derivative", {{"gradient", std::string("gonzalez")}}}, false},
       {"LF", {"leapfrog"}, true}}};
  return all;
}

constexpr double large_epsilon = 0.5;
const std::vector<double> parameters{large_epsilon};

/// A generic state of the transmission; the passengers' state by two numbers.
BasicPoint<Extended> state(Map& map, double x, double speed) {
  const double xi = 0.7;
  return map.start(std::vector<double>{x, 0.6 - x, xi},
                   std::vector<double>{-std::sin(xi) * speed, speed, 1.3});
}

/// |Phi(q_1, -v_1) - (q_0, v_0)| of the reversible DLA^{1/2}, where Phi(q_0, v_0) = (q_1, v_1).
double printed_reversal_defect(const System& system) {
  Map map(system, make_method({"dla", {{"alpha", 0.5}}}), parameters);
  const BasicPoint<Extended> start = state(map, 1.0, 0.3);
  BasicPoint<Extended> point = start;
  if (!map.apply(point, Extended(1) / 16)) return NAN;
  for (Extended& velocity : point.v) velocity = -velocity;
  if (!map.apply(point, Extended(1) / 16)) return NAN;
  return numeric::larger(largest_difference(point.q, start.q),
                         largest_difference(point.v, start.v));
}

Evidence defect_evidence(const std::string& what, double defect, bool promised) {
  Evidence evidence{what, defect};
  if (promised) {
    evidence.most = exact_defect;
  } else {
    evidence.least = clear_defect;
  }
  return evidence;
}

/// A generic state of the knife edge or of the particle, at a point of its fibre.
BasicPoint<Extended> fibre_state(Map& map, double along_the_fibre) {
  const double xi = 0.7;
  return map.start(std::vector<double>{along_the_fibre, 0.4, xi},
                   std::vector<double>{0.8 * std::cos(xi), 0.8 * std::sin(xi), 1.3});
}

/// How much four steps of the rest depend on x_1, which is along the fibres of knife edge and
/// particle.
double fibre_defect(const System& system, const Method& method) {
  Map map(system, method, system.default_parameters());
  BasicPoint<Extended> one = fibre_state(map, 0.0), other = fibre_state(map, 0.6);
  if (!map.apply(one, Extended(1) / 16, 4) || !map.apply(other, Extended(1) / 16, 4)) return NAN;
  const auto rest = [&](const BasicPoint<Extended>& point) {
    std::vector<Extended> numbers = point.v;
    numbers.push_back(point.q[2]);
    if (system.name() != "knife-edge") numbers.push_back(point.q[1]);
    return numbers;
  };
  return largest_difference(rest(one), rest(other));
}

/// How far a step leaves the constraints.
double off_the_constraints(const System& system, const Method& method) {
  Map map(system, method, system.default_parameters());
  return constraint_defect(map, fibre_state(map, 0.0), Extended(1) / 16, 1);
}

/// Sect. 3.3: on the knife edge all but the discrete-derivative method descend to (v, xi, xi').
void add_fibres(std::vector<Evidence>& evidence, const Promise& promise) {
  const Method method = make_method(promise.spec);
  const std::string label = promise.label;
  for (const char* name : {"knife-edge", "particle-harmonic"}) {
    const System system = load_problem(name).system;
    Evidence same = defect_evidence("change of four steps along a fibre, " + label + ", " + name,
                                    fibre_defect(system, method), true);
    if (!promise.fibration) {
      Evidence published = same;
      published.least = clear_defect;
      published.most = INFINITY;
      published.role = EvidenceRole::published;
      evidence.push_back(published);
      same.role = EvidenceRole::qualified;
    }
    evidence.push_back(same);
  }
  if (promise.fibration) return;
  evidence.push_back(defect_evidence("constraint after a step, " + label + ", knife-edge",
                                     off_the_constraints(load_problem("knife-edge").system, method),
                                     false));
}

}  // namespace

ExperimentOutcome modin_verdier_methods(const ReproductionEffort&) {
  const System system = load_problem("pendulum-cvt").system;
  std::vector<Evidence> fibres;
  for (const Promise& promise : promises()) add_fibres(fibres, promise);
  std::vector<Evidence> reversibility;
  reversibility.push_back({"reversibility with one reversal only, as App. A prints it, DLA 0.5",
                           printed_reversal_defect(system), 0.0, -INFINITY, INFINITY,
                           EvidenceRole::shown});
  std::vector<ClaimFinding> findings{{"000-B.2", reversibility}, {"000-B.3", fibres}};
  for (ClaimFinding& finding : modin_verdier_identities()) findings.push_back(std::move(finding));
  return {{}, findings};
}

}  // namespace dalembert::reproduce
