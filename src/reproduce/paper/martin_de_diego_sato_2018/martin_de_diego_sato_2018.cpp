// Martin de Diego and Sato 2018, Sects. 7.1 and 7.2: Lobatto methods.
#include "martin_de_diego_sato_2018.hpp"

#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/reproduce/experiment.hpp"
#include "holonomic_orders.hpp"
#include "lie_groups.hpp"
#include "lobatto_long_runs.hpp"
#include "lobatto_transmission.hpp"
#include "reproduce/paper/ensembles.hpp"
#include "reproduce/paper/orders.hpp"
#include "stage_orders.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

ExperimentOutcome lobatto_orders(const ReproductionEffort&) {
  const StudyOrders particle("martin-de-diego-sato-2018/orders", 5),
      witness("martin-de-diego-sato-2018/orders-witness", 5);
  std::vector<Evidence> order, lower;
  for (const StudyOrders* of : {&particle, &witness}) {
    for (int s = 2; s <= 5; ++s) {
      of->add(order, stages_label(s), 2 * s - 2);
      if (s > 2) of->add_multiplier(lower, stages_label(s), s % 2 == 0 ? s : s - 1);
    }
  }
  return {{particle.picture(), witness.picture()}, {{"002-A.1", order}, {"002-A.2", lower}}};
}

ExperimentOutcome lobatto_ensemble(const ReproductionEffort& effort) {
  const StudyEnsembles ensembles("martin-de-diego-sato-2018/section-7-3-ensemble", effort,
                                 {"run.step=0.2", "run.until=4000.0"});
  constexpr double h = 0.2;
  const double scale = 1e-4 * std::pow(h, 4);
  std::vector<Evidence> walk;
  const auto rate = [&](const char* method, double most, EvidenceRole role) {
    walk.push_back(ensembles.rate("rate of the mean square over 1e-4 h^4", method, h,
                                  GrowthOf::mean_square, scale, 0.05, most, role));
  };
  rate("SPARK", 5.0, EvidenceRole::both);
  rate("DLA", 5.0, EvidenceRole::both);
  rate("Lobatto, s = 2", 5.0, EvidenceRole::published);
  rate("Lobatto, s = 2", 20.0, EvidenceRole::qualified);
  walk.push_back(ensembles.rate("rate of the mean square over 1e-4 h^4", "Lobatto, s = 3", h,
                                GrowthOf::mean_square, scale, 0.0, 1.0, EvidenceRole::shown));
  const auto plain_rate = [&](const char* method) {
    return ensembles.rate(method, h, GrowthOf::mean_square);
  };
  const double others = numeric::larger(plain_rate("SPARK"), plain_rate("DLA"));
  walk.push_back({"rate of two stages over the larger of those of SPARK and DLA",
                  plain_rate("Lobatto, s = 2") / others, 0.0, 1.0, INFINITY,
                  EvidenceRole::qualified, "two stages"});
  walk.push_back({"rate of the larger of SPARK and DLA over that of three stages",
                  others / plain_rate("Lobatto, s = 3"), 0.0, 1.0, INFINITY,
                  EvidenceRole::qualified, "three stages"});
  return {{ensembles.picture("Mean squared energy error over random starts of energy 3.06",
                             GrowthOf::mean_square, 0.0)},
          {{"002-C.1", walk}}};
}

}  // namespace

Paper martin_de_diego_sato_2018() {
  return {
      "002",
      "martin-de-diego-sato-2018",
      "D. Martin de Diego and R. T. Sato Martin de Almagro: High-order geometric methods for "
      "nonholonomic mechanical systems (2018)",
      {{"orders", "Sect. 7.1, Fig. 3", "Orders of the Lobatto methods",
        "Orders by step halving in extended precision, s = 2 to 5, on the particle in a "
        "harmonic potential and on a system with a mass that depends on the configuration, a "
        "curved constraint and a potential that is not quadratic.",
        lobatto_orders},
       {"holonomic", "Sect. 4.3", "Orders with a constraint on positions",
        "Orders by step halving in extended precision on the spherical pendulum: Lobatto pairs, "
        "s = 2 to 4, and Gauss methods of two and three stages with the constraint at the "
        "stages, projected onto it after every step.",
        holonomic_orders},
       {"stages", "Sect. 5.1, Theorem 5.1 and App. B", "The accuracy of the stages",
        "One step of h = 1/4 and its halves in extended precision against the exact solution, s "
        "= 3 to 5, on three problems with a constant mass, one of them without constraint: at "
        "the inner stages, between them (at 0.3 of the step) and at the end. Orders on the "
        "particle where the constraint is imposed on the stage velocities at inner stages.",
        stage_orders},
       {"figure-4", "Sect. 7.2, Figs. 4 and 5", "Energies and multiplier of the transmission",
        "Driver oscillating (energy 2.8) and rotating (5.0), epsilon = 0, 0.1 and 0.5, s = 2 to "
        "6, h = 0.1 (the step of Modin and Verdier) and 0.05, T = 3000. The pictures show "
        "epsilon = 0.5.",
        lobatto_transmission},
       {"section-7-2", "Sect. 7.2, continued", "Long runs of the transmission",
        "The same motions and numbers of stages to T = 200000 (6000 with --quick, where five "
        "and six stages drift too slowly to be seen), h = 0.2 and 0.1; and every step started "
        "from the exact multiplier, epsilon = 0, T = 6000 (3000).",
        lobatto_long_runs},
       {"section-7-3", "Sect. 7.3", "Mean squared energy error of an ensemble",
        "200 random starts of energy 3.06 of the chaotic system, n = 3, h = 0.2, T = 4000.",
        lobatto_ensemble},
       {"figure-7", "Sects. 6 and 7.4, Fig. 7", "Orders on Lie groups",
        "Orders by step halving in extended precision, s = 2 to 4, both retractions, on the "
        "unicycle with a spring (SE(2) x S^1) and, without --quick, on the ball on a turntable "
        "with three different moments of inertia (SO(3) x R^2).",
        lie_group_orders},
       {"figure-8", "Sect. 7.5, Fig. 8", "Integrals of the ball on a turntable",
        "The published form, s = 2 to 4, both retractions, h = 0.1, T = 10000 (1000 with "
        "--quick), a homogeneous ball on a circle and a tumbling one with three different "
        "moments of inertia; the midpoint rule on the group beside it.",
        turntable_integrals},
       {"lie-groups", "Sects. 6, 7.4 and 7.5", "The base point of a step's chart",
        "Energy of the unicycle over 10000 steps of h = 0.3 and moving energy of the tumbling "
        "ball over 100000 (10000 with --quick); the defect of symmetry of a step of h = 0.2 in "
        "extended precision.",
        chart_base}}};
}

}  // namespace dalembert::reproduce
