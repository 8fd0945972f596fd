#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/audit/jacobian.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The closed formula of a method for the factor by which a step multiplies the passengers' volume
/// (`VolumeFormula`), as a function of numbers. Every |det E_1^T B E_2| is |D(A_1, B, A_2)| over
/// the root of |D(A_1, M, A_1) D(A_2, M, A_2)|, where D is the determinant of B bordered by A_1^T
/// and A_2. One per thread.
template <class Number>
class VolumeFormulaValue {
 public:
  /// Parameters in the order of the description; the defaults if empty.
  VolumeFormulaValue(const System& system, const Method& method, std::span<const double> parameters)
      : dof_(system.dof()), constraints_(system.constraint_count()) {
    const Symbols s = system.symbols();
    const GraphPointer graph = s.t.graph();
    const auto named = [&](const std::string& name) {
      Vector symbols;
      for (std::size_t i = 0; i < dof_; ++i)
        symbols.push_back(make_symbol(graph, name + std::to_string(i)));
      return symbols;
    };
    const Vector q = named("q_after_"), v = named("v_after_");
    const Expr h = make_symbol(graph, "h");
    const State before{s.q, s.v, {}, {}, s.t}, after{q, v, {}, {}, s.t + h};
    const std::optional<VolumeFormula> formula = method.volume(system, before, after, h);
    if (!formula) return;
    potential_ = formula->potential;
    const Matrix mass = system.mass(s.q);
    Vector outputs = mass.entries();
    for (const VolumeFactor& factor : formula->factors) {
      const Matrix& between = factor.between.rows() == 0 ? mass : factor.between;
      outputs = concatenate(
          {outputs, factor.first.entries(), factor.second.entries(), between.entries()});
      powers_.push_back(factor.power);
    }
    values_ = StateFunction<Number>(system, s, outputs, parameters, concatenate({q, v, {h}}));
  }

  /// For which potentials it holds; nothing without a formula.
  const std::optional<VolumeFormula::Potential>& potential() const { return potential_; }

  /// The logarithm of the factor for a step of size h between two states.
  Number operator()(const BasicPoint<Number>& before, const BasicPoint<Number>& after,
                    const Number& h) {
    using std::log;
    std::vector<Number> further = after.q;
    further.insert(further.end(), after.v.begin(), after.v.end());
    further.push_back(h);
    const std::span<const Number> values = values_(before.t, before.q, before.v, further);
    const Number* next = values.data();
    const Number* mass = next;
    next += dof_ * dof_;
    Number sum(0.0);
    for (const int power : powers_) {
      const Number *first = next, *second = first + constraints_ * dof_,
                   *between = second + constraints_ * dof_;
      next = between + dof_ * dof_;
      const Number own = bordered(mass, first, first) * bordered(mass, second, second);
      const Number both = log(bordered(between, first, second)) - log(own) / Number(2.0);
      sum = sum + Number(static_cast<double>(power)) * both;
    }
    return sum;
  }

 private:
  /// |det [[B, A_1^T], [A_2, 0]]|.
  Number bordered(const Number* between, const Number* first, const Number* second) const {
    const std::size_t size = dof_ + constraints_;
    NumberMatrix<Number> matrix(size, std::vector<Number>(size, Number(0.0)));
    for (std::size_t i = 0; i < dof_; ++i) {
      for (std::size_t j = 0; j < dof_; ++j) matrix[i][j] = between[i * dof_ + j];
      for (std::size_t k = 0; k < constraints_; ++k) {
        matrix[i][dof_ + k] = first[k * dof_ + i];
        matrix[dof_ + k][i] = second[k * dof_ + i];
      }
    }
    const Number value = determinant(matrix);
    return value < Number(0.0) ? Number(-value) : value;
  }

  std::size_t dof_, constraints_;
  std::optional<VolumeFormula::Potential> potential_;
  std::vector<int> powers_;
  StateFunction<Number> values_;
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
