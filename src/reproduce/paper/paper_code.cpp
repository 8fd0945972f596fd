#include "paper_code.hpp"

namespace dalembert::reproduce {

PaperCode code_of_paper(const std::string& name) {
  if (name == "modin-verdier-2020") return modin_verdier_2020();
  if (name == "celledoni-2019") return celledoni_2019();
  if (name == "martin-de-diego-sato-2018") return martin_de_diego_sato_2018();
  if (name == "anahory-simoes-2022") return anahory_simoes_2022();
  if (name == "jimenez-scheurle-2015") return jimenez_scheurle_2015();
  if (name == "open-problems") return open_problems();
  return {};
}

}  // namespace dalembert::reproduce
