#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The experiments of [MartinDeDiegoSato2018].
Paper martin_de_diego_sato_2018();

}  // namespace dalembert::reproduce
