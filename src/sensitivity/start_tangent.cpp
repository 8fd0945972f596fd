#include "dalembert/sensitivity/start_tangent.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/consistent_start.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {

template class StartTangent<double>;

namespace {

/// How the unknowns of a nearest point change with its arguments where it is the point itself.
Vector nearest_tangent(const NearestPointEquations& nearest, const Vector& solution,
                       const Vector& arguments, const Vector& direction) {
  const std::size_t n = nearest.unknowns.size();
  const Vector change = forward_derivative(nearest.residual, arguments, direction);
  const Vector there = substitute(concatenate({change, nearest.jacobian}), nearest.unknowns,
                                  concatenate({solution, zeros(n - solution.size())}));
  Matrix slopes(n, n);
  slopes.entries() = slice(there, n, n * n);
  return slice(solve_linear(slopes, -slice(there, 0, n)), 0, solution.size());
}

}  // namespace

StartTangentEquations start_tangent(const System& system, const Symbols& s, const Method& method,
                                    const Variation& variation) {
  const GraphPointer graph = s.t.graph();
  StartTangentEquations result;
  result.displacement = new_symbols(graph, "displacement", system.dof());
  result.velocity = new_symbols(graph, "velocity", system.velocity_count());
  result.parameters = new_symbols(graph, "parameter", variation.parameters.size());
  if (variation.step) result.step = new_symbols(graph, "step", 1);
  Vector parameters;
  for (const std::size_t parameter : variation.parameters)
    parameters.push_back(s.parameter_list.at(parameter));
  const Vector arguments = concatenate({s.q, s.v, parameters});
  const Configuration& space = system.configuration();

  Vector q = system.is_skew_gradient() ? result.displacement
                                       : space.storage_rate(s.q, result.displacement);
  Vector v = result.velocity;
  const auto direction = [&] { return concatenate({q, v, result.parameters}); };
  if (const NearestPointEquations nearest = nearest_position(system, s);
      !nearest.unknowns.empty()) {
    const bool flat = space.is_flat();
    const Vector change =
        nearest_tangent(nearest, flat ? s.q : zeros(system.dof()), arguments, direction());
    q = flat ? change : q + space.storage_rate(s.q, change);
  }
  if (const NearestPointEquations nearest = nearest_velocity(system, s); !nearest.unknowns.empty())
    v = nearest_tangent(nearest, s.v, arguments, direction());

  const Vector multiplier = system.eliminated(s.q, s.v, s.t).lambda;
  Vector carried = method.carried_start(system, {s.q, s.v, multiplier, {}, s.t});
  const std::size_t multipliers = system.constraint_count();
  Vector lambda = multiplier.empty() ? zeros(multipliers) : multiplier;
  const Vector slopes = forward_derivative(concatenate({lambda, carried}), arguments, direction());
  result.tangent = concatenate({q, v, slopes, result.parameters});
  if (variation.step) result.tangent = concatenate({result.tangent, Vector{0.0}, result.step});
  return result;
}

TransposedStart transposed_start(const Symbols& symbols, const StartTangentEquations& equations) {
  TransposedStart result;
  result.adjoint = new_symbols(symbols.t.graph(), "adjoint", equations.tangent.size());
  result.covector = gradient(dot(result.adjoint, equations.tangent), equations.direction());
  return result;
}

DisplacementOfTangent displacement_of_tangent(const System& system, const Symbols& s) {
  const Configuration& space = system.configuration();
  DisplacementOfTangent result{new_symbols(s.t.graph(), "tangent", space.storage_count()), {}};
  result.displacement = result.tangent;
  if (space.is_flat()) return result;
  // The columns of the rates are independent; what is stored redundantly does not change.
  const Vector x = new_symbols(s.t.graph(), "x", space.dof());
  const Matrix rates = jacobian(space.storage_rate(s.q, x), x);
  const Matrix transposed = transpose(rates);
  result.displacement = solve_linear(transposed * rates, transposed * result.tangent);
  return result;
}

}  // namespace dalembert
