#include "paper_code.hpp"

#include "reproduce/paper/anahory_simoes_2022/classical_newmark.hpp"
#include "reproduce/paper/anahory_simoes_2022/exponential_map.hpp"
#include "reproduce/paper/anahory_simoes_2022/exponential_methods.hpp"
#include "reproduce/paper/anahory_simoes_2022/figures.hpp"
#include "reproduce/paper/anahory_simoes_2022/lie_newmark.hpp"
#include "reproduce/paper/anahory_simoes_2022/newmark_family.hpp"
#include "reproduce/paper/celledoni_2019/chaotic.hpp"
#include "reproduce/paper/celledoni_2019/discrete_gradients.hpp"
#include "reproduce/paper/celledoni_2019/gearbox.hpp"
#include "reproduce/paper/celledoni_2019/nonholonomic_bracket.hpp"
#include "reproduce/paper/celledoni_2019/sleigh.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/adapted_equations.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/discrete_principle.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/eliminated_equations.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/embeddings.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/kept_constraint.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/old_nodes.hpp"
#include "reproduce/paper/jimenez_scheurle_2015/velocity_integrators.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/discrete_lagrangians.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/holonomic_orders.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/lie_groups.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/lobatto_ensemble.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/lobatto_long_runs.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/lobatto_transmission.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/momenta/discrete_momenta.hpp"
#include "reproduce/paper/martin_de_diego_sato_2018/stage_orders.hpp"
#include "reproduce/paper/modin_verdier_2020/averaging.hpp"
#include "reproduce/paper/modin_verdier_2020/knife_edge.hpp"
#include "reproduce/paper/modin_verdier_2020/methods.hpp"
#include "reproduce/paper/modin_verdier_2020/phase_portrait.hpp"
#include "reproduce/paper/modin_verdier_2020/table_1.hpp"
#include "reproduce/paper/modin_verdier_2020/transmission.hpp"
#include "reproduce/paper/open_problems/closed_turns.hpp"
#include "reproduce/paper/open_problems/drift_everywhere.hpp"
#include "reproduce/paper/open_problems/rates.hpp"
#include "reproduce/paper/open_problems/work.hpp"

namespace dalembert::reproduce {

PaperCode code_of_paper(const std::string& name) {
  if (name == "modin-verdier-2020")
    return {{"methods", modin_verdier_methods},
            {"table-1", modin_verdier_table_1},
            {"averaging", modin_verdier_averaging},
            {"figure-4", modin_verdier_knife_edge},
            {"figure-5", modin_verdier_phase_portrait},
            {"figure-6", modin_verdier_passenger},
            {"figure-7", modin_verdier_driver},
            {"figure-8", modin_verdier_latitude},
            {"open-problems", modin_verdier_open_problems},
            {"hardening", modin_verdier_hardening},
            {"definite", modin_verdier_definite}};
  if (name == "celledoni-2019")
    return {{"figure-2-ensemble", celledoni_ensemble},
            {"figure-3", celledoni_sleigh},
            {"bracket", celledoni_bracket},
            {"discrete-gradients", celledoni_gradients},
            {"figure-4", celledoni_gearbox}};
  if (name == "martin-de-diego-sato-2018")
    return {{"holonomic", holonomic_orders},
            {"stages", stage_orders},
            {"figure-4", lobatto_transmission},
            {"section-7-2", lobatto_long_runs},
            {"section-7-3", lobatto_ensemble},
            {"figure-8", turntable_integrals},
            {"lie-groups", chart_base},
            {"discrete-lagrangians", discrete_lagrangians},
            {"discrete-momenta", discrete_momenta}};
  if (name == "anahory-simoes-2022")
    return {{"classical", classical_newmark},     {"exponential-methods", exponential_methods},
            {"exponential-map", exponential_map}, {"family", newmark_family},
            {"figure-3", newmark_figure_3},       {"figure-5", newmark_figure_5},
            {"lie-groups", lie_newmark}};
  if (name == "jimenez-scheurle-2015")
    return {{"velocity-integrators", velocity_integrators},
            {"eliminated-equations", eliminated_equations},
            {"redefined-nodes", kept_constraint},
            {"deformed-constraint", old_nodes},
            {"embedding", embeddings},
            {"adapted-equations", adapted_equations},
            {"discrete-principle", discrete_principle}};
  if (name == "open-problems")
    return {{"drift", open_problems_drift},
            {"million", open_problems_million},
            {"rates", open_problems_rates},
            {"work", open_problems_work},
            {"closed-turns", open_problems_closed_turns},
            {"reduced-systems", open_problems_reduced_systems}};
  return {};
}

}  // namespace dalembert::reproduce
