#pragma once

#include <cstddef>

#include "dalembert/error.hpp"

namespace dalembert {

/// Limits of the work that a text may ask for. A short text can stand for millions of terms, so the
/// result is limited. A caller that needs more sets more, before anything is read.
struct Limits {
  std::size_t nodes = 1'500'000;   ///< nodes of a problem's or study's expressions, and words read
  std::size_t coordinates = 1200;  ///< coordinates of a problem
  std::size_t runs = 10'000;       ///< runs of a study: starts x parameters x methods x steps
  std::size_t numbers = 300'000'000;  ///< numbers in a study's records in memory, 8 bytes each
  /// True if `nodes` limits every graph: not only a problem as it is read and a study as it is
  /// planned, but also expressions derived from a system later, and systems made in code. The
  /// command line sets it.
  bool every_graph = false;
};

/// Limits in force: those of the innermost `LocalLimits` of this thread, else those of the process.
/// Not to be changed once something has been read.
Limits& limits();

/// Limits of the current thread while the object lives; the innermost one counts.
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

/// Error for more nodes than Limits::nodes.
class NodeLimitError : public RequestError {
 public:
  using RequestError::RequestError;
};

/// Common count of all nodes made and all words read on the current thread while the object lives.
/// One within another adds to the outer one's count. NodeLimitError is thrown where the count
/// passes Limits::nodes. An outermost one may start from `made_before` nodes. Steps make no nodes.
class NodeBudget {
 public:
  explicit NodeBudget(std::size_t made_before = 0);
  ~NodeBudget();
  NodeBudget(const NodeBudget&) = delete;
  NodeBudget& operator=(const NodeBudget&) = delete;
};

/// Counts one node or word, if there is a budget on this thread.
void count_node();
/// Throws NodeLimitError if a graph of so many nodes cannot have another one; see
/// Limits::every_graph.
void check_graph_size(std::size_t nodes);

}  // namespace dalembert
