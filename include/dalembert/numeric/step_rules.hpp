#pragma once
/// \file
/// Rules of a step for one number and for lanes: when Newton's iteration ends, whether a result is
/// finite, the time and the step size of a step with a number.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

#include "dalembert/numeric/arithmetic/step_rules.h"

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
