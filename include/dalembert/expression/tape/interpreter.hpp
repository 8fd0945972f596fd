#pragma once

#include <type_traits>

#include "dalembert/expression/tape/instruction.hpp"
#include "dalembert/numeric/choices.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/lanes.hpp"
#include "dalembert/numeric/sinc.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {

/// `run_tape` on one double as the library was compiled, whatever the options of the file that
/// calls.
void run_tape_in_library(TapeView tape, std::size_t begin, std::size_t end, double* slots,
                         double* workspace);

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// Solves the linear system of one `solve` instruction in `workspace` (at least n*n + 2 n numbers).
/// Apart from the interpreter, of which it would cost the other instructions registers.
template <class Number, int Groups>
[[gnu::noinline]] void run_solve(const Instruction& line, const std::uint32_t* pool, Number* slots,
                                 Number* workspace) {
  const std::uint32_t n = line.b;
  Number* right_side = workspace + std::size_t{n} * n;
  for (int g = 0; g < Groups; ++g) {
    for (std::uint32_t i = 0; i < n * n + n; ++i)
      workspace[i] = slots[std::size_t{pool[i]} * Groups + g];
    // What a singular matrix gives, infinities or nan, the step detects in its results.
    numeric::solve_linear_system(static_cast<int>(n), workspace, right_side + n, right_side);
    const std::uint32_t* results = pool + n * n + n;
    for (std::uint32_t i = 0; i < n; ++i)
      slots[std::size_t{results[i]} * Groups + g] = right_side[i];
  }
}

/// Runs one `factor` or `substitute` instruction in `workspace`, as large, as much apart.
template <class Number, int Groups>
[[gnu::noinline]] void run_on_factors(const Instruction& line, const std::uint32_t* pool,
                                      Number* slots, Number* workspace) {
  const auto n = static_cast<int>(line.b);
  const SolveShape shape = solve_shape(line.operation, line.b);
  const std::uint32_t* results = pool + shape.operands;
  Number* const pivots = workspace + std::size_t{line.b} * line.b;
  Number* const right_side = pivots + n;
  for (int g = 0; g < Groups; ++g) {
    for (std::uint32_t i = 0; i < shape.operands; ++i)
      workspace[i] = slots[std::size_t{pool[i]} * Groups + g];
    const Number* found = workspace;
    if (line.operation == TapeOperation::factor) {
      numeric::factor_linear_system(n, workspace, pivots);
    } else {
      numeric::lu_solve_columns(n, workspace, pivots, right_side, 1);
      found = right_side;
    }
    for (std::uint32_t i = 0; i < shape.results; ++i)
      slots[std::size_t{results[i]} * Groups + g] = found[i];
  }
}

