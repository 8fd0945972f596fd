#pragma once

#include <cstddef>

#include "dalembert/error.hpp"

namespace dalembert {

/// How much a text may ask for. A short text can stand for millions of terms, so what is made of
/// one is limited; who wants more sets more, before anything is read.
struct Limits {
  std::size_t nodes = 1'500'000;  ///< of the expressions of a problem or of a study, and words read
  std::size_t coordinates = 1200;     ///< of a problem
  std::size_t runs = 10'000;          ///< of a study: starts x parameters x methods x steps
  std::size_t numbers = 300'000'000;  ///< in records that a study keeps in memory, 8 bytes each
  /// Whether no graph has more than so many nodes: not only a problem as it is read and a study as
  /// it is planned, but also whatever is derived from a system later, and systems made in code. The
  /// command line has it so.
  bool every_graph = false;
};

/// Those of the innermost `LocalLimits` of this thread, or the process: not to be changed later.
Limits& limits();

/// While one lives, its thread has these limits; the innermost one counts.
class LocalLimits {
 public:
  explicit LocalLimits(const Limits& own);
  ~LocalLimits();
  LocalLimits(const LocalLimits&) = delete;
  LocalLimits& operator=(const LocalLimits&) = delete;

 private:
  Limits own_;
  Limits* outer_;
};

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
/// NodeLimitError if a graph of so many nodes cannot have another one; see Limits::every_graph.
void check_graph_size(std::size_t nodes);

}  // namespace dalembert
