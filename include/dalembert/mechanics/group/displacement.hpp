#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/tape/number_function.hpp"
#include "dalembert/mechanics/group/configuration.hpp"

namespace dalembert {

/// The point q tau(x) with Cayley's map, normalised, in new symbols: q [storage_count], x [dof].
struct DisplacementEquations {
  Vector q, x, moved;  ///< arguments q and x; result [storage_count]
};
/// Builds these equations in a graph of their own.
DisplacementEquations displacement_equations(const Configuration& configuration);

/// Moves points of a configuration space in numbers: q tau(x) with Cayley's map, normalised; q + x
/// on R^n. One per thread; copies are independent.
template <class Number = double>
class Displacement {
 public:
  explicit Displacement(const Configuration& configuration) : flat_(configuration.is_flat()) {
    if (flat_) return;
    const DisplacementEquations equations = displacement_equations(configuration);
    move_ = Function(concatenate({equations.q, equations.x}), equations.moved);
  }

  /// Shapes: q and the result [storage_count], x [dof].
  std::vector<Number> operator()(std::span<const Number> q, std::span<const Number> x) {
    std::vector<Number> result(q.begin(), q.end());
    if (flat_) {
      for (std::size_t i = 0; i < result.size(); ++i) result[i] = result[i] + x[i];
      return result;
    }
    std::vector<Number> arguments(q.begin(), q.end());
    arguments.insert(arguments.end(), x.begin(), x.end());
    if constexpr (std::is_same_v<Number, double>) {
      move_(arguments, result);
    } else {
      move_({std::span<const Number>(arguments)}, result);
    }
    return result;
  }

 private:
  using Function =
      std::conditional_t<std::is_same_v<Number, double>, CompiledFunction, NumberFunction<Number>>;

  bool flat_;
  Function move_;
};

/// Doubles are the library's: what a user compiles does not replace it.
extern template class Displacement<double>;

}  // namespace dalembert
