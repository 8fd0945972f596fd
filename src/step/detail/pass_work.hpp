#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// How much work expressions are, in additions: a pass of an iteration.
double work_of(const Vector& expressions);

/// How much of it depends on symbols, where the matrices of linear systems have been factorized.
double work_with(const Vector& expressions, const Vector& symbols);

/// Whether a pass of an iteration, with so much work, takes more than to remember where its
/// unknowns have come from.
bool is_worth_a_pass(double work, std::size_t iterates);

/// Whether a matrix is worth keeping for some passes: these take the repeated work once more.
bool is_worth_keeping(double matrix, double repeated);

}  // namespace dalembert
