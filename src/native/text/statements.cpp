#include "statements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "c_definitions.hpp"

namespace dalembert {
namespace {

constexpr std::size_t widest_line = 100;

std::string indented(int indentation) { return std::string(std::size_t(indentation), ' '); }

/// Items after a first word, separated by commas, in lines that are not too wide.
std::string wrapped_list(const std::string& first, const std::vector<std::string>& items,
                         int indentation) {
  std::string text, line = indented(indentation) + first;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : ";");
    if (line.size() + 1 + item.size() > widest_line) {
      text += line + "\n";
      line = indented(indentation + 4) + item;
    } else {
      line += " " + item;
    }
  }
  return text + line + "\n";
}

/// The function of one argument that an operation is, or an empty name.
std::string function_of_one(TapeOperation operation) {
  switch (operation) {
#define DALEMBERT_NAMED(name, function) \
  case TapeOperation::name:             \
    return #function;
    DALEMBERT_NAMED(sqrt, pack_sqrt)
    DALEMBERT_NAMED(sin, sin)
    DALEMBERT_NAMED(cos, cos)
    DALEMBERT_NAMED(tan, pack_tan)
    DALEMBERT_NAMED(asin, pack_asin)
    DALEMBERT_NAMED(acos, pack_acos)
    DALEMBERT_NAMED(atan, pack_atan)
    DALEMBERT_NAMED(sinh, pack_sinh)
    DALEMBERT_NAMED(cosh, pack_cosh)
    DALEMBERT_NAMED(tanh, pack_tanh)
    DALEMBERT_NAMED(exp, pack_exp)
    DALEMBERT_NAMED(log, log)
    DALEMBERT_NAMED(abs, pack_abs)
    DALEMBERT_NAMED(sign, sign_of)
    DALEMBERT_NAMED(floor, pack_floor)
#undef DALEMBERT_NAMED
    default:
      return {};
  }
}

std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  std::string text = function + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : ", ") + arguments[i];
  return text + ")";
}

/// What one line assigns to its target.
std::string value_of(const Instruction& line, const NumberForm& form) {
  const std::string a = slot_name(line.a), b = slot_name(line.b), c = slot_name(line.c);
  switch (line.operation) {
    case TapeOperation::copy:
      return a;
    case TapeOperation::negate:
      return "-" + a;
    case TapeOperation::add:
      return a + " + " + b;
    case TapeOperation::subtract:
      return a + " - " + b;
    case TapeOperation::multiply:
      return a + " * " + b;
    case TapeOperation::divide:
      return a + " / " + b;
    case TapeOperation::multiply_add:
      return c + " + " + a + " * " + b;
    case TapeOperation::multiply_subtract:
      return a + " * " + b + " - " + c;
    case TapeOperation::negative_multiply_add:
      return c + " - " + a + " * " + b;
    case TapeOperation::power:
      return call("pack_pow", {a, b});
    case TapeOperation::atan2:
      return call("pack_atan2", {a, b});
    case TapeOperation::where_nonnegative:
      return call("where_nonnegative", {a, b});
    case TapeOperation::where_negative:
      return call("where_negative", {a, b});
    case TapeOperation::sinc:
      return call("sinc_of_order", {std::to_string(line.c), a});
    case TapeOperation::sinhc:
      return call("sinhc_of_order", {std::to_string(line.c), a});
    case TapeOperation::sinc_root:
      return call("sinc_root_of_order", {std::to_string(static_cast<int>(line.c) - 1), a});
    case TapeOperation::table:
      return call(form.is_one() ? "table_value_at" : "table_values_at",
                  {"&PREFIX_table_" + std::to_string(line.b), std::to_string(line.c), a});
    default:
      return call(function_of_one(line.operation), {a});
  }
}

