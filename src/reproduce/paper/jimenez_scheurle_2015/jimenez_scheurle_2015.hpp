#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

/// The experiments of [JimenezScheurle2015].
Paper jimenez_scheurle_2015();

}  // namespace dalembert::reproduce
