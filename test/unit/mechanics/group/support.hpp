#pragma once
// What the tests of groups share: symbols, places at which closed forms are compared with their
// definitions, and evaluation in extended precision.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/number_function.hpp"
#include "dalembert/mechanics/group/configuration.hpp"
#include "study/extended.hpp"
#include "unit/numeric/support.hpp"

namespace group_test {

using dalembert::Expr;
using dalembert::Graph;
using dalembert::GraphPointer;
using dalembert::Group;
using dalembert::Matrix;
using dalembert::Retraction;
using dalembert::Vector;
using dalembert::study::Extended;
using Numbers = std::vector<Extended>;

inline const std::vector<Group> all_groups{Group::line(),          Group::angle(),
                                           Group::rotations(),     Group::plane_motions(),
                                           Group::space_motions(), Group::heisenberg()};
inline const std::vector<Retraction> both_retractions{Retraction::cayley, Retraction::exponential};
/// Norms of displacements: zero, where series begin, and up to near a half turn.
inline const std::vector<double> displacement_sizes{0.0, 1e-9, 1e-3, 0.4, 1.5, 2.6};

/// Closed forms and definitions agree to round-off of 113 bits, 2e-34: numbers here stay below 1e3,
/// and nothing is divided by what is small.
inline const double group_tolerance = 1e-29;

inline Vector make_symbols(const GraphPointer& graph, const std::string& name, std::size_t count) {
  Vector result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(dalembert::make_symbol(graph, name + std::to_string(i)));
  return result;
}

/// Reproducible numbers in [-1, 1).
inline Numbers random_numbers(numeric_test::Random& random, std::size_t count) {
  Numbers result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(random.uniform(-1.0, 1.0));
  return result;
}

/// A displacement of a group whose rotation has that angle as its norm, its translation the same
/// size.
inline Numbers displacement_of_size(numeric_test::Random& random, const Group& group, double size) {
  Numbers x = random_numbers(random, group.dimension());
  const std::size_t rotational = group.name() == "SE(2)" ? 1 : std::min<std::size_t>(3, x.size());
  Extended square = 0;
  for (std::size_t i = 0; i < rotational; ++i) square += x[i] * x[i];
  for (Extended& entry : x) entry *= Extended(size) / sqrt(square);
  return x;
}

inline Numbers concatenated(std::initializer_list<Numbers> parts) {
  Numbers result;
  for (const Numbers& part : parts) result.insert(result.end(), part.begin(), part.end());
  return result;
}

/// The largest of the values of expressions that ought to vanish.
inline double largest(const Vector& inputs, const Vector& expressions, const Numbers& at) {
  dalembert::NumberFunction<Extended> function(inputs, expressions);
  double result = 0.0;
  for (const Extended& value : function(at)) {
    const double size = static_cast<double>(abs(value));
    result = size <= result ? result : size;  // nan stays
  }
  return result;
}

/// An arbitrary stored element: tau(y) at random y, far from the unit.
inline Vector element(const Group& group, const Vector& y) {
  const Vector first = group.retract(Retraction::cayley, y);
  return group.product(first, first);
}

}  // namespace group_test
