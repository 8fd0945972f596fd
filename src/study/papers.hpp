#pragma once
// The papers whose experiments are rerun, each in a file of its own. Only for the sources of this
// room.

#include "dalembert/study/reproduce.hpp"

namespace dalembert {

Paper anahory_simoes_2022();

}  // namespace dalembert
