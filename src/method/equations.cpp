#include "dalembert/method/equations.hpp"

#include <algorithm>
#include <utility>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

Vector Unknowns::vector(const std::string& name, const Vector& guess) {
  Group group{name, {}, zeros(guess.size()), {}, false};
  for (std::size_t i = 0; i < guess.size(); ++i) {
    group.symbols.push_back(make_symbol(graph_, name + "_increment_" + std::to_string(i + 1)));
    group.value.push_back(guess[i] + group.symbols.back());
  }
  groups_.push_back(group);
  return groups_.back().value;
}

Vector Unknowns::whole(const std::string& name, const Vector& start) {
  Group group{name, {}, start, {}, false};
  for (std::size_t i = 0; i < start.size(); ++i) {
    group.symbols.push_back(make_symbol(graph_, name + "_" + std::to_string(i + 1)));
  }
  group.value = group.symbols;
  groups_.push_back(group);
  return groups_.back().value;
}

Vector Unknowns::multiplier(const std::string& name, const Vector& start) {
  const Vector value = whole(name, start);
  groups_.back().is_multiplier = true;
  return value;
}

Equations apply_pieces(const std::vector<SplittingPiece>& pieces, const System& system,
                       const State& before, Unknowns& unknowns, const Expr& h) {
  Equations all;
  all.after = before;
  for (const SplittingPiece& piece : pieces) {
    const Expr fraction = Expr(piece.fraction) * h;
    const State between = all.after;
    const Equations part = piece.map.get()(system, between, unknowns, fraction);
    // Only the last part's condition is one on the new state.
    all.zero = concatenate({all.zero, all.constraint, part.zero});
    all.constraint = part.constraint;
    all.after = part.after;
    // A method that reports the continuous multiplier passes on the last guess.
    if (all.after.lambda.empty()) all.after.lambda = before.lambda;
    all.after.t = piece.moves_time ? between.t + fraction : between.t;
  }
  // They belong to the last part alone.
  all.after.error_estimate.clear();
  all.after.dense.clear();
  if (!pieces.empty() && all.after.lambda.size() == before.lambda.size()) {
    const bool reports =
        std::equal(all.after.lambda.begin(), all.after.lambda.end(), before.lambda.begin(),
                   [](const Expr& x, const Expr& y) { return same(x, y); });
    if (reports) all.after.lambda.clear();
  }
  return all;
}

std::vector<SplittingPiece> symmetric_sequence(std::vector<SplittingPiece> pieces) {
  if (pieces.empty()) return pieces;
  for (SplittingPiece& piece : pieces) piece.fraction = Constant{0.5};
  pieces.back().fraction = Constant{1.0};
  const std::vector<SplittingPiece> way(pieces.begin(), pieces.end() - 1);
  pieces.insert(pieces.end(), way.rbegin(), way.rend());
  return pieces;
}

}  // namespace dalembert
