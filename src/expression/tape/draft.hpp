#pragma once
/// \file
/// A tape before slots are given. The passes that turn it into one: fusion, schedule, allocation.

#include <cstdint>
#include <utility>
#include <vector>

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// Lines on registers, each of which is written once (iterates: once by a line, then by the loop).
struct TapeDraft {
  using Register = std::uint32_t;

  struct Line {
    TapeOperation operation;
    Register target = 0, a = 0, b = 0, c = 0;           ///< of `table`, b and c are numbers
    std::vector<Register> operands = {}, results = {};  ///< on linear systems of size b only
  };
  /// A loop over the lines [begin, end).
  struct Loop {
    struct Group {
      std::vector<Register> iterate, correction, value;
      bool judged = true, is_unknown = true;
    };
    std::size_t begin = 0, end = 0;
    /// The lines of the matrix, which may be left out in a pass, if there are any.
    std::size_t matrix_begin = 0, matrix_end = 0;
    /// What runs again and again: the loop itself, or several that take turns.
    std::size_t repeat_begin = 0, repeat_end = 0;
    std::vector<Group> groups;
    std::vector<Register> residual;

    bool keeps_matrix() const { return matrix_end > matrix_begin; }

    /// Calls visit(register) for everything that is read when a pass has ended.
    template <class Visit>
    void visit_kept(Visit visit) const {
      for (const Group& group : groups) {
        for (const auto* part : {&group.iterate, &group.correction, &group.value}) {
          for (const Register kept : *part) visit(kept);
        }
      }
      for (const Register kept : residual) visit(kept);
    }
  };
  /// A stage iteration before line `at`, and its fallback up to line `fallback_end`.
  struct Stages {
    std::size_t at = 0, fallback_end = 0;
    std::shared_ptr<const Tape> rates;
    std::vector<TapeStages::Part> parts;
    std::vector<TapeStages::Block> blocks;
    std::vector<std::uint32_t> components;
    std::shared_ptr<const Tape> function;
    std::vector<TapeStages::Part> function_parts;
    std::vector<std::uint32_t> functions;
    std::size_t mean_count = 0, end_count = 0;
    std::vector<Register> shared, before, nodes, weights, results, fallback;
    std::vector<Register> function_shared, path, mean_weights, end_weights;
    Register start_time = 0, step = 0;

    /// Calls visit(register) for everything that it reads or writes.
    template <class Visit>
    void visit_kept(Visit visit) const {
      for (const auto* part : {&shared, &before, &nodes, &weights, &results, &fallback,
                               &function_shared, &path, &mean_weights, &end_weights}) {
        for (const Register kept : *part) visit(kept);
      }
      visit(start_time);
      visit(step);
    }
  };
  /// Lines [begin, end) between which order is free but for what they read: straight code or the
  /// body of a loop; or the place of a stage iteration.
  struct Section {
    std::size_t begin, end;
    int loop = -1, stages = -1;
    bool is_fallback = false;
  };

  std::vector<Line> setup, lines;
  std::vector<Loop> loops;
  std::vector<Stages> stages;
  std::vector<bool> pinned;  ///< of each register: keeps its slot to the end
  std::vector<std::pair<Register, Constant>> constants;
  std::vector<Register> inputs, outputs, further_outputs;
  std::size_t further_begin = 0;  ///< from this line on only the further outputs need them
  std::vector<TablePointer> tables;

  std::size_t register_count() const { return pinned.size(); }
  /// The last one is that of the further outputs.
  std::vector<Section> sections() const;
  /// The same, with those of a loop that keeps its matrix in three: before, the matrix, after.
  struct Stretch {
    Section section;
    int part = 0;  ///< 0, 1, 2
  };
  std::vector<Stretch> stretches() const;
};

bool is_binary(TapeOperation operation);
bool is_ternary(TapeOperation operation);

/// Calls visit(register) for each register that a line reads.
template <class Visit>
void visit_uses(const TapeDraft::Line& line, Visit visit) {
  if (is_on_system(line.operation)) {
    for (const TapeDraft::Register use : line.operands) visit(use);
    return;
  }
  visit(line.a);
  if (is_binary(line.operation)) visit(line.b);
  if (is_ternary(line.operation)) visit(line.c);
}
/// Calls visit(register) for each register that a line writes, `target` first.
template <class Visit>
void visit_targets(const TapeDraft::Line& line, Visit visit) {
  if (is_on_system(line.operation)) {
    for (const TapeDraft::Register target : line.results) visit(target);
    return;
  }
  visit(line.target);
  if (line.operation == TapeOperation::sine_cosine) visit(line.c);
}

}  // namespace dalembert
