#include "dalembert/step/detail/block_form.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace dalembert {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
using Incidence = std::vector<std::vector<bool>>;

/// For each equation its unknowns, ascending: of a large system there are few.
std::vector<std::vector<std::size_t>> unknowns_of(const Incidence& incidence) {
  std::vector<std::vector<std::size_t>> result(incidence.size());
  for (std::size_t e = 0; e < incidence.size(); ++e) {
    for (std::size_t u = 0; u < incidence[e].size(); ++u)
      if (incidence[e][u]) result[e].push_back(u);
  }
  return result;
}

/// Augmenting paths (Kuhn), first among the preferred pairs, then among all.
class Matching {
 public:
  explicit Matching(std::size_t size) : equation_of_(size, none) {}

  bool augment(const std::vector<std::vector<std::size_t>>& unknowns, std::size_t equation) {
    visited_.assign(equation_of_.size(), false);
    return reach(unknowns, equation);
  }
  std::size_t equation_of(std::size_t unknown) const { return equation_of_[unknown]; }

 private:
  bool reach(const std::vector<std::vector<std::size_t>>& unknowns, std::size_t equation) {
    for (const std::size_t u : unknowns[equation]) {
      if (visited_[u]) continue;
      visited_[u] = true;
      if (equation_of_[u] == none || reach(unknowns, equation_of_[u])) {
        equation_of_[u] = equation;
        return true;
      }
    }
    return false;
  }

  std::vector<std::size_t> equation_of_;
  std::vector<bool> visited_;
};

/// Tarjan's strongly connected components; a component comes after all that it depends on.
class Components {
 public:
  explicit Components(const std::vector<std::vector<std::size_t>>& successors)
      : successors_(successors),
        index_(successors.size(), none),
        low_(successors.size()),
        on_stack_(successors.size()) {
    for (std::size_t i = 0; i < successors.size(); ++i) {
      if (index_[i] == none) visit(i);
    }
  }
  const std::vector<std::vector<std::size_t>>& all() const { return components_; }

 private:
  void visit(std::size_t node) {
    index_[node] = low_[node] = counter_++;
    stack_.push_back(node);
    on_stack_[node] = true;
    for (const std::size_t next : successors_[node]) {
      if (index_[next] == none) {
        visit(next);
        low_[node] = std::min(low_[node], low_[next]);
      } else if (on_stack_[next]) {
        low_[node] = std::min(low_[node], index_[next]);
      }
    }
    if (low_[node] != index_[node]) return;
    components_.emplace_back();
    for (std::size_t member = none; member != node;) {
      member = stack_.back();
      stack_.pop_back();
      on_stack_[member] = false;
      components_.back().push_back(member);
    }
    std::sort(components_.back().begin(), components_.back().end());
  }

  const std::vector<std::vector<std::size_t>>& successors_;
  std::vector<std::size_t> index_, low_, stack_;
  std::vector<bool> on_stack_;
  std::vector<std::vector<std::size_t>> components_;
  std::size_t counter_ = 0;
};

}  // namespace

bool block_lower_triangular(const Incidence& incidence, const Incidence& preferred,
                            std::vector<EquationBlock>& blocks,
                            std::vector<std::size_t>& unmatched) {
  const std::size_t size = incidence.size();
  const auto first = unknowns_of(preferred), all = unknowns_of(incidence);
  Matching matching(size);
  std::vector<bool> matched(size, false);
  for (std::size_t e = 0; e < size; ++e) matched[e] = matching.augment(first, e);
  unmatched.clear();
  for (std::size_t e = 0; e < size; ++e) {
    if (!matched[e] && !matching.augment(all, e)) unmatched.push_back(e);
  }
  if (!unmatched.empty()) return false;
  std::vector<std::size_t> unknown_of(size);
  for (std::size_t u = 0; u < size; ++u) unknown_of[matching.equation_of(u)] = u;
  std::vector<std::vector<std::size_t>> needs(size);
  for (std::size_t e = 0; e < size; ++e) {
    for (const std::size_t u : all[e]) {
      if (u != unknown_of[e]) needs[e].push_back(matching.equation_of(u));
    }
  }
  blocks.clear();
  const Components components(needs);
  for (const auto& component : components.all()) {
    EquationBlock block{component, {}};
    for (const std::size_t e : component) block.unknowns.push_back(unknown_of[e]);
    std::sort(block.unknowns.begin(), block.unknowns.end());
    blocks.push_back(std::move(block));
  }
  return true;
}

}  // namespace dalembert