/// Runs instructions [begin, end) on `slots`, where slot i of group g is slots[i * Groups + g].
/// `Number` is double, long double, lanes, or any number type whose functions are found by
/// argument-dependent lookup. No allocation, no exception; what is undefined becomes nan or
/// infinity.
template <class Number, int Groups = 1>
void run_tape(TapeView tape, std::size_t begin, std::size_t end, Number* slots, Number* workspace) {
#ifdef DALEMBERT_IS_USER
  if constexpr (std::is_same_v<Number, double> && Groups == 1)
    return run_tape_in_library(tape, begin, end, slots, workspace);
#endif
  // Using-declarations, because they hide the C library's functions of double. Other number types
  // bring their own by argument-dependent lookup.
  using numeric::sin, numeric::cos, numeric::tan, numeric::asin, numeric::acos, numeric::atan,
      numeric::atan2, numeric::sinh, numeric::cosh, numeric::tanh, numeric::exp, numeric::log,
      numeric::pow, numeric::sqrt, numeric::abs, numeric::floor, numeric::sincos, numeric::select,
      numeric::sinc_of_order, numeric::sinhc_of_order, numeric::sinc_root_of_order,
      numeric::table_value;
  const Instruction* line = tape.code + begin;
  const Instruction* const last = tape.code + end;
  const auto at = [slots](std::uint32_t slot) __attribute__((always_inline)) {
    return slots + std::size_t{slot} * Groups;
  };
  // Each of these runs all lines of one operation that follow one another: a conditional jump from
  // one to the next is predicted better than a jump through a table.
  const auto each = [&](TapeOperation operation, auto run) __attribute__((always_inline)) {
    do {
      run();
    } while (++line != last && line->operation == operation);
  };
  const auto unary = [&](TapeOperation operation, auto function) __attribute__((always_inline)) {
    each(
        operation, [&]() __attribute__((always_inline)) {
          Number* target = at(line->target);
          const Number* a = at(line->a);
          for (int g = 0; g < Groups; ++g) target[g] = function(a[g]);
        });
  };
  const auto binary = [&](TapeOperation operation, auto function) __attribute__((always_inline)) {
    each(
        operation, [&]() __attribute__((always_inline)) {
          Number* target = at(line->target);
          const Number *a = at(line->a), *b = at(line->b);
          for (int g = 0; g < Groups; ++g) target[g] = function(a[g], b[g]);
        });
  };
  const auto ternary = [&](TapeOperation operation, auto function) __attribute__((always_inline)) {
    each(
        operation, [&]() __attribute__((always_inline)) {
          Number* target = at(line->target);
          const Number *a = at(line->a), *b = at(line->b), *c = at(line->c);
          for (int g = 0; g < Groups; ++g) target[g] = function(a[g], b[g], c[g]);
        });
  };
  using N = const Number&;
  const auto sign = [](N x) __attribute__((always_inline)) { return numeric::sign_of<Number>(x); };
  while (line != last) {
    switch (line->operation) {
      case TapeOperation::copy:
        unary(TapeOperation::copy, [](N x) { return x; });
        break;
      case TapeOperation::negate:
        unary(TapeOperation::negate, [](N x) -> Number { return -x; });
        break;
      case TapeOperation::add:
        binary(TapeOperation::add, [](N x, N y) -> Number { return x + y; });
        break;
      case TapeOperation::subtract:
        binary(TapeOperation::subtract, [](N x, N y) -> Number { return x - y; });
        break;
      case TapeOperation::multiply:
        binary(TapeOperation::multiply, [](N x, N y) -> Number { return x * y; });
        break;
      case TapeOperation::divide:
        binary(TapeOperation::divide, [](N x, N y) -> Number { return x / y; });
        break;
      case TapeOperation::multiply_add:
        ternary(TapeOperation::multiply_add, [](N x, N y, N z) -> Number { return z + x * y; });
        break;
      case TapeOperation::multiply_subtract:
        ternary(TapeOperation::multiply_subtract,
                [](N x, N y, N z) -> Number { return x * y - z; });
        break;
      case TapeOperation::negative_multiply_add:
        ternary(TapeOperation::negative_multiply_add,
                [](N x, N y, N z) -> Number { return z - x * y; });
        break;
      case TapeOperation::sine_cosine:
        each(TapeOperation::sine_cosine, [&] {
          Number *sine = at(line->target), *cosine = at(line->c);
          const Number* a = at(line->a);
          for (int g = 0; g < Groups; ++g) {
            const Number x = a[g];
            if constexpr (requires(Number & s, Number & c) { sincos(x, s, c); }) {
              sincos(x, sine[g], cosine[g]);
            } else {
              sine[g] = sin(x);
              cosine[g] = cos(x);
            }
          }
        });
        break;
      case TapeOperation::power:
        binary(TapeOperation::power, [](N x, N y) -> Number { return pow(x, y); });
        break;
      case TapeOperation::atan2:
        binary(TapeOperation::atan2, [](N x, N y) -> Number { return atan2(x, y); });
        break;
      case TapeOperation::where_nonnegative:
        binary(TapeOperation::where_nonnegative,
               [](N c, N x) -> Number { return numeric::where_nonnegative<Number>(c, x); });
        break;
      case TapeOperation::where_negative:
        binary(TapeOperation::where_negative,
               [](N c, N x) -> Number { return numeric::where_negative<Number>(c, x); });
        break;
#define DALEMBERT_ROW(name, ...)                                        \
  case TapeOperation::name:                                             \
    unary(TapeOperation::name, [&](N x) -> Number { return name(x); }); \
    break;
        DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
      case TapeOperation::sinc:
        unary(TapeOperation::sinc,
              [&](N x) -> Number { return sinc_of_order(static_cast<int>(line->c), x); });
        break;
      case TapeOperation::sinhc:
        unary(TapeOperation::sinhc,
              [&](N x) -> Number { return sinhc_of_order(static_cast<int>(line->c), x); });
        break;
      case TapeOperation::sinc_root:
        unary(TapeOperation::sinc_root,
              [&](N t) -> Number { return sinc_root_of_order(static_cast<int>(line->c) - 1, t); });
        break;
      case TapeOperation::table:
        unary(TapeOperation::table, [&](N x) -> Number {
          return table_value(tape.tables[line->b], static_cast<int>(line->c), x);
        });
        break;
      case TapeOperation::solve:
        run_solve<Number, Groups>(*line, tape.solve_pool + line->a, slots, workspace);
        ++line;
        break;
      case TapeOperation::factor:
      case TapeOperation::substitute:
        run_on_factors<Number, Groups>(*line, tape.solve_pool + line->a, slots, workspace);
        ++line;
        break;
    }
  }
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
