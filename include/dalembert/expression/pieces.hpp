#pragma once
/// \file
/// Functions made of pieces: what a condition chooses. A condition is a number that is >= 0 where
/// it holds. Nothing of what is not chosen enters a value or a derivative, even if it is infinite
/// or nan there; where the condition is nan, the value is nan. The derivative is that of what is
/// chosen; the conditions themselves are not differentiated.

#include <optional>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// x where c >= 0, else zero.
Expr where_nonnegative(const Expr& c, const Expr& x);
/// x where c < 0, else zero.
Expr where_negative(const Expr& c, const Expr& x);
/// a where c >= 0, b where c < 0: the sum of both of these.
Expr select(const Expr& c, const Expr& a, const Expr& b);

/// The greater and the smaller one of two numbers; a where they are equal.
Expr max(const Expr& a, const Expr& b);
Expr min(const Expr& a, const Expr& b);

/// A condition that holds where `number` >= 0, or where it is negative.
struct Condition {
  Expr number = 0.0;
  bool negative = false;
};
Condition operator!(const Condition& x);
/// The second condition counts where the first one leaves the answer open.
Condition both_of(const Condition& x, const Condition& y);
Condition one_of(const Condition& x, const Condition& y);
Expr select(const Condition& condition, const Expr& a, const Expr& b);

/// The operands of a node that `select` made.
struct Choice {
  NodeId condition = 0, nonnegative = 0, negative = 0;
};
std::optional<Choice> choice_of(const Graph& graph, NodeId id);

}  // namespace dalembert
