#pragma once

#include <optional>
#include <vector>

#include "dalembert/expression/sparse/sparse_solve.hpp"
#include "dalembert/step/detail/named_parts.hpp"

namespace dalembert {

/// The Jacobian of a large block of equations and an order in which it can be eliminated.
struct SparseBlock {
  SparseRows<Expr> slopes;
  std::vector<Pivot> order;
};

/// The sparse form of equations with their factors, where they are those of a saddle point for
/// short steps: equations with a multiplier, in which the accelerations or velocities have a
/// dominant entry each, and as many constraints as multipliers, whose rows are nearly the columns
/// of theirs. Elimination is then along the mass matrix first and a constraint after all that it
/// holds together, without pivoting, so that its steps are known beforehand. It is tried in numbers
/// at several states, one of them at rest: `velocities` are those before the step. None where the
/// equations are of another kind, where the trial loses digits, or where there are too few zeros:
/// `most_work` is that of `sparse_order`.
std::optional<SparseBlock> sparse_block(const NamedFactors& equations,
                                        const std::vector<bool>& is_multiplier,
                                        const Expr& step_size, const Vector& velocities,
                                        double most_work = few_entries_work);

}  // namespace dalembert
