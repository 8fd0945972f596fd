#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dalembert/expression/graph.hpp"

namespace dalembert {

/// Values of some nodes of a graph. As std::unordered_map, in a quarter of the time: entries lie
/// one after the other in the order in which they were made, and none is taken out. A new entry
/// makes references and iterators invalid.
template <class Value>
class NodeMap {
 public:
  using Entry = std::pair<NodeId, Value>;

  bool empty() const { return entries_.empty(); }               ///< true without entries
  auto begin() const { return entries_.begin(); }               ///< first entry that was made
  auto end() const { return entries_.end(); }                   ///< past the last one
  bool contains(NodeId id) const { return find(id) != end(); }  ///< true if the node has a value

  /// The entry of a node; end() if there is none.
  auto find(NodeId id) const {
    const std::uint32_t place = places_.empty() ? 0 : places_[place_of(id)];
    return place == 0 ? end() : begin() + (place - 1);
  }
  /// The value of a node; std::out_of_range if it has none.
  const Value& at(NodeId id) const {
    const auto found = find(id);
    if (found == end()) throw std::out_of_range("a node has no value");
    return found->second;
  }
  /// The value of a node, made if there is none.
  Value& operator[](NodeId id) { return entry(id).second; }
  /// Gives a node a value if it has none.
  void emplace(NodeId id, Value value) {
    const std::size_t before = entries_.size();
    Entry& made = entry(id);
    if (entries_.size() > before) made.second = std::move(value);
  }

 private:
  /// Index of the place of a node, or of a free one for it.
  std::size_t place_of(NodeId id) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t i = static_cast<std::size_t>((id * 0x9e3779b97f4a7c15ULL) >> 20U) & mask;
    while (places_[i] != 0 && entries_[places_[i] - 1].first != id) i = (i + 1) & mask;
    return i;
  }

  Entry& entry(NodeId id) {
    if (2 * (entries_.size() + 1) > places_.size()) grow();
    std::uint32_t& place = places_[place_of(id)];
    if (place == 0) {
      entries_.emplace_back(id, Value());
      place = static_cast<std::uint32_t>(entries_.size());
    }
    return entries_[place - 1];
  }

  void grow() {
    constexpr std::size_t first_size = 16;
    places_.assign(places_.empty() ? first_size : 2 * places_.size(), 0);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      places_[place_of(entries_[i].first)] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> places_;  // 1 + the index of an entry, or 0; half of them at least
};

}  // namespace dalembert
