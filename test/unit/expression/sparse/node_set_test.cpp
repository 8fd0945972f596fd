#include "dalembert/expression/sparse/node_set.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace dalembert;

TEST_CASE("A set of nodes is drained from the last to the first, with what is put in meanwhile") {
  constexpr NodeId size = 10000;
  std::mt19937_64 engine(5);
  NodeSet nodes(size);
  for (int round = 0; round < 3; ++round) {  // the first one leaves nothing behind
    std::set<NodeId> known{0, size - 1};
    for (int i = 0; i < 100; ++i) known.insert(static_cast<NodeId>(engine() % size));
    for (const NodeId id : known) nodes.insert(id);
    std::vector<NodeId> found;
    nodes.drain([&](NodeId id) {
      found.push_back(id);
      for (const NodeId before : {id / 2, id - 1}) {
        if (id < size / 2 || before >= id) continue;
        nodes.insert(before);
        known.insert(before);
      }
    });
    CHECK(found == std::vector<NodeId>(known.rbegin(), known.rend()));
  }
}
