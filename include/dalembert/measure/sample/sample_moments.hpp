#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

/// Moments of a sample: mean, variance and extremes follow from them, and, with those of another
/// sample, of both together.
struct SampleMoments {
  std::size_t count = 0;        ///< finite values; the others are left out
  double mean = 0.0;            ///< of these values; 0 if there are none
  double deviations = 0.0;      ///< sum of (x - mean)^2
  double min = 0.0, max = 0.0;  ///< extremes; 0 if there are no values
};

/// Moments of the finite values of a sample. The mean is taken first, the deviations from it.
SampleMoments moments_of(std::span<const double> values);

/// Moments of two samples together; an empty one changes no bit of the other.
/// Source: [ChanGolubLeVeque1983], Eq. (2.1), in terms of means.
SampleMoments together(const SampleMoments& a, const SampleMoments& b);

/// Members of an ensemble whose moments are taken at once: the size of a leaf of a MomentTree. The
/// limits of parts of an ensemble are multiples of it.
inline constexpr std::size_t members_per_block = 16;

/// The moments of members in the order of their numbers, such that the result for all of them has
/// the same bits however they were divided into ranges of blocks.
///
/// Blocks are the leaves of a binary tree that is given by their numbers: node k of a level holds
/// nodes 2 k and 2 k + 1 of the level below. A range of n blocks is kept as the at most 2 log2 n
/// largest nodes that lie in it, and adjacent ranges are put together by pairs of these. Along the
/// way from a leaf to the root a mean is rounded once on each level, so that its error is at most
/// log2(n) + 2 units in the last place of the largest |x|.
class MomentTree {
 public:
  /// A node that is complete: blocks [first, first + blocks), a power of two that divides first.
  struct Node {
    std::uint64_t first = 0, blocks = 1;  ///< the first block, and their number
    SampleMoments moments = {};           ///< of the members of these blocks
  };

  /// Holds nothing; the first block that will be added has this number.
  explicit MomentTree(std::uint64_t first_block = 0) : next_(first_block) {}

  /// The next block.
  void add_block(const SampleMoments& moments) { add({next_, 1, moments}); }
  /// A node whose first block is the next one. RequestError for any other.
  void add(const Node& node);
  /// The values of the next members from the begin of a block on; the last block may be short.
  void add_values(std::span<const double> values);

  /// Those of `nodes_of` the range that was added.
  const std::vector<Node>& nodes() const { return nodes_; }
  /// The moments of all that was added.
  SampleMoments total() const;

  /// The nodes that the blocks [first, end) are kept as, without moments.
  static std::vector<Node> nodes_of(std::uint64_t first, std::uint64_t end);

 private:
  std::uint64_t next_;
  std::vector<Node> nodes_;
};

}  // namespace dalembert
