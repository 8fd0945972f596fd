#pragma once

#include <string>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// The expression in the grammar of problem files, so that parsing it gives it back. Entries of
/// `solve` nodes are printed as `solve(...)[i]` and cannot be parsed. Parts that would take more
/// than 20000 characters stand as `(...)`.
std::string to_string(const Expr& expression);

/// The shortest decimal text that reads back as the same double.
std::string to_string(double value);

}  // namespace dalembert
