// Expressions as text and back: the same nodes in the same order, or a refusal.

#include "dalembert/expression/text/serialise.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/tape/tape.hpp"
#include "support/random_expression.hpp"
#include "support/same_tape.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Symbols first, then expressions of every operation.
Vector examples() {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "a name, of 2 words\n"),
             m = make_symbol(graph, "m", SignFacts::positive(), true);
  Matrix a(2, 2);
  a(0, 0) = x;
  a(0, 1) = y;
  a(1, 0) = sin(x);
  a(1, 1) = 2.0 * y;
  const Vector solution = solve_linear(a, Vector{m * x, exp(y)});
  Vector list{x, y, m, -x, x + y, x - y, m * x, x / y, pow(x, y), atan2(x, y)};
  for (const Expr& more :
       {sqrt(x), sin(x),      cos(x),           tan(x),          asin(x), acos(x),        atan(x),
        sinh(x), cosh(x),     tanh(x),          exp(x),          log(x),  abs(x),         sign(x),
        sinc(x), sinhc(y, 3), sinc_root(x, -1), sinc_root(y, 2), x / 3.0, pi_constant * y})
    list.push_back(more);
  list.insert(list.end(), solution.begin(), solution.end());
  list.push_back(opaque_function("V'", x * y));
  list.push_back(Constant{1.0} / Constant{3.0});
  list.push_back(-0.0);
  return list;
}

std::string with_checksum(std::string text) {
  text.resize(text.size() - 17);
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
  return text + digits + "\n";
}

/// Uses what was read as a program would.
void use(const Vector& expressions) {
  Vector symbols, outputs;
  for (const Expr& expression : expressions)
    (expression.is(Operation::symbol) ? symbols : outputs).push_back(expression);
  for (const Expr& expression : outputs) {
    static_cast<void>(to_string(expression).size());
    static_cast<void>(-expression + 2.0 * expression);
    static_cast<void>(gradient(expression, symbols));
  }
}

}  // namespace

TEST_CASE("Every operation survives, with nodes, facts and bits") {
  const Vector before = examples(), after = deserialise(serialise(before));
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(after[i].is_constant() == before[i].is_constant());
    CHECK(to_string(after[i]) == to_string(before[i]));
    CHECK(same_bits(after[i].constant().high, before[i].constant().high));
    CHECK(same_bits(after[i].constant().low, before[i].constant().low));
    CHECK(after[i].facts().nonzero == before[i].facts().nonzero);
    CHECK(after[i].facts().nonnegative == before[i].facts().nonnegative);
    CHECK(after[i].is_steady() == before[i].is_steady());
  }
  CHECK(serialise(after) == serialise(before));
}

TEST_CASE("Random expressions compile to the same tape") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GraphPointer graph = std::make_shared<Graph>();
    Vector list;
    for (const char* name : {"a", "b", "c"}) list.push_back(make_symbol(graph, name));
    RandomExpressions random(seed, list, {{0.4L, -0.7L, 1.2L}}, 0x1p-53L);
    for (int i = 0; i < 60; ++i) random.grow();
    for (int i = 0; i < 8; ++i) list.push_back(random.pick().expression);
    const auto tape_of = [](const Vector& all) {
      return write_tape(slice(all, 0, 3), slice(all, 3, 8));
    };
    const std::string text = serialise(list);
    const Vector restored = deserialise(text);
    CHECK(serialise(restored) == text);
    CHECK_MESSAGE(same_tape(tape_of(restored), tape_of(list)), "seed ", seed);
  }
}

TEST_CASE("A text that was cut or changed is refused") {
  const std::string text = serialise(examples());
  for (std::size_t size = 0; size < text.size(); size += 7)
    CHECK_THROWS_AS(deserialise(std::string_view(text).substr(0, size)), RequestError);
  numeric_test::Random random{3};
  for (int k = 0; k < 300; ++k) {
    std::string changed = text;
    const auto at = static_cast<std::size_t>(random.uniform(0.0, double(text.size() - 1)));
    changed[at] = static_cast<char>(changed[at] + 1);
    CHECK_THROWS_AS(deserialise(changed), RequestError);
  }
  CHECK_THROWS_AS(deserialise(""), RequestError);
  CHECK_THROWS_AS(deserialise("x^2 + y"), RequestError);
  CHECK_THROWS_AS(SerialReader(text, "system"), RequestError);
}

TEST_CASE("A changed text with the right checksum is refused or harmless") {
  const std::string text = serialise(examples());
  numeric_test::Random random{4};
  int refused = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string changed = text;
    for (int edits = 1 + k % 3; edits > 0; --edits) {
      const auto at = static_cast<std::size_t>(random.uniform(0.0, double(text.size() - 18)));
      changed[at] = "0123456789 \nabcsx"[static_cast<std::size_t>(random.uniform(0.0, 17.0))];
    }
    try {
      use(deserialise(with_checksum(changed)));
    } catch (const std::exception&) {  // a refusal, or a singular system
      ++refused;
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("Sizes that the text cannot hold are refused before memory is taken") {
  for (const char* nodes : {"99999999999 ", "18446744073709551615 ", "1 \nsolve 4000000000 ",
                            "1 \nnegate 0 ", "2 \nsymbol 0 0 0 0 1 x \nnegate 5 ",
                            "2 \nsymbol 0 0 0 0 999999999 x ", "1 \nsymbol 0 0 0 2 1 x ",
                            "1 \ncomponent 0 0 ", "2 \nsymbol 0 0 0 0 1 x \ncomponent 0 0 "}) {
    const std::string text =
        with_checksum(std::string("dalembert expressions 1 ") + nodes + std::string(17, '0'));
    CHECK_THROWS_AS(deserialise(text), RequestError);
  }
}
