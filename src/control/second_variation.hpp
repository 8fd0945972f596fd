#pragma once
// What kind of extremum stationary controls are. Only for the sources of this room.

#include "dalembert/control/optimal_control.hpp"
#include "discrete_control.hpp"

namespace dalembert {

/// The largest size of an entry.
double largest_entry(const Eigen::SparseMatrix<double>& matrix);

/// By the second variation along all changes that keep the defects zero to first order: of its
/// eigenvalues, those within 1e-9 of the largest count as zero. Of more than 1500 numbers that are
/// chosen only the sign is looked at, by a decomposition; a family may be called a saddle then.
Extremum extremum_of(const DiscreteControl& control, const ControlExpansion& at);

}  // namespace dalembert
