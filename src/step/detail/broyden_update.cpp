#include "broyden_update.hpp"

#include <string>

#include "dalembert/expression/pieces.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// Memory of the loop: symbols and their starts.
TapeWriter::LoopGroup memory_of(const GraphPointer& graph, const std::string& name,
                                const Vector& start) {
  TapeWriter::LoopGroup group;
  group.judged = group.is_unknown = false;
  group.iterate = group.value = new_symbols(graph, name, start.size());
  group.start = start;
  return group;
}

Vector weighted(const Vector& weights, const Vector& x) {
  Vector result;
  for (std::size_t i = 0; i < x.size(); ++i) result.push_back(weights[i] * x[i]);
  return result;
}

}  // namespace

BroydenUpdate broyden_update(const Vector& residual, const Vector& values, const Vector& weights,
                             const Vector& inverse) {
  // Corrections near round-off say nothing about the matrix: squares of 2^-40.
  constexpr double singular = 0.1, round_off = 0x1p-80, least = 1e-300;
  const std::size_t count = weights.size();
  const GraphPointer graph = common_graph({residual});
  BroydenUpdate result{residual, memory_of(graph, "inverse", inverse),
                       memory_of(graph, "secant", zeros(count))};
  Matrix matrix(count, count);
  matrix.entries() = result.matrix.iterate;
  const Vector &s = result.last.iterate, sizes = slice(values, 0, count);
  const Vector plain = matrix * slice(residual, 0, count), covector = weighted(weights, s);
  const Expr squares = dot(covector, s), turned = dot(covector, plain), sum = squares + turned;
  const Expr scale = dot(weighted(weights, sizes), sizes);
  const Expr tells = where_nonnegative(squares - (round_off * scale + least), 1.0 / sum),
             quotient = where_nonnegative(sum - singular * squares, tells);
  const Vector row = transpose(matrix) * covector, scaled = quotient * row;
  const Vector correction = (1.0 - quotient * turned) * plain;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j)
      result.matrix.correction.push_back(plain[i] * scaled[j]);
    result.last.correction.push_back(s[i] + correction[i]);
    result.correction[i] = correction[i];
  }
  return result;
}

}  // namespace dalembert
