#pragma once
// How independent rows are, in numbers.

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {

/// The part of row k of `rows`, of n numbers each, that is not in the span of the rows before it,
/// relative to the row: Gram-Schmidt in place. `lengths`: the squares of those of the rows before
/// it, to which its own is added.
double independent_part(std::vector<double>& rows, std::vector<double>& lengths, std::size_t k,
                        std::size_t n);

/// Clause on the first row of a matrix that depends on those before it: ": constraint 2 is 2 times
/// constraint 1; leave it out", where the coefficients are the same at several states. "" where
/// none is found.
std::string dependence_text(const Matrix& rows);

/// 0 where an n x n matrix is singular to round-off, else the ratio of its pivots after scaling
/// rows. Of large matrices zeros are passed over.
double pivot_ratio(std::vector<double> matrix, int n);

}  // namespace dalembert
