#pragma once

#include "dalembert/reproduce/reproduce.hpp"

namespace dalembert {

/// Props. 3.4 to 3.8 and Remark 3.3.
Outcome newmark_family(const Effort& effort);

}  // namespace dalembert
