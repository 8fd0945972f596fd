#pragma once
// What of a paper's experiments only code can measure. Only for the sources of this room.

#include <string>
#include <utility>
#include <vector>

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// By the name of the experiment in the paper's file.
using PaperCode = std::vector<std::pair<std::string, ExperimentCode>>;

PaperCode modin_verdier_2020();
PaperCode celledoni_2019();
PaperCode martin_de_diego_sato_2018();
PaperCode anahory_simoes_2022();
PaperCode jimenez_scheurle_2015();
PaperCode open_problems();

/// That of a paper by the folder of its studies; none for papers that are data alone.
PaperCode code_of_paper(const std::string& name);

}  // namespace dalembert::reproduce