/// An operation on a linear system: gathered, computed and spread.
std::string solve_statement(const Tape& tape, const Instruction& line, int indentation) {
  const std::string in = indented(indentation), inner = indented(indentation + 2);
  const std::uint32_t n = line.b, square = n * n;
  const SolveShape shape = solve_shape(line.operation, n);
  const std::uint32_t *pool = tape.solve_pool.data() + line.a, *results = pool + shape.operands;
  const std::string size = std::to_string(n);
  const bool solves = line.operation == TapeOperation::solve,
             factors = line.operation == TapeOperation::factor;
  std::string text = in + "{\n";
  if (n <= largest_local_system) {
    text += inner + "Number matrix[" + std::to_string(square) + "], " +
            (factors ? "" : "right[" + size + "], ") + "pivot[" + size + "];\n";
  } else {
    const std::string right = "*right = matrix + " + std::to_string(square + n) + ", ";
    text += inner + "Number *matrix = s->workspace, " + (factors ? "" : right) +
            "*pivot = matrix + " + std::to_string(square) + ";\n";
  }
  // A matrix comes first, factorized or not; with its factors their pivots; the right-hand side.
  const auto item = [&](std::uint32_t i, bool has_pivots) {
    if (i < square) return "matrix[" + std::to_string(i) + "]";
    if (has_pivots && i < square + n) return "pivot[" + std::to_string(i - square) + "]";
    return "right[" + std::to_string(i - square - (has_pivots ? n : 0)) + "]";
  };
  for (std::uint32_t i = 0; i < shape.operands; ++i)
    text += inner + item(i, !solves) + " = " + slot_name(pool[i]) + ";\n";
  std::string call = n <= largest_unrolled_system ? "" : "any_";
  call += solves    ? "solve_linear_system(" + size + ", matrix, pivot, right)"
          : factors ? "factor_linear_system(" + size + ", matrix, pivot)"
                    : "lu_solve_columns(" + size + ", matrix, pivot, right, 1)";
  text += inner + call + ";\n";
  for (std::uint32_t i = 0; i < shape.results; ++i)
    text += inner + slot_name(results[i]) + " = " +
            (factors ? item(i, true) : item(square + i, false)) + ";\n";
  return text + in + "}\n";
}

std::string statement(const Tape& tape, const Instruction& line, int indentation,
                      const NumberForm& form) {
  const std::string in = indented(indentation);
  if (is_on_system(line.operation)) return solve_statement(tape, line, indentation);
  if (line.operation == TapeOperation::sine_cosine) {
    return in + "{\n" + in + "  const SinCos value = sine_and_cosine(" + slot_name(line.a) +
           ");\n" + in + "  " + slot_name(line.target) + " = value.sine;\n" + in + "  " +
           slot_name(line.c) + " = value.cosine;\n" + in + "}\n";
  }
  return in + slot_name(line.target) + " = " + value_of(line, form) + ";\n";
}

bool reads_second(TapeOperation operation) {
  switch (operation) {
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::divide:
    case TapeOperation::multiply_add:
    case TapeOperation::multiply_subtract:
    case TapeOperation::negative_multiply_add:
    case TapeOperation::power:
    case TapeOperation::atan2:
    case TapeOperation::where_nonnegative:
    case TapeOperation::where_negative:
      return true;
    default:
      return false;
  }
}

bool reads_third(TapeOperation operation) {
  return operation == TapeOperation::multiply_add ||
         operation == TapeOperation::multiply_subtract ||
         operation == TapeOperation::negative_multiply_add;
}

std::string number_list(const std::string& name, const double* values, std::size_t count) {
  std::vector<std::string> literals;
  for (std::size_t i = 0; i < count; ++i) literals.push_back(c_literal(values[i]));
  return constant_list(name, literals, 0);
}

}  // namespace

void add_line(std::string& text, int indentation, const std::string& line) {
  text += indented(indentation) + line + "\n";
}

std::string c_literal(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0.0 ? "-HUGE_VAL" : "HUGE_VAL";
  std::array<char, 40> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                        std::fabs(value), std::chars_format::hex)
                              .ptr;
  return (std::signbit(value) ? "-0x" : "0x") +
         std::string(static_cast<const char*>(digits.data()), end);
}

std::string slot_name(std::uint32_t slot) { return "x" + std::to_string(slot); }

void SlotUse::add(const Tape& tape, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Instruction& line = tape.code[i];
    if (is_on_system(line.operation)) {
      const SolveShape shape = solve_shape(line.operation, line.b);
      const std::uint32_t *pool = tape.solve_pool.data() + line.a, *results = pool + shape.operands;
      read.insert(pool, results);
      written.insert(results, results + shape.results);
      continue;
    }
    read.insert(line.a);
    written.insert(line.target);
    if (reads_second(line.operation)) read.insert(line.b);
    if (reads_third(line.operation)) read.insert(line.c);
    if (line.operation == TapeOperation::sine_cosine) written.insert(line.c);
  }
}

