// Modin and Verdier 2020: the experiments, the orders of the methods and what they preserve.
#include "modin_verdier_2020.hpp"

#include <array>
#include <cmath>

#include "dalembert/audit/symmetry.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "knife_edge.hpp"
#include "reproduce/paper/orders.hpp"
#include "study/extended.hpp"
#include "transmission.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Map = StepMap<Extended>;

/// A method of the paper with what its table promises and its order.
struct Promise {
  const char* label;
  MethodSpec spec;
  bool fibration, reversibility;
  int order, multiplier_order;
};

const std::array<Promise, 5>& promises() {
  static const std::array<Promise, 5> all{
      {{"DLA 0.5", {"dla", {{"alpha", 0.5}}}, true, true, 2, 1},
       {"DLA 0.4", {"dla", {{"alpha", 0.4}}}, true, false, 1, 1},
       {"DLA 0,1", {"dla01"}, true, true, 2, 1},
       {"DD", {"discrete-derivative", {{"gradient", std::string("gonzalez")}}}, false, true, 2, 1},
       {"LF", {"leapfrog"}, true, true, 2, 2}}};
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

/// How much the driver's next state depends on the passengers'.
double fibration_defect(const System& system, const Method& method) {
  Map map(system, method, parameters);
  BasicPoint<Extended> one = state(map, 1.0, 0.3), other = state(map, -0.4, 0.9);
  if (!map.apply(one, Extended(1) / 16) || !map.apply(other, Extended(1) / 16)) return NAN;
  using Numbers = std::vector<Extended>;
  return largest_difference(Numbers{one.q[2], one.v[2]}, Numbers{other.q[2], other.v[2]});
}

double reversal_defect(const System& system, const Method& method) {
  Map map(system, method, parameters);
  return reversibility_defect(map, state(map, 1.0, 0.3), Extended(1) / 16,
                              {{1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}});
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

ExperimentOutcome modin_verdier_methods(const ReproductionEffort&) {
  const StudyOrders orders("modin-verdier-2020/orders", order_runs),
      witness("modin-verdier-2020/orders-witness", order_runs);
  const System system = load_problem("pendulum-cvt").system;
  std::vector<Evidence> order, fibration, reversibility;
  for (const Promise& promise : promises()) {
    orders.add(order, promise.label, promise.order);
    witness.add(order, promise.label, promise.order);
    // The paper says nothing of the multipliers.
    orders.add_multiplier(order, promise.label, promise.multiplier_order, EvidenceRole::shown);
    witness.add_multiplier(order, promise.label, promise.multiplier_order, EvidenceRole::shown);
    const Method method = make_method(promise.spec);
    fibration.push_back(defect_evidence(std::string("change of the driver's step with the "
                                                    "passengers' state, ") +
                                            promise.label,
                                        fibration_defect(system, method), promise.fibration));
    reversibility.push_back(
        defect_evidence(std::string("reversibility defect of a step, ") + promise.label,
                        reversal_defect(system, method), promise.reversibility));
  }
  return {{orders.picture(), witness.picture()},
          {{"000-A.1", order}, {"000-B.1", fibration}, {"000-B.2", reversibility}}};
}

}  // namespace

Paper modin_verdier_2020() {
  return {
      "000",
      "modin-verdier-2020",
      "K. Modin and O. Verdier: What makes nonholonomic integrators work? Numerische Mathematik "
      "145 (2020)",
      {{"methods", "Sect. 3.4 and App. A", "Orders, and the table of what the methods preserve",
        "Orders by step halving in extended precision, on the transmission and on a system whose "
        "mass is coupled and whose constraint is curved. The table of Sect. 3.4 is measured on "
        "single steps, h = 1/16: what the driver does with two different passengers, and a step, "
        "the reversal, a step and the reversal.",
        modin_verdier_methods},
       {"figure-4", "Fig. 4 and Sect. 3.1", "Energy of the knife edge",
        "h = pi/10, T = 100 (continued to 3000), running mean over 3 units of time, epsilon = 0 "
        "and 0.1. With epsilon = 0.1 the exact motion gains speed without bound, so the error is "
        "also shown relative to the kinetic energy.",
        modin_verdier_knife_edge},
       {"figure-6", "Fig. 6 and Sect. 3.2", "Passenger energy of the transmission",
        "h = 0.1, T = 3000, running mean over 30 units of time. The paper's text has epsilon = "
        "0.1, its figures 0.5: both are shown.",
        modin_verdier_passenger},
       {"figure-7", "Fig. 7 and Sect. 3.2", "Driver energy of the transmission",
        "The same runs as for Fig. 6.", modin_verdier_driver},
       {"figure-8", "Fig. 8 and Sect. 3.2", "Latitude of the passenger",
        "The same runs. The latitude integral is evaluated at any state as the component of the "
        "passenger along the axis about which one period of the driver turns it, so that no "
        "section is needed.",
        modin_verdier_latitude},
       {"open-problems", "Sect. 6", "Open problems 2 and 3, and ten times longer runs",
        "All six cases to T = 30000 (6000 with --quick), with three more methods that keep the "
        "energy: the mean-value discrete gradient on positions, and energy-preserving collocation "
        "on D* with one and two stages in an orthonormal frame.",
        modin_verdier_open_problems}}};
}

}  // namespace dalembert::reproduce
