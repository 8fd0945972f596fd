#include "dalembert/measure/term_sizes.hpp"

#include "dalembert/expression/pieces.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

Vector constraint_term_sizes(const System& system, const Symbols& symbols, double part_of_others) {
  if (system.constraint_count() == 0) return {};
  const Vector& v = symbols.v;
  const Matrix matrix = system.constraint_matrix(symbols.q, v, symbols.t);
  const Vector constraint = system.constraint(symbols.q, v, symbols.t);
  Vector terms;
  Expr velocities = 0.0;
  for (const Expr& one : v) velocities = velocities + abs(one);
  for (std::size_t i = 0; i < constraint.size(); ++i) {
    Expr sizes = 0.0, sum = 0.0, row = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const Expr product = matrix(i, j) * v[j];
      sizes = sizes + abs(product);
      sum = sum + product;
      row = row + abs(matrix(i, j));
    }
    terms.push_back(max(sizes + abs(constraint[i] - sum), part_of_others * row * velocities));
  }
  return terms;
}

Vector holonomic_term_sizes(const System& system, const Symbols& symbols) {
  Vector sizes;
  for (const Expr& one : system.holonomic(symbols.q, symbols.t)) {
    Expr size = 0.0;
    for (const Expr& term : terms_of(one)) size = size + abs(term);
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace dalembert
