#include "native/text/statements.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "dalembert/expression/parser.hpp"

using namespace dalembert;

TEST_CASE("Literals of C are read back as the same double") {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, -0.0, 1.0, 0.1, -1.0 / 3.0, Limits::min(), Limits::denorm_min(),
                             Limits::max(), -Limits::epsilon(), 1e300, 123456789.0}) {
    const std::string literal = c_literal(value);
    CAPTURE(literal);
    const double read = std::strtod(literal.c_str(), nullptr);
    CHECK(read == value);
    CHECK(std::signbit(read) == std::signbit(value));
    CHECK(literal.find("0x") != std::string::npos);
  }
  CHECK(c_literal(Limits::infinity()) == "HUGE_VAL");
  CHECK(c_literal(-Limits::infinity()) == "-HUGE_VAL");
  CHECK(c_literal(Limits::quiet_NaN()) == "NAN");
}

TEST_CASE("A tape becomes one statement for each line, in its order") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const Tape tape = write_tape({x, y}, {x * y + 2.0});
  SlotUse use;
  use.add(tape, 0, tape.code.size());
  CHECK(use.read.contains(tape.inputs[0]));
  CHECK(use.read.contains(tape.inputs[1]));
  CHECK(use.written.contains(tape.outputs[0]));
  const std::string text = statements(tape, 0, tape.code.size(), 2);
  const std::string product = slot_name(tape.inputs[0]) + " * " + slot_name(tape.inputs[1]);
  CHECK(text == "  " + slot_name(tape.outputs[0]) + " = " + slot_name(tape.constants[0].first) +
                    " + " + product + ";\n");
  CHECK(constant_declarations(tape, use.read, 0) ==
        "const Number " + slot_name(tape.constants[0].first) + " = 0x1p+1;\n");
  CHECK(declarations(use.written, 0) == "Number " + slot_name(tape.outputs[0]) + ";\n");
  CHECK(declarations({}, 0).empty());
}
