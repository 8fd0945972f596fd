#pragma once
// The papers whose experiments are rerun, each in a file of its own. Only for the sources of this
// room.

#include "dalembert/reproduce/reproduce.hpp"

namespace dalembert {

Paper modin_verdier_2020();
Paper celledoni_2019();
Paper martin_de_diego_sato_2018();
Paper anahory_simoes_2022();
Paper jimenez_scheurle_2015();

}  // namespace dalembert
