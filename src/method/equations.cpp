#include "dalembert/method/equations.hpp"

#include <utility>

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

Vector Unknowns::multiplier(const std::string& name, const Vector& start) {
  Group group{name, {}, start, {}, true};
  for (std::size_t i = 0; i < start.size(); ++i) {
    group.symbols.push_back(make_symbol(graph_, name + "_" + std::to_string(i + 1)));
  }
  group.value = group.symbols;
  groups_.push_back(group);
  return groups_.back().value;
}

}  // namespace dalembert
