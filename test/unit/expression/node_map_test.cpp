#include "dalembert/expression/node_map.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <stdexcept>
#include <vector>

using namespace dalembert;

TEST_CASE("A map by nodes has what was put in, in that order") {
  std::mt19937_64 engine(11);
  std::map<NodeId, int> known;
  std::vector<NodeId> order;
  NodeMap<int> map;
  CHECK(map.empty());
  CHECK_FALSE(map.contains(0));
  for (int i = 0; i < 5000; ++i) {
    // Neighbours, and numbers far apart, as nodes of an overlay are.
    const auto id = static_cast<NodeId>(engine() % 3000 * (engine() % 2 == 0 ? 1 : 1U << 20U));
    if (!known.contains(id)) order.push_back(id);
    if (i % 3 == 0) {
      known[id] = map[id] = i;
    } else {
      known.emplace(id, i);
      map.emplace(id, i);
    }
  }
  std::size_t count = 0;
  for (const auto& [id, value] : map) {
    CHECK(id == order[count++]);
    CHECK(known.at(id) == value);
    CHECK(map.at(id) == value);
    CHECK(map.find(id)->second == value);
  }
  CHECK(count == known.size());
  CHECK(map.find(4000) == map.end());
  CHECK_THROWS_AS(static_cast<void>(map.at(4000)), std::out_of_range);
}
