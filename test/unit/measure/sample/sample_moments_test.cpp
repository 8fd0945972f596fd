#include "dalembert/measure/sample/sample_moments.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

std::vector<double> normal_numbers(std::size_t count, double mean) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal(mean, 1.0);
  std::vector<double> values(count);
  for (double& value : values) value = normal(engine);
  return values;
}

/// Of a range of blocks of the members.
MomentTree tree_of(const std::vector<double>& values, std::size_t first, std::size_t end) {
  MomentTree tree(first);
  const std::size_t begin = first * members_per_block;
  const std::size_t count = std::min(end * members_per_block, values.size()) - begin;
  tree.add_values(std::span(values).subspan(begin, count));
  return tree;
}

void check_same_bits(const SampleMoments& a, const SampleMoments& b) {
  CHECK(a.count == b.count);
  CHECK(a.mean == b.mean);
  CHECK(a.deviations == b.deviations);
  CHECK(a.min == b.min);
  CHECK(a.max == b.max);
}

}  // namespace

TEST_CASE("moments by a tree are those of a plain computation in long double") {
  const std::vector<double> values = normal_numbers(100003, 1e3);
  long double mean = 0.0L, deviations = 0.0L;
  for (const double value : values) mean += static_cast<long double>(value);
  mean /= static_cast<long double>(values.size());
  for (const double value : values) deviations += (value - mean) * (value - mean);
  const SampleMoments all = tree_of(values, 0, values.size()).total();
  CHECK(all.count == values.size());
  // A rounding of the mean on each of the log2(100003/16) + 1 < 14 levels.
  CHECK(std::fabs(all.mean - static_cast<double>(mean)) <= 14 * 1.2e-16 * 1e3);
  // Deviations from means that are wrong by up to d = 14 units of 1e3 eps: n d^2 is nothing, what
  // is left is the rounding of each x - mean, 1e-13 of which 1e5 average out.
  CHECK(all.deviations == doctest::Approx(static_cast<double>(deviations)).epsilon(1e-13));
  CHECK(all.min == *std::ranges::min_element(values));
  CHECK(all.max == *std::ranges::max_element(values));
}

TEST_CASE("moments do not depend on how members were divided into ranges of blocks") {
  std::mt19937_64 engine(11);
  for (const std::size_t count : {1U, 15U, 16U, 17U, 100U, 1000U, 16384U, 33333U}) {
    const std::vector<double> values = normal_numbers(count, 0.0);
    const std::size_t blocks = (count + members_per_block - 1) / members_per_block;
    const SampleMoments whole = tree_of(values, 0, blocks).total();
    for (int trial = 0; trial < 20; ++trial) {
      MomentTree merged;
      for (std::size_t first = 0; first < blocks;) {
        const std::size_t end =
            first + 1 + std::uniform_int_distribution<std::size_t>(0, blocks - first - 1)(engine);
        const MomentTree part = tree_of(values, first, end);
        const std::vector<MomentTree::Node> expected = MomentTree::nodes_of(first, end);
        REQUIRE(part.nodes().size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          CHECK(part.nodes()[i].first == expected[i].first);
          CHECK(part.nodes()[i].blocks == expected[i].blocks);
          merged.add(part.nodes()[i]);
        }
        first = end;
      }
      check_same_bits(merged.total(), whole);
    }
  }
}

TEST_CASE("a range of n blocks is kept as at most 2 log2 n nodes") {
  for (std::uint64_t first = 0; first < 40; ++first) {
    for (std::uint64_t end = first + 1; end < 200; ++end) {
      const double most = std::max(1.0, 2.0 * std::log2(static_cast<double>(end - first)));
      CHECK(static_cast<double>(MomentTree::nodes_of(first, end).size()) <= most);
    }
  }
}

TEST_CASE("values that are not finite are left out of moments, and an empty sample changes none") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values = normal_numbers(64, 1.0);
  for (std::size_t i = 16; i < 32; ++i) values[i] = nan;
  values[40] = std::numeric_limits<double>::infinity();
  const SampleMoments all = tree_of(values, 0, 4).total();
  CHECK(all.count == 47);
  CHECK(std::isfinite(all.mean));
  check_same_bits(together(all, moments_of({})), all);
  check_same_bits(together(moments_of({}), all), all);
  CHECK(moments_of(std::vector<double>(5, nan)).count == 0);
}

TEST_CASE("a tree takes blocks in their order only") {
  MomentTree tree(4);
  tree.add_block({});
  CHECK_THROWS_AS(tree.add({4, 1, {}}), RequestError);
  CHECK_THROWS_AS(tree.add({5, 2, {}}), RequestError);  // 2 does not divide 5
  CHECK_THROWS_AS(tree.add({5, 3, {}}), RequestError);
  tree.add({5, 1, {}});
  CHECK(tree.nodes().size() == 1);
}
