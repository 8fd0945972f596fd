#pragma once
/// \file
/// Instructions as an interpreter reads them: plain data and pointers, nothing of the standard
/// library that could be compiled into a kernel.

#include <cstddef>
#include <cstdint>

#include "dalembert/expression/elementary_functions.hpp"
#include "dalembert/numeric/table_lookup.hpp"

namespace dalembert {

/// Operation of one instruction of a tape. Fused multiply-and-add forms round twice, like the two
/// operations they stand for.
enum class TapeOperation : std::uint32_t {
  copy,                   ///< target = a
  negate,                 ///< target = -a
  add,                    ///< target = a + b
  subtract,               ///< target = a - b
  multiply,               ///< target = a * b
  divide,                 ///< target = a / b
  multiply_add,           ///< target = c + a * b
  multiply_subtract,      ///< target = a * b - c
  negative_multiply_add,  ///< target = c - a * b
  sine_cosine,            ///< target = sin a, c = cos a
  power,
  atan2,
  where_nonnegative,  ///< target = b where a >= 0, 0 where a < 0, else a, which is nan
  where_negative,     ///< target = b where a < 0, 0 where a >= 0, else a, which is nan
#define DALEMBERT_ROW(name, ...) name,
  DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
      sinc,    ///< target = f_c(a)
  sinhc,       ///< target = g_c(a)
  sinc_root,   ///< target = F_{c - 1}(a)
  table,       ///< target = the derivative of order c of the table number b at a
  solve,       ///< linear system: `a` is the offset in the solve pool of n*n + n operand slots and
               ///< n result slots, `b` is n
  factor,      ///< matrix of a system, factorized: n*n operand slots, n*n + n result slots
  substitute,  ///< solution with a factorized matrix: n*n + 2 n operand slots, n result slots
};

/// Numbers of operands and results that an operation on a linear system has in the solve pool.
struct SolveShape {
  std::uint32_t operands = 0, results = 0;  ///< numbers of slots; the operands stand first
};
/// Shape of an operation on a linear system of n unknowns; zeros for other operations.
constexpr SolveShape solve_shape(TapeOperation operation, std::uint32_t n) {
  switch (operation) {
    case TapeOperation::solve:
      return {n * n + n, n};
    case TapeOperation::factor:
      return {n * n, n * n + n};
    case TapeOperation::substitute:
      return {n * n + 2 * n, n};
    default:
      return {};
  }
}
/// True for the operations on linear systems: `solve`, `factor` and `substitute`.
constexpr bool is_on_system(TapeOperation operation) {
  return solve_shape(operation, 1).operands > 0;
}

/// One instruction on numbered slots.
struct Instruction {
  TapeOperation operation;                        ///< kind of the instruction
  std::uint32_t target = 0, a = 0, b = 0, c = 0;  ///< slots or numbers, see `TapeOperation`
};

/// Unknowns of one loop whose size is judged together: entries [begin, end) of the tape's
/// `iterates`.
struct TapeLoopGroup {
  std::uint32_t begin = 0, end = 0;  ///< range in the tape's `iterates`
  bool judged = true;                ///< true if convergence is judged on this group
};

/// One iterate of a loop: the slots of the iterate, of the correction that is subtracted from it,
/// and of the unknown itself.
struct TapeIterate {
  std::uint32_t iterate = 0, correction = 0, value = 0;  ///< slots, as above
};

/// One iteration loop of a tape: its body computes corrections for the iterates from their present
/// values.
struct TapeLoop {
  std::uint32_t group_begin = 0, group_end = 0;        ///< range in the tape's `loop_groups`
  std::uint32_t unknown_begin = 0, unknown_end = 0;    ///< range of unknowns in `iterates`
  std::uint32_t residual_begin = 0, residual_end = 0;  ///< range in the tape's `residuals`
  /// The instructions of its body that compute the matrix from which corrections follow, which may
  /// stay for some passes; none where it is computed along the way.
  std::size_t matrix_begin = 0, matrix_end = 0;
  /// False for a secant method, which remembers a matrix in further groups: its corrections do not
  /// shrink quadratically.
  bool is_quadratic = true;

  /// True if the matrix has instructions of its own and may stay for some passes.
  bool keeps_matrix() const { return matrix_end > matrix_begin; }
};

/// A stretch of instructions: straight code, or the body of a loop; or the place of a stage
/// iteration, without instructions.
struct TapeSection {
  std::size_t begin = 0, end = 0;  ///< range of instructions
  int loop = -1;                   ///< index of the loop, or -1
  int stages = -1;                 ///< index of the stage iteration, or -1
  bool is_fallback = false;  ///< only needed where the sweeps of the stages before do not converge
};

/// The instructions of a tape as plain pointers.
struct TapeView {
  const Instruction* code;           ///< instructions of the tape
  const std::uint32_t* solve_pool;   ///< slots of linear systems
  const numeric::TableView* tables;  ///< tables by number
};

}  // namespace dalembert
