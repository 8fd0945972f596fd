#pragma once

#include <cstddef>

#include "dalembert/error.hpp"

namespace dalembert {

/// How much a text may ask for. A short text can stand for millions of terms, so what is made of
/// one is limited; who wants more sets more, before anything is read.
struct Limits {
  std::size_t nodes = 1'500'000;  ///< of the expressions of a problem or of a study, and words read
  std::size_t coordinates = 4000;  ///< of a problem
  std::size_t runs = 10'000;       ///< of a study: starts x parameters x methods x steps
};

/// The limits of this process; not to be changed while texts are read.
Limits& limits();

/// More nodes than Limits::nodes.
class NodeLimitError : public RequestError {
 public:
  using RequestError::RequestError;
};

/// While one lives, all nodes that are made on its thread and all words that are read count
/// together; one within another adds to the outer one's count. NodeLimitError is thrown where the
/// limit is passed. An outermost one may count on from what was made before. Steps make no nodes.
class NodeBudget {
 public:
  explicit NodeBudget(std::size_t made_before = 0);
  ~NodeBudget();
  NodeBudget(const NodeBudget&) = delete;
  NodeBudget& operator=(const NodeBudget&) = delete;
};

/// Counts one node or word, if there is a budget on this thread.
void count_node();

}  // namespace dalembert
