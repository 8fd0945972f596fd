#pragma once

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// One pass of Broyden's method, with what the loop remembers for the next.
struct BroydenUpdate {
  Vector correction;                   ///< corrections of all unknowns
  TapeWriter::LoopGroup matrix, last;  ///< inverse W, k x k by rows; last correction of the first k
};

/// Broyden's first update of the inverse W by the last correction s: with u = W R it becomes
/// W - u (s^T W)/(s.s + s.u), and the next correction is u s.s/(s.s + s.u), with weights in the
/// products. In the first pass s is zero; then, and where the update would be nearly singular, W
/// stays. `residual` and `values` of all unknowns, `weights` of the first k, `inverse` the start of
/// W; unknowns beyond k are corrected by their residuals. Source: [Broyden1965].
BroydenUpdate broyden_update(const Vector& residual, const Vector& values, const Vector& weights,
                             const Vector& inverse);

}  // namespace dalembert
