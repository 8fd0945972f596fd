#include "energy_blocks.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

/// Whether two coordinates belong to one block, seen by themselves.
class Couplings {
 public:
  explicit Couplings(const System& system)
      : symbols_(system.symbols()),
        slope_(system.potential_gradient(symbols_.q, symbols_.t)),
        mass_(system.mass(symbols_.q)),
        constraint_(system.constraint_matrix(symbols_.q, symbols_.v, symbols_.t)) {}

  bool couple(std::size_t i, std::size_t j) const {
    if (depends_on(slope_[i], {symbols_.q[j]}) || depends_on(slope_[j], {symbols_.q[i]}))
      return true;
    if (!mass_(i, j).is_constant(0.0)) return true;
    for (std::size_t row = 0; row < constraint_.rows(); ++row) {
      if (!constraint_(row, i).is_constant(0.0) && !constraint_(row, j).is_constant(0.0))
        return true;
    }
    return false;
  }

 private:
  Symbols symbols_;
  Vector slope_;
  Matrix mass_, constraint_;
};

Vector entries(const Vector& all, const std::vector<std::size_t>& which) {
  Vector part;
  for (const std::size_t i : which) part.push_back(all[i]);
  return part;
}

}  // namespace

std::vector<std::vector<std::size_t>> energy_blocks(const System& system) {
  const Couplings couplings(system);
  std::vector<std::vector<std::size_t>> blocks;
  std::vector<bool> taken(system.dof(), false);
  for (std::size_t first = 0; first < system.dof(); ++first) {
    if (taken[first]) continue;
    taken[first] = true;
    std::vector<std::size_t> block{first};
    for (std::size_t k = 0; k < block.size(); ++k) {
      for (std::size_t i = 0; i < system.dof(); ++i) {
        if (taken[i] || !couplings.couple(block[k], i)) continue;
        taken[i] = true;
        block.push_back(i);
      }
    }
    blocks.push_back(block);
  }
  return blocks;
}

Vector gonzalez_by_blocks(const std::vector<std::vector<std::size_t>>& blocks, const Expr& function,
                          const Vector& variables, const Vector& from, const Vector& to) {
  Vector result = zeros(variables.size());
  for (const std::vector<std::size_t>& block : blocks) {
    const Vector own = entries(variables, block), start = entries(from, block),
                 end = entries(to, block);
    const Vector part = discrete_gradient(GradientKind::gonzalez, function, own, start, end);
    for (std::size_t k = 0; k < block.size(); ++k) result[block[k]] = part[k];
  }
  return result;
}

}  // namespace dalembert
