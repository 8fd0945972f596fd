#pragma once
/// \file
/// Choices by the sign of a number, for one number and for lanes.

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

#include "dalembert/numeric/arithmetic/choices.h"

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
