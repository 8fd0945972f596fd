#pragma once
/// \file
/// What the energy methods on the transmission share.

#include "sinc_change.hpp"
#include "transmission.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {

/// The mean of the driver's torque along a step less that in the middle, and its derivative with
/// respect to the step's length.
template <class Number>
struct MeanTorque {
  Number excess, slope;
  SincChange<Number> whole;  ///< of the length

  MeanTorque(const Gear<Number>& middle, const Number& length, double epsilon)
      : whole(sinc_change(length)) {
    const SincChange<Number> half = sinc_change<Number>(0.5 * length);
    const Number s = middle.sine, c = middle.cosine, twice = epsilon * (1.0 - 2.0 * s * s);
    excess = s * half.value - twice * whole.value;
    slope = 0.5 * (c * half.value + s * half.slope) + 2.0 * epsilon * s * c * whole.value -
            twice * whole.slope;
  }
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
