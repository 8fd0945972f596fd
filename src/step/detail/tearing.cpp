#include "dalembert/step/detail/tearing.hpp"

#include <algorithm>
#include <numeric>

namespace dalembert {
namespace {

using Incidence = std::vector<std::vector<bool>>;

class Tearer {
 public:
  Tearer(const Incidence& incidence, const Incidence& solvable, const std::vector<bool>& tearable)
      : solvable_(solvable),
        tearable_(tearable),
        unknowns_of_(incidence.size()),
        equations_of_(incidence.size()) {
    for (std::size_t e = 0; e < incidence.size(); ++e) {
      for (std::size_t u = 0; u < incidence.size(); ++u) {
        if (!incidence[e][u]) continue;
        unknowns_of_[e].push_back(u);
        equations_of_[u].push_back(e);
      }
    }
  }

  /// A set from which everything follows and of which no member can be left out.
  std::vector<bool> search(std::vector<bool> torn, bool last_first) {
    for (std::size_t count = propagate(torn); count < torn.size();) {
      const std::size_t next = most_fruitful();
      torn[next] = true;
      count += learn(next) + settle();
    }
    std::vector<std::size_t> members(torn.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    if (last_first) std::reverse(members.begin(), members.end());
    for (const std::size_t u : members) {
      if (!torn[u]) continue;
      torn[u] = false;
      if (!follows(torn)) torn[u] = true;
    }
    return torn;
  }

  Tearing result(const std::vector<bool>& torn) {
    propagate(torn);
    Tearing tearing{assignments_, {}, {}};
    for (std::size_t i = 0; i < torn.size(); ++i) {
      if (torn[i]) tearing.torn.push_back(i);
      if (!used_[i]) tearing.remaining.push_back(i);
    }
    return tearing;
  }

 private:
  bool follows(const std::vector<bool>& torn) { return propagate(torn) == torn.size(); }

  /// Makes all assignments that follow from the torn unknowns; the number of unknowns then known.
  std::size_t propagate(const std::vector<bool>& torn) {
    known_.assign(torn.size(), false);
    used_.assign(torn.size(), false);
    open_.resize(torn.size());
    assignments_.clear();
    learnt_.clear();
    ready_.clear();
    for (std::size_t e = 0; e < torn.size(); ++e) open_[e] = unknowns_of_[e].size();
    std::size_t count = 0;
    for (std::size_t u = 0; u < torn.size(); ++u) {
      if (torn[u]) count += learn(u);
    }
    for (std::size_t e = 0; e < torn.size(); ++e) {
      if (open_[e] == 1) ready_.push_back(e);
    }
    return count + settle();
  }

  /// Makes the assignments of equations that are ready, and all that follow.
  std::size_t settle() {
    std::size_t count = 0;
    for (std::size_t next = 0; next < ready_.size(); ++next) count += assign(ready_[next]);
    ready_.clear();
    return count;
  }

  std::size_t learn(std::size_t unknown) {
    known_[unknown] = true;
    learnt_.push_back(unknown);
    for (const std::size_t e : equations_of_[unknown]) {
      if (--open_[e] == 1) ready_.push_back(e);
    }
    return 1;
  }

  std::size_t assign(std::size_t equation) {
    if (open_[equation] != 1 || used_[equation]) return 0;
    const auto& unknowns = unknowns_of_[equation];
    const std::size_t unknown = *std::find_if(unknowns.begin(), unknowns.end(),
                                              [this](std::size_t u) { return !known_[u]; });
    if (!solvable_[equation][unknown]) return 0;
    used_[equation] = true;
    assignments_.push_back({equation, unknown});
    return learn(unknown);
  }

  /// How many unknowns become known by one more; forgotten again. (What becomes known does not
  /// depend on the order of assignments.)
  std::size_t yield(std::size_t unknown) {
    const std::size_t learnt = learnt_.size(), assigned = assignments_.size();
    const std::size_t count = learn(unknown) + settle();
    for (; learnt_.size() > learnt; learnt_.pop_back()) {
      known_[learnt_.back()] = false;
      for (const std::size_t e : equations_of_[learnt_.back()]) ++open_[e];
    }
    for (; assignments_.size() > assigned; assignments_.pop_back())
      used_[assignments_.back().equation] = false;
    return count;
  }

  /// The unknown from which most others follow at once beside the known ones; among equals the one
  /// in most equations.
  std::size_t most_fruitful() {
    const std::size_t size = known_.size();
    const bool any_tearable = [&] {
      for (std::size_t u = 0; u < size; ++u) {
        if (tearable_[u] && !known_[u]) return true;
      }
      return false;
    }();
    std::size_t best = size, best_score = 0;
    for (std::size_t u = 0; u < size; ++u) {
      if (known_[u] || (any_tearable && !tearable_[u])) continue;
      const std::size_t score = yield(u) * size + equations_of_[u].size();
      if (best == size || score > best_score) {
        best = u;
        best_score = score;
      }
    }
    return best;
  }

  const Incidence& solvable_;
  const std::vector<bool>& tearable_;
  std::vector<std::vector<std::size_t>> unknowns_of_, equations_of_;
  std::vector<bool> known_, used_;
  std::vector<std::size_t> open_, ready_, learnt_;
  std::vector<Tearing::Assignment> assignments_;
};

}  // namespace

Tearing tear(const Incidence& incidence, const Incidence& solvable,
             const std::vector<bool>& tearable, const std::vector<std::vector<bool>>& starts) {
  Tearer tearer(incidence, solvable, tearable);
  std::vector<bool> best;
  const auto count = [](const std::vector<bool>& set) {
    return std::count(set.begin(), set.end(), true);
  };
  for (const std::vector<bool>& start : starts) {
    for (const bool last_first : {true, false}) {
      const std::vector<bool> found = tearer.search(start, last_first);
      if (best.empty() || count(found) < count(best)) best = found;
    }
  }
  return tearer.result(best);
}

}  // namespace dalembert
