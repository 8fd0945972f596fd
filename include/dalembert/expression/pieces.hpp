#pragma once
/// \file
/// Functions made of pieces, chosen by conditions. A condition is a number that is >= 0 where
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

/// Greater of two numbers; a where they are equal.
Expr max(const Expr& a, const Expr& b);
/// Smaller of two numbers; a where they are equal.
Expr min(const Expr& a, const Expr& b);

/// A condition that holds where `number` >= 0, or where it is negative.
struct Condition {
  Expr number = 0.0;      ///< number whose sign decides
  bool negative = false;  ///< true: holds where `number` < 0
};
/// Condition that holds where x does not.
Condition operator!(const Condition& x);
/// Condition that holds where both do. y counts only where x holds.
Condition both_of(const Condition& x, const Condition& y);
/// Condition that holds where one or both do. y counts only where x does not hold.
Condition one_of(const Condition& x, const Condition& y);
/// a where the condition holds, else b.
Expr select(const Condition& condition, const Expr& a, const Expr& b);

/// Operands of a node that `select` made: the condition's number, and the values by its sign.
struct Choice {
  NodeId condition = 0, nonnegative = 0, negative = 0;  ///< nodes of c, a and b
};
/// Operands of a node of the form that `select` makes; nothing for other nodes.
std::optional<Choice> choice_of(const Graph& graph, NodeId id);

}  // namespace dalembert
