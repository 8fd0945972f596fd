#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dalembert/expression/graph.hpp"

namespace dalembert {

/// Nodes of a graph, to be taken out from the last to the first: bits, with a bit above for each
/// word of them that is not zero. Operands come before their users, so that a walk over everything
/// below some nodes sees each node after all its users, and in an order that needs no sorting.
class NodeSet {
 public:
  /// An empty set of nodes of a graph of this size.
  explicit NodeSet(std::size_t graph_size)
      : words_(graph_size / width + 1, 0), above_(words_.size() / width + 1, 0) {}

  /// Adds a node, unless it is there.
  void insert(NodeId id) {
    words_[id / width] |= bit(id);
    above_[id / width / width] |= bit(id / width);
  }

  /// Takes out all nodes from the last to the first. visit(id) may insert nodes before id.
  template <class Visit>
  void drain(Visit visit) {
    for (std::size_t k = above_.size(); k-- > 0;) {
      while (above_[k] != 0) {
        const std::size_t word = k * width + last_bit(above_[k]);
        while (words_[word] != 0) {
          const std::size_t id = word * width + last_bit(words_[word]);
          words_[word] ^= bit(id);
          visit(static_cast<NodeId>(id));
        }
        above_[k] ^= bit(word);
      }
    }
  }

 private:
  static constexpr std::size_t width = 64;
  static std::uint64_t bit(std::size_t index) { return std::uint64_t{1} << (index % width); }
  static std::size_t last_bit(std::uint64_t word) {
    return static_cast<std::size_t>(std::bit_width(word)) - 1;
  }

  std::vector<std::uint64_t> words_, above_;
};

}  // namespace dalembert
