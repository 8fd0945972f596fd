#pragma once
// Lines of a tape as statements of C.

#include <set>
#include <string>
#include <vector>

#include "dalembert/expression/tape/tape.hpp"
#include "number_form.hpp"

namespace dalembert {

/// Round-off of a double, in C.
inline constexpr const char* round_off_literal = "0x1p-52";

void add_line(std::string& text, int indentation, const std::string& line);

/// Larger linear systems are solved in memory of the caller, not on the stack.
inline constexpr std::uint32_t largest_local_system = 16;
/// Elimination in smaller ones is compiled for their size; in larger ones that would be much code,
/// and no faster. As many as GCC is told to unroll in c_definitions.cpp.
inline constexpr std::uint32_t largest_unrolled_system = 8;

/// A double as a literal of C that is read back as the same number, in hexadecimal digits.
std::string c_literal(double value);

/// The name of the local variable that stands for a slot of a tape.
std::string slot_name(std::uint32_t slot);

/// What a stretch of a tape reads and writes.
struct SlotUse {
  std::set<std::uint32_t> read, written;

  void add(const Tape& tape, std::size_t begin, std::size_t end);
  /// What steps use from line `begin` on: the lines, what loops do between their passes, outputs.
  static SlotUse of_steps(const Tape& tape, std::size_t begin);
  /// The same of steps without what finds stages where sweeps do not, after the set-up.
  static SlotUse of_steps_without_fallback(const Tape& tape);

 private:
  /// Iterates, residuals, stages, outputs.
  void add_between_lines(const Tape& tape);
};

/// The lines [begin, end) of a tape, a statement each, with that indentation. Names of functions
/// are those of the arithmetic.
std::string statements(const Tape& tape, std::size_t begin, std::size_t end, int indentation,
                       const NumberForm& form = {});

/// `Number a, b, c;` for slots, none for no slots.
std::string declarations(const std::set<std::uint32_t>& slots, int indentation);

/// The values of the constants among the slots, as declarations.
std::string constant_declarations(const Tape& tape, const std::set<std::uint32_t>& slots,
                                  int indentation, const NumberForm& form = {});

/// `static const double name[] = {...};` for literals.
std::string constant_list(const std::string& name, const std::vector<std::string>& literals,
                          int indentation);

/// Numbers of a caller's memory that the linear systems of a tape, and of its stages, need; none
/// where they are small.
std::size_t solve_workspace(const Tape& tape);

/// The tables that a tape and its stages look up, as constant data.
std::string table_definitions(const Tape& tape);
/// Statements of the lines of another tape, with names of their own for slots and tables: those of
/// a family, "stage" or "beside".
std::string in_names_of(const std::string& family, const std::string& text);

}  // namespace dalembert
