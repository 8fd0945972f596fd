#pragma once

#include "dalembert/mechanics/system.hpp"

namespace dalembert::reproduce {

/// L = v^2/2 + cos q, on which papers show methods without constraints.
System pendulum();

}  // namespace dalembert::reproduce
