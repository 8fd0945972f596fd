// Random texts: the parser either refuses with a ParseError or gives an expression whose printed
// form parses back to the same values.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "support/direct_evaluation.hpp"
#include "support/random_expression.hpp"

using namespace dalembert;
using numeric_test::Random;
using test_support::DirectEvaluation;

namespace {

struct Fuzz {
  const GraphPointer graph = std::make_shared<Graph>();
  Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z_dot");
  Scope scope;
  int accepted = 0, refused = 0, compared = 0;

  Fuzz() {
    scope.names = {{"x", x}, {"y", y}, {"z_dot", z}};
    scope.arrays = {{"w", {x, y}}};
    scope.sizes = {{"n", 2}};
  }

  /// A bound of what different rounding can do: the expression at slightly moved arguments.
  /// Printing may change the order of sums and products and drops digits of constants beyond
  /// double.
  bool agree(const Expr& one, const Expr& two) {
    const std::vector<long double> at{0.7L, 1.3L, -0.6L};
    const auto value = [&](const Expr& e, long double shift) {
      std::vector<long double> moved = at;
      for (std::size_t i = 0; i < 3; ++i) moved[i] *= 1.0L + shift * (i == 1 ? -1.0L : 0.7L);
      return DirectEvaluation<long double>({x, y, z}, moved)(e);
    };
    const long double a = value(one, 0.0L), b = value(two, 0.0L);
    if (!std::isfinite(a) || !std::isfinite(b)) return true;  // at the edge of the range
    const long double spread = std::fabs(value(one, 1e-9L) - a) + std::fabs(value(one, -1e-9L) - a);
    if (!(spread < 1e-5L * (1.0L + std::fabs(a)))) return true;  // ill-conditioned: nothing to see
    ++compared;
    return std::fabs(a - b) <= 1e-9L * (1.0L + std::fabs(a)) + spread;
  }

  void feed(const std::string& text) {
    Expr e;
    try {
      e = parse(text, scope);
    } catch (const ParseError& error) {
      ++refused;
      CHECK(error.position <= text.size());
      CHECK(std::string(error.what()).size() > 10);
      return;
    }
    ++accepted;
    const std::string printed = to_string(e);
    try {
      const Expr again = parse(printed, scope);
      CHECK_MESSAGE(agree(e, again), text, " -> ", printed);
    } catch (const ParseError& error) {
      // Printing can nest deeper than the text; then the depth limit speaks.
      const std::string message = error.what();
      CHECK_MESSAGE(message.find("levels deep") != std::string::npos, text, " -> ", message);
    }
  }
};

std::string random_bytes(Random& random) {
  std::string text;
  const std::size_t size = random.next() % 30;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(random.next() % 256);
  return text;
}

std::string random_tokens(Random& random) {
  static const char* tokens[] = {
      "x",  "y",   "z_dot", "n",          "w[",   "w[1]", "]",      "(",     ")",    "+",
      "-",  "*",   "/",     "^",          ",",    "sin(", "exp(",   "sum(",  "i",    "1",
      "2",  "0.5", "1e3",   "3",          " ",    "pi",   "atan2(", "sqrt(", "abs(", "log(",
      "**", ".",   "0",     "sum(i,1,n,", "w[i]", "7/3",  "1e-310"};
  std::string text;
  const std::size_t size = 1 + random.next() % 14;
  for (std::size_t i = 0; i < size; ++i) text += tokens[random.next() % std::size(tokens)];
  return text;
}

/// A well-formed text by the grammar.
std::string random_sentence(Random& random, int depth) {
  const auto again = [&] { return random_sentence(random, depth - 1); };
  if (depth == 0) {
    static const char* atoms[] = {"x", "y", "z_dot", "w[2]", "2", "0.3", "pi", "n", "1e-3", "7"};
    return atoms[random.next() % std::size(atoms)];
  }
  switch (random.next() % 10) {
    case 0:
      return again() + " + " + again();
    case 1:
      return again() + " - " + again();
    case 2:
      return again() + "*" + again();
    case 3:
      return again() + "/" + again();
    case 4:
      return "(" + again() + ")^" + std::to_string(random.next() % 4);
    case 5:
      return "-" + again();
    case 6:
      return "(" + again() + ")";
    case 7:
      return "sum(i, 1, n, w[i]*(" + again() + "))";
    case 8:
      return "atan2(" + again() + ", " + again() + ")";
    default: {
      static const char* functions[] = {"sin", "cos", "tanh", "exp", "sqrt", "log", "abs"};
      return std::string(functions[random.next() % 7]) + "(" + again() + ")";
    }
  }
}

std::string mutated(Random& random, std::string text) {
  for (std::size_t k = 1 + random.next() % 3; k > 0 && !text.empty(); --k) {
    const std::size_t at = random.next() % text.size();
    switch (random.next() % 3) {
      case 0:
        text.erase(at, 1 + random.next() % 2);
        break;
      case 1:
        text.insert(at, 1, "()+-*/^,.[]xyi1 "[random.next() % 16]);
        break;
      default:
        text[at] = static_cast<char>(32 + random.next() % 95);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("Random bytes and tokens never crash the parser") {
  Fuzz fuzz;
  Random random{2024};
  for (int i = 0; i < 4000; ++i) fuzz.feed(random_bytes(random));
  for (int i = 0; i < 20000; ++i) fuzz.feed(random_tokens(random));
  CHECK(fuzz.accepted > 300);
  CHECK(fuzz.refused > 3000);
}

TEST_CASE("Sentences of the grammar are accepted and survive printing; mutations never crash") {
  Fuzz fuzz;
  Random random{77};
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_sentence(random, 1 + static_cast<int>(random.next() % 4));
    fuzz.feed(text);
    fuzz.feed(mutated(random, text));
    fuzz.feed(mutated(random, text));
  }
  CHECK(fuzz.accepted > 3000);
  CHECK(fuzz.compared > 2000);
  CHECK(fuzz.refused > 2000);
}
