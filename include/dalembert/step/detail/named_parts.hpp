#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// A block of equations in which parts that several equations share, or on which the rest depends
/// nonlinearly, have become unknowns of their own: stage positions, forces. The system is larger
/// and sparser, and tearing finds the few unknowns that matter.
struct NamedParts {
  /// One such part. A linear one is offset + its unknown; any other is its unknown.
  struct Part {
    Expr expression;      ///< in the original unknowns
    Expr value;           ///< the same by its unknown
    Vector coefficients;  ///< of a linear part: those of the original unknowns
    bool is_linear;
  };
  Vector functions, symbols;  ///< the original ones first, then those of the parts
  std::vector<Part> parts;
};

/// The parts of the equations `functions` = 0 in the given unknowns:
/// - linear combinations of several unknowns that are an argument of something nonlinear or occur
///   more than once (their unknowns are increments, zero where the original unknowns are);
/// - nonlinear terms that occur more than once, always times something steady.
NamedParts name_parts_of(const Vector& functions, const Vector& unknowns);

/// A block of equations in which quotients that contain several unknowns, and that do nothing but
/// multiply other things that do, four at least, have become unknowns of their own: the factor of
/// Gonzalez' correction, multipliers that are eliminated. Without them every equation depends on
/// every unknown; with them each has its few unknowns again, beside one column and one row that
/// are full.
struct NamedFactors {
  Vector functions, symbols;  ///< the original ones first, then those of the factors
  Vector definitions;         ///< of the factors, each in the original unknowns and those before
};

/// The factors of the equations `functions` = 0 in the given unknowns.
NamedFactors name_factors_of(const Vector& functions, const Vector& unknowns);

}  // namespace dalembert
