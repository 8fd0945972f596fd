#pragma once

#include "dalembert/expression/constant.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The relative round-off of arithmetic in `Number` with the constants of expressions: in a wider
/// type than theirs it is that of the constants.
template <class Number>
double arithmetic_round_off() {
  return numeric::larger(static_cast<double>(numeric::round_off<Number>()), Constant::round_off);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