SlotUse SlotUse::of_steps(const Tape& tape, std::size_t begin) {
  SlotUse use;
  use.add(tape, begin, tape.code.size());
  use.add_between_lines(tape);
  return use;
}

SlotUse SlotUse::of_steps_without_fallback(const Tape& tape) {
  SlotUse use;
  for (const TapeSection& section : tape.sections)
    if (!section.is_fallback) use.add(tape, section.begin, section.end);
  use.add(tape, tape.further.begin, tape.further.end);
  use.add_between_lines(tape);
  return use;
}

void SlotUse::add_between_lines(const Tape& tape) {
  for (const TapeIterate& entry : tape.iterates)
    read.insert({entry.iterate, entry.correction, entry.value});
  read.insert(tape.residuals.begin(), tape.residuals.end());
  read.insert(tape.outputs.begin(), tape.outputs.end());
  read.insert(tape.further_outputs.begin(), tape.further_outputs.end());
  for (const TapeStages& stages : tape.stages) {
    for (const auto* shared : {&stages.shared, &stages.function_shared}) {
      for (const auto& [outer, inner] : *shared) read.insert(outer);
    }
    read.insert(stages.before.begin(), stages.before.end());
    read.insert({stages.start_time, stages.step});
    read.insert(stages.fallback.begin(), stages.fallback.end());
    written.insert(stages.results.begin(), stages.results.end());
  }
}

std::string statements(const Tape& tape, std::size_t begin, std::size_t end, int indentation,
                       const NumberForm& form) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i)
    text += statement(tape, tape.code[i], indentation, form);
  return text;
}

std::string declarations(const std::set<std::uint32_t>& slots, int indentation) {
  if (slots.empty()) return {};
  std::vector<std::string> names;
  for (const std::uint32_t slot : slots) names.push_back(slot_name(slot));
  return wrapped_list("Number", names, indentation);
}

std::string constant_declarations(const Tape& tape, const std::set<std::uint32_t>& slots,
                                  int indentation, const NumberForm& form) {
  std::string text;
  for (const auto& [slot, value] : tape.constants) {
    if (!slots.contains(slot)) continue;
    text += indented(indentation) + "const Number " + slot_name(slot) + " = " +
            form.constant(c_literal(value.as<double>())) + ";\n";
  }
  return text;
}

std::string constant_list(const std::string& name, const std::vector<std::string>& literals,
                          int indentation) {
  std::vector<std::string> items = literals;
  if (!items.empty()) items.front() = "{" + items.front();
  if (!items.empty()) items.back() += "}";
  return wrapped_list("static const double " + name + "[" + std::to_string(items.size()) + "] =",
                      items, indentation);
}

std::size_t solve_workspace(const Tape& tape) {
  std::size_t n = tape.largest_solve;
  for (const TapeStages& stages : tape.stages) {
    n = std::max(n, stages.rates->largest_solve);
    if (stages.function != nullptr) n = std::max(n, stages.function->largest_solve);
  }
  return n > largest_local_system ? n * (n + 2) : 0;
}

std::string in_names_of(const std::string& family, const std::string& text) {
  const auto is_slot = [](const std::string& word) {
    return word.size() > 1 && word.front() == 'x' &&
           word.find_first_not_of("0123456789", 1) == std::string::npos;
  };
  return replace_words(text, [&](const std::string& word) {
    constexpr std::string_view table = "PREFIX_table_";
    if (is_slot(word)) return family + "_" + word;
    if (word.starts_with(table)) return "PREFIX_" + family + "_table_" + word.substr(table.size());
    return word;
  });
}

std::string table_definitions(const Tape& tape) {
  std::string text;
  for (const TapeStages& stages : tape.stages) {
    text += in_names_of("stage", table_definitions(*stages.rates));
    if (stages.function != nullptr)
      text += in_names_of("beside", table_definitions(*stages.function));
  }
  for (std::size_t i = 0; i < tape.table_views.size(); ++i) {
    const numeric::TableView& view = tape.table_views[i];
    const std::string name = "PREFIX_table_" + std::to_string(i);
    text += number_list(name + "_knots", view.knots, view.intervals + 1) +
            number_list(name + "_coefficients", view.coefficients, 4 * view.intervals) +
            "static const TableView " + name + " = {" + name + "_knots, " + name +
            "_coefficients, " + std::to_string(view.intervals) + ", " + c_literal(view.last) +
            "};\n\n";
  }
  return text;
}

}  // namespace dalembert
