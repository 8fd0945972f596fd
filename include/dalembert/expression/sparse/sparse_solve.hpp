#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {

/// A square matrix of which only the entries that are not zero are held: for each row, its entries
/// by column.
template <class Value>
using SparseRows = std::vector<std::map<std::size_t, Value>>;

/// Entries of a matrix without those that are zero by their form.
SparseRows<Expr> sparse_rows(const Matrix& matrix);
/// The entries, row after row.
Vector entries_of(const SparseRows<Expr>& matrix);

/// Default limit of the work of a sparse elimination, as a share of the cube of the size. Without
/// zeros a matrix is eliminated in a loop, which needs no expressions.
inline constexpr double few_entries_work = 1.0 / 24.0;

/// An order of elimination in which each pivot adds few entries (minimum degree). `pivots`: one in
/// each row and column. Those in `late` have no entry of their own: they are the constraints of a
/// saddle point matrix [M, -A^T; A, 0], and take their turn when all others of their row are
/// eliminated. Where M is positive definite and A has full rank, no pivot of such an order is zero,
/// and those of M and those of A M^-1 A^T have one sign each. None where the elimination would be
/// of more work than a share of the cube of the size, which is 1/3 for a matrix without zeros.
std::optional<std::vector<Pivot>> sparse_order(const SparseRows<Expr>& matrix,
                                               const std::vector<Pivot>& pivots,
                                               const std::vector<bool>& late,
                                               double most_work = few_entries_work);

/// Solves `matrix` x = `right_sides` by elimination in the given order, for each of the right-hand
/// sides, which are columns. Work and expressions grow with the entries that are not zero.
/// std::domain_error where a pivot is zero by its form.
Matrix solve_in_order(const SparseRows<Expr>& matrix, const Matrix& right_sides,
                      const std::vector<Pivot>& order);
/// Solution for one right-hand side in numbers; nan or infinite where a pivot is zero.
std::vector<double> solve_in_order(const SparseRows<double>& matrix,
                                   const std::vector<double>& right_side,
                                   const std::vector<Pivot>& order);

/// Matrix of this pattern with the given numbers, row after row.
SparseRows<double> in_numbers(const SparseRows<Expr>& matrix, const std::vector<double>& entries);

/// True if elimination in this order leaves ten digits at each sample: the residuals of a solution,
/// relative to their terms, are below 1e-10. The distance of the matrix from a singular one is not
/// checked.
bool keeps_digits(const std::vector<SparseRows<double>>& samples, const std::vector<Pivot>& order);

/// Up to so many rows, pivots are chosen by what is provable of them alone.
inline constexpr std::size_t few_rows = 16;
/// Solution of a large system in the order of `symmetric_order`; none where there is no such order,
/// or few rows.
std::optional<Matrix> solve_sparsely(const SparseRows<Expr>& matrix, const Matrix& right_sides);

/// The order along the diagonal of a mass matrix or a saddle point matrix, which was tried in
/// numbers at several states. None where the zeros are not those of a symmetric matrix, where the
/// trial loses digits, or where there are too few zeros.
std::optional<std::vector<Pivot>> symmetric_order(const SparseRows<Expr>& matrix);

}  // namespace dalembert
