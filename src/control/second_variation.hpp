#pragma once
// What kind of extremum stationary controls are. Only for the sources of this room.

#include "dalembert/control/optimal_control.hpp"
#include "discrete_control.hpp"

namespace dalembert {

/// The largest size of an entry.
double largest_entry(const Eigen::SparseMatrix<double>& matrix);

/// By the second variation along all changes that keep the defects zero to first order; what is
/// 1e-9 of its largest counts as zero. That it is positive a decomposition shows; else its
/// eigenvalues tell a family from a saddle, of at most 1500 numbers that are chosen. Of more a
/// family may be called a saddle.
Extremum extremum_of(const DiscreteControl& control, const ControlExpansion& at);

}  // namespace dalembert
