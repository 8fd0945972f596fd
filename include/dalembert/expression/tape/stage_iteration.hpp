#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dalembert/expression/tape/instruction.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

struct Tape;

/// Weighted means of functions along a step, of which the rates of stages may be functions, too:
/// m_i = sum_k w_ik g(x + h sum_j b_kj k_j), with r nodes beside the s stages.
struct StageMeans {
  Vector function;                             ///< g in the symbols of the state, of any length
  Vector means;                                ///< symbols of one stage's m, as many
  std::vector<std::vector<Constant>> path;     ///< b, r of s
  std::vector<std::vector<Constant>> weights;  ///< w, s of r
};

/// The stages of a collocation method for x' = f(x, t), as a fixed point that is solved by sweeps:
/// k_i = f(x + h sum_j a_ij k_j, t + c_i h) for all stages i at once. With n components and s
/// stages.
struct StageIteration {
  Vector state;                                ///< symbols of x, n, positions first
  std::size_t positions = 0;                   ///< how many of them are positions
  Expr time = 0.0;                             ///< symbol of t
  Vector rate;                                 ///< f in these symbols and whatever is known, n
  Vector before;                               ///< x at the start of the step, n
  Expr start_time = 0.0, step = 0.0;           ///< t there, and h
  std::vector<Constant> nodes;                 ///< c, s
  std::vector<std::vector<Constant>> weights;  ///< a, s of s
  std::vector<Vector> rates;                   ///< symbols that stand for the k_i: s of n
  StageMeans means = {};                       ///< which f may use; none
};

/// The first sweeps, which begin with all stages at the start of the step, show how large the rates
/// are, and say nothing about how fast the changes shrink.
inline constexpr int sweeps_measured = 2, sweeps_free = 5;

/// Limits of the sweeps of a block: where they are given up.
struct SweepPatience {
  int most = 0;          ///< sweeps
  int window = 1;        ///< sweeps over which it is judged how fast the changes shrink
  double slowest = 0.0;  ///< what a window is to shrink the largest change to

  /// True for the last sweep of a window, and for that of one that has another before it.
  constexpr bool ends(int sweep) const {
    return sweep >= sweeps_free && (sweep - sweeps_free + 1) % window == 0;
  }
  constexpr bool judges(int sweep) const { return ends(sweep) && sweep - sweeps_free >= window; }
};

/// Components of x whose rates depend on one another. The parts are swept one after the other, each
/// with what the ones before it have just found.
struct StageBlock {
  std::vector<std::vector<std::size_t>> parts;
  bool iterates = true;  ///< the rates depend on the components; else one sweep is enough
  SweepPatience patience = {};
};

/// A stage iteration in slots, where "outer" slots are those of the tape that holds it and "inner"
/// ones those of `rates`, which a sweep has once for each stage.
struct TapeStages {
  /// Section 2k + 1 computes the rates of part k, section 2k what they need that stays the same in
  /// all sweeps of a block.
  std::shared_ptr<const Tape> rates;
  struct Part {
    std::uint32_t begin, end;  ///< in `components`
  };
  struct Block {
    std::uint32_t part_begin, part_end;
    bool iterates;
    SweepPatience patience;
  };
  std::vector<Part> parts;
  std::vector<Block> blocks;
  std::vector<std::uint32_t> components;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared = {};  ///< outer to inner
  std::vector<std::uint32_t> before;                                 ///< outer, n
  std::vector<std::uint32_t> state = {}, rate = {};                  ///< inner, n
  std::uint32_t start_time = 0, step = 0;                            ///< outer
  std::uint32_t time = 0;                                            ///< inner
  std::vector<std::uint32_t> nodes, weights;                         ///< outer, s and s * s by rows
  std::vector<std::uint32_t> results;   ///< outer, s * n by stages: the rates
  std::vector<std::uint32_t> fallback;  ///< outer, likewise: what the fallback finds; none without
  /// What has means, with sections as `rates`; none without.
  std::shared_ptr<const Tape> function = {};
  std::vector<Part> function_parts = {};      ///< in `functions`, of each part
  std::vector<std::uint32_t> functions = {};  ///< indices of means
  std::vector<std::pair<std::uint32_t, std::uint32_t>> function_shared = {};  ///< outer to inner
  std::vector<std::uint32_t> function_state = {},
                             function_value = {};           ///< inner of function; as `functions`
  std::vector<std::uint32_t> mean = {};                     ///< inner of rates
  std::vector<std::uint32_t> path = {}, mean_weights = {};  ///< outer, r * s and s * r by rows
  /// The sections after it, up to this one, find the rates by other means where sweeps do not.
  std::size_t fallback_end = 0;
};

/// The same as plain pointers.
struct StageView {
  TapeView tape;
  const TapeSection* sections;
  std::size_t slot_count, largest_solve;
  std::uint32_t stages, size, part_count, block_count, shared_count;
  const TapeStages::Part* parts;
  const TapeStages::Block* blocks;
  const std::uint32_t* components;
  const std::pair<std::uint32_t, std::uint32_t>* shared;
  const std::uint32_t *before, *state, *rate, *nodes, *weights, *results, *fallback;
  std::uint32_t start_time, step, time;
  std::size_t fallback_end;
  bool has_fallback;
  // Of the function that has means.
  TapeView function;
  const TapeSection* function_sections;
  std::size_t function_slots;
  std::uint32_t nodes_beside, means, function_shared_count;
  const TapeStages::Part* function_parts;
  const std::uint32_t* functions;
  const std::pair<std::uint32_t, std::uint32_t>* function_shared;
  const std::uint32_t *function_state, *function_value, *mean, *path, *mean_weights;
};

/// Valid as long as `stages` lives and is not changed.
StageView view_of(const TapeStages& stages);

}  // namespace dalembert
