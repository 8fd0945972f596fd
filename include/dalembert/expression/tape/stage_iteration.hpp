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
  Vector function;                          ///< functions g in the symbols of the state, any number
  Vector means;                             ///< symbols of one stage's m, as many
  std::vector<std::vector<Constant>> path;  ///< coefficients b, r x s
  std::vector<std::vector<Constant>> weights;  ///< coefficients w, s x r
};

/// The stages of a collocation method for x' = f(x, t), as a fixed point that is solved by sweeps:
/// k_i = f(x + h sum_j a_ij k_j, t + c_i h) for all stages i at once. With n components and s
/// stages.
struct StageIteration {
  Vector state;                       ///< symbols of x, n, positions first
  std::size_t positions = 0;          ///< number of positions among them
  Expr time = 0.0;                    ///< symbol of t
  Vector rate;                        ///< rates f in these symbols and whatever is known, n
  Vector before;                      ///< state x at the start of the step, n
  Expr start_time = 0.0, step = 0.0;  ///< time t there, and step size h
  std::vector<Constant> nodes;        ///< coefficients c, s
  std::vector<std::vector<Constant>> weights;  ///< coefficients a, s x s
  std::vector<Vector> rates;                   ///< symbols that stand for the k_i, s x n
  StageMeans means = {};                       ///< means that f may use; none by default
  /// Weights b with which the rates move the state: it ends at x + h sum_j b_j k_j. One for each of
  /// the s stages; they may be left out where there is no `end`.
  std::vector<Constant> end_weights = {};
  /// Symbols of the positions at the end, which f and the functions g may use, too; or none.
  Vector end = {};
};

/// Numbers of first sweeps: of those that show the size of the rates, and of those that say nothing
/// about the speed at which the changes shrink. Sweeps begin with all stages at the start of the
/// step.
inline constexpr int sweeps_measured = 2, sweeps_free = 5;

/// Limits beyond which the sweeps of a block are given up.
struct SweepPatience {
  int most = 0;          ///< largest number of sweeps
  int window = 1;        ///< sweeps over which the shrinking of the changes is judged
  double slowest = 0.0;  ///< largest ratio of the largest changes of a window and the one before

  /// True for the last sweep of a window; sweeps count from 0.
  constexpr bool ends(int sweep) const {
    return sweep >= sweeps_free && (sweep - sweeps_free + 1) % window == 0;
  }
  /// True for the last sweep of a window that has another before it.
  constexpr bool judges(int sweep) const { return ends(sweep) && sweep - sweeps_free >= window; }
};

/// Components of x whose rates depend on one another. The parts are swept one after the other, each
/// with what the ones before it have just found.
struct StageBlock {
  std::vector<std::vector<std::size_t>> parts;  ///< indices of the components of each part
  bool iterates = true;         ///< true if the rates depend on the components; else one sweep does
  SweepPatience patience = {};  ///< limits of the sweeps
};

/// A stage iteration in slots, where "outer" slots are those of the tape that holds it and "inner"
/// ones those of `rates`, which a sweep has once for each stage.
struct TapeStages {
  /// Section 2k + 1 computes the rates of part k, section 2k what they need that stays the same in
  /// all sweeps of a block.
  std::shared_ptr<const Tape> rates;
  /// Part of a block, or the functions that its means need.
  struct Part {
    std::uint32_t begin, end;  ///< range in `components` or `functions`
  };
  /// Parts that are swept together; see StageBlock.
  struct Block {
    std::uint32_t part_begin, part_end;  ///< range in `parts`
    bool iterates;                       ///< flag as in StageBlock
    SweepPatience patience;              ///< limits of the sweeps
  };
  std::vector<Part> parts;                ///< parts of all blocks, in their order
  std::vector<Block> blocks;              ///< blocks in the order of the sweeps
  std::vector<std::uint32_t> components;  ///< indices in x of all parts, n
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared = {};  ///< slots, outer to inner
  std::vector<std::uint32_t> before;                                 ///< outer slots of x, n
  std::vector<std::uint32_t> state = {}, rate = {};  ///< inner slots of x and its rates, n
  std::uint32_t start_time = 0, step = 0;            ///< outer slots of t and h
  std::uint32_t time = 0;                            ///< inner slot of t
  std::vector<std::uint32_t> nodes, weights;         ///< outer slots, s and s * s by rows
  std::vector<std::uint32_t> results;                ///< outer slots of the rates, s * n by stages
  std::vector<std::uint32_t> fallback;  ///< outer slots of the fallback's rates; none without it
  /// Tape of the functions that have means, with sections as `rates`; null without means.
  std::shared_ptr<const Tape> function = {};
  std::vector<Part> function_parts = {};      ///< ranges in `functions`
  std::vector<std::uint32_t> functions = {};  ///< indices of means, in the order of the parts
  std::vector<std::pair<std::uint32_t, std::uint32_t>> function_shared = {};  ///< slots, likewise
  /// Inner slots of `function`: x, and the values in the order of `functions`.
  std::vector<std::uint32_t> function_state = {}, function_value = {};
  std::vector<std::uint32_t> mean = {};  ///< inner slots in `rates`
  /// Inner slots of the positions at the end in `rates` and, where there are means, in `function`;
  /// none where they are not used. Outer slots of the weights b, s.
  std::vector<std::uint32_t> end = {}, function_end = {}, end_weights = {};
  /// Outer slots of the coefficients of means, r * s and s * r by rows.
  std::vector<std::uint32_t> path = {}, mean_weights = {};
  /// Index of the first section after the fallback, or after the stage iteration if it has none.
  /// The fallback finds the rates where sweeps do not.
  std::size_t fallback_end = 0;
};

/// TapeStages as plain pointers, with members of the same meaning.
struct StageView {
  TapeView tape;                          ///< code of `rates`
  const TapeSection* sections;            ///< sections of `rates`
  std::size_t slot_count, largest_solve;  ///< slots of `rates`; unknowns of the largest system
  std::uint32_t stages, size, part_count, block_count, shared_count;  ///< s, n, list lengths
  const TapeStages::Part* parts;                          ///< parts, `part_count` of them
  const TapeStages::Block* blocks;                        ///< blocks, `block_count` of them
  const std::uint32_t* components;                        ///< indices in x of all parts, n
  const std::pair<std::uint32_t, std::uint32_t>* shared;  ///< slots, outer to inner
  const std::uint32_t *before, *state, *rate, *nodes, *weights, *results, *fallback;  ///< slots
  std::uint32_t start_time, step, time;                                               ///< slots
  std::size_t fallback_end;  ///< first section after the fallback
  bool has_fallback;         ///< true if `fallback` has entries
  // Of the function that has means.
  TapeView function;                     ///< code of its tape; empty without means
  const TapeSection* function_sections;  ///< sections of its tape
  std::size_t function_slots;            ///< slots of its tape
  std::uint32_t nodes_beside, means, function_shared_count;  ///< r, list lengths
  const TapeStages::Part* function_parts;                    ///< ranges in `functions`
  const std::uint32_t* functions;  ///< indices of means, in the order of the parts
  const std::pair<std::uint32_t, std::uint32_t>* function_shared;  ///< slots, outer to inner
  const std::uint32_t *function_state, *function_value, *mean, *path, *mean_weights;  ///< slots
  std::uint32_t ends;                                     ///< length of `end`
  const std::uint32_t *end, *function_end, *end_weights;  ///< slots
};

/// Plain pointers to `stages`, valid as long as it lives and is not changed.
StageView view_of(const TapeStages& stages);

}  // namespace dalembert
