// The block lower triangular form, on systems whose blocks are known and on random ones.

#include "dalembert/step/detail/block_form.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace dalembert;

namespace {

using Table = std::vector<std::vector<bool>>;
using Numbers = std::vector<std::size_t>;

Table table(const std::vector<Numbers>& rows) {
  Table result(rows.size(), std::vector<bool>(rows.size(), false));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    for (const std::size_t u : rows[e]) result[e][u] = true;
  }
  return result;
}

Table nothing(std::size_t size) { return Table(size, std::vector<bool>(size, false)); }

std::vector<EquationBlock> blocks_of(const Table& incidence, const Table& preferred) {
  std::vector<EquationBlock> blocks;
  Numbers unmatched;
  REQUIRE(block_lower_triangular(incidence, preferred, blocks, unmatched));
  CHECK(unmatched.empty());
  return blocks;
}

/// Every block uses unknowns of its own and of earlier blocks only; all are solved, once.
void check_triangular(const Table& incidence, const std::vector<EquationBlock>& blocks) {
  std::vector<bool> known(incidence.size(), false), used(incidence.size(), false);
  for (const EquationBlock& block : blocks) {
    REQUIRE(block.equations.size() == block.unknowns.size());
    for (const std::size_t u : block.unknowns) {
      CHECK(!known[u]);
      known[u] = true;
    }
    for (const std::size_t e : block.equations) {
      CHECK(!used[e]);
      used[e] = true;
      for (std::size_t u = 0; u < known.size(); ++u) CHECK((!incidence[e][u] || known[u]));
    }
  }
  CHECK(std::count(known.begin(), known.end(), true) == std::ssize(known));
}

}  // namespace

TEST_CASE("A chain is solved from its known end, one unknown at a time") {
  // x2 = c, x0 = f(x2), x1 = f(x0), in another order.
  const Table chain = table({{0, 1}, {2}, {0, 2}});
  const auto blocks = blocks_of(chain, nothing(3));
  REQUIRE(blocks.size() == 3);
  check_triangular(chain, blocks);
  CHECK(blocks[0].equations == Numbers{1});
  CHECK(blocks[2].unknowns == Numbers{1});
}

TEST_CASE("What depends on each other is one block, between what it needs and what needs it") {
  // Unknown 3 first, then the ring of 0, 1 and 2, then 4.
  const Table ring = table({{0, 1, 3}, {1, 2}, {2, 0}, {3}, {4, 2}});
  const auto blocks = blocks_of(ring, nothing(5));
  REQUIRE(blocks.size() == 3);
  check_triangular(ring, blocks);
  CHECK(blocks[1].equations == Numbers{0, 1, 2});
  CHECK(blocks[1].unknowns == Numbers{0, 1, 2});
}

TEST_CASE("Preferred pairs are matched where they can be") {
  // Both equations contain both unknowns; with a choice of pairs the block is the same, but a
  // triangle whose diagonal would be empty is not formed.
  const Table full = table({{0, 1}, {0, 1}});
  CHECK(blocks_of(full, table({{1}, {0}})).size() == 1);
  // Equation 0 prefers unknown 1, which equation 1 needs: all are matched nevertheless.
  const Table tight = table({{0, 1}, {1}});
  check_triangular(tight, blocks_of(tight, table({{1}, {}})));
}

TEST_CASE("A structurally singular system names an equation without an unknown") {
  std::vector<EquationBlock> blocks;
  Numbers unmatched;
  CHECK(!block_lower_triangular(table({{0}, {0}, {1, 2}}), nothing(3), blocks, unmatched));
  CHECK(unmatched == Numbers{1});
}

TEST_CASE("Random solvable systems come out triangular, and their blocks cannot be divided") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t size = 1 + random() % 12;
    Numbers partner(size);
    for (std::size_t i = 0; i < size; ++i) partner[i] = i;
    std::shuffle(partner.begin(), partner.end(), random);
    Table incidence = nothing(size);
    for (std::size_t e = 0; e < size; ++e) {
      incidence[e][partner[e]] = true;
      for (std::size_t u = 0; u < size; ++u) {
        if (random() % 8 == 0) incidence[e][u] = true;
      }
    }
    const auto blocks = blocks_of(incidence, nothing(size));
    check_triangular(incidence, blocks);
    // Strongly connected: a block solved alone is one block.
    for (const EquationBlock& block : blocks) {
      Table inner;
      for (const std::size_t e : block.equations) {
        inner.emplace_back();
        for (const std::size_t u : block.unknowns) inner.back().push_back(incidence[e][u]);
      }
      CHECK(blocks_of(inner, nothing(inner.size())).size() == 1);
    }
  }
}
