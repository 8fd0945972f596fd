#pragma once

#include "dalembert/reproduce/experiment.hpp"

namespace dalembert::reproduce {

Paper open_problems();

}  // namespace dalembert::reproduce
