#include "dalembert/expression/parser.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using test_support::DirectEvaluation, test_support::round_off_of;

namespace {

struct Example {
  const GraphPointer graph = std::make_shared<Graph>();
  Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), k = make_symbol(graph, "kappa");
  Scope scope;
  Example() {
    scope.names = {{"x", x}, {"y", y}, {"kappa", k}};
    scope.arrays = {{"w", {x, y, k}}};
    scope.sizes = {{"n", 3}};
    Matrix matrix(2, 3);
    matrix.entries() = {x, y, k, 1.0, 2.0, 3.0};
    scope.matrices = {{"M", matrix}};
  }
  double value(std::string_view text) {
    return DirectEvaluation<double>({x, y, k}, {0.5, -2.0, 3.0})(parse(text, scope));
  }
  Expr operator()(std::string_view text) const { return parse(text, scope); }
};

/// The text is refused at that position (from 0), with that in the message.
void check_error(std::string_view text, std::size_t position, const std::string& part) {
  Example e;
  try {
    e(text);
    FAIL_CHECK("accepted: ", std::string(text));
  } catch (const ParseError& error) {
    const std::string message = error.what();
    CHECK_MESSAGE(error.position == position, message);
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
    CHECK_MESSAGE(message.find("character " + std::to_string(position + 1)) != std::string::npos,
                  message);
  }
}

}  // namespace

TEST_CASE("Precedence and associativity") {
  Example e;
  CHECK(e.value("2 + 3*4") == 14.0);
  CHECK(e.value("(2 + 3)*4") == 20.0);
  CHECK(e.value("2 - 3 - 4") == -5.0);
  CHECK(e.value("16/4/2") == 2.0);
  CHECK(e.value("2^3^2") == 512.0);
  CHECK(e.value("2^-3^2") == std::pow(2.0, -9.0));
  CHECK(e.value("-2^2") == -4.0);
  CHECK(e.value("-x^2") == -0.25);
  CHECK(e.value("(-x)^2") == 0.25);
  CHECK(e.value("2*-3") == -6.0);
  CHECK(e.value("2 - -3") == 5.0);
  CHECK(e.value("--+-3") == -3.0);
  constexpr double three_operations = round_off_of(3.0);
  CHECK(e.value("x*y^2/kappa") == doctest::Approx(2.0 / 3.0).epsilon(three_operations));
  CHECK(e.value("-x*y") == 1.0);
}

TEST_CASE("Numbers in every spelling, white space anywhere between") {
  Example e;
  CHECK(e.value("1.5e2") == 150.0);
  CHECK(e.value(".5") == 0.5);
  CHECK(e.value("2.") == 2.0);
  CHECK(e.value("1E-3") == 1e-3);
  CHECK(e.value("0.1") == 0.1);
  CHECK(e.value("\t 1\n+ x ") == 1.5);
  CHECK(e("0.1").is_constant(0.1));
}

TEST_CASE("Every function") {
  Example e;
  const double x = 0.5, y = -2.0, k = 3.0;
  const std::vector<std::pair<const char*, double>> cases{
      {"sin(x)", std::sin(x)},
      {"cos(x)", std::cos(x)},
      {"tan(x)", std::tan(x)},
      {"asin(x)", std::asin(x)},
      {"acos(x)", std::acos(x)},
      {"atan(x)", std::atan(x)},
      {"sinh(x)", std::sinh(x)},
      {"cosh(x)", std::cosh(x)},
      {"tanh(x)", std::tanh(x)},
      {"exp(y)", std::exp(y)},
      {"log(kappa)", std::log(k)},
      {"sqrt(kappa)", std::sqrt(k)},
      {"abs(y)", std::fabs(y)},
      {"atan2(y, x)", std::atan2(y, x)},
      {"kappa^y", std::pow(k, y)},
      {"pi", 3.141592653589793},
      {"sinc_root(kappa, -1)", std::cos(std::sqrt(k))},
      {"sinc_root(9, 0)", std::sin(k) / k},
      {"sinc_root(0, 1)", 1.0 / 3.0}};
  // A unit in the last place of each library's value.
  for (const auto& [text, expected] : cases)
    CHECK(e.value(text) == doctest::Approx(expected).epsilon(round_off_of(4.0)));
}

TEST_CASE("Arrays and sums") {
  Example e;
  CHECK(same(e("w[1]"), e.x));
  CHECK(same(e("w[n]"), e.k));
  CHECK(same(e("w[2*n - 4]"), e.y));
  CHECK(e.value("n") == 3.0);
  CHECK(e.value("sum(i, 1, n, w[i]^2)") == 0.25 + 4.0 + 9.0);
  CHECK(e.value("sum(i, 1, n, i)") == 6.0);
  CHECK(e.value("sum(i, 1, n, sum(j, 1, i, i*j))") == 1.0 + 6.0 + 18.0);
  CHECK(e.value("sum(i, 2, 1, w[i])") == 0.0);  // empty
  CHECK(e.value("2*sum(i, 1, 2, x) + 1") == 3.0);
  CHECK(e.value("sum(i, 1, n - 1, w[i]*w[i + 1])") == -1.0 - 6.0);
}

TEST_CASE("Whole numbers") {
  Example e;
  CHECK(parse_whole("2*n + 1", e.scope) == 7);
  CHECK(parse_whole("-(n - 5)", e.scope) == 2);
  CHECK_THROWS_AS(parse_whole("1/2", e.scope), ParseError);
  CHECK_THROWS_AS(parse_whole("x", e.scope), ParseError);
  CHECK_THROWS_AS(parse_whole("n n", e.scope), ParseError);
  CHECK_THROWS_AS(parse_whole("1e12", e.scope), ParseError);
}

TEST_CASE("A name of the scope comes before the constant pi") {
  Example e;
  e.scope.names["pi"] = e.y;
  CHECK(e.value("pi") == -2.0);
}

TEST_CASE("Errors say where and what") {
  check_error("", 0, "expected a number, a name or '('");
  check_error("x +", 3, "expected a number, a name or '('");
  check_error("x y", 2, "expected an operator or the end");
  check_error("(x", 2, "expected ')'");
  check_error("x)", 1, "expected an operator");
  check_error("x ** 2", 3, "a power is written '^'");
  check_error("x / 0", 3, "division by zero");
  check_error("1.2.3", 3, "expected an operator");
  check_error(".", 0, "expected a number");
  check_error("1e999", 0, "too large or too small");
  check_error("1e-999", 0, "too large or too small");
  check_error("atan2(x)", 7, "expected ','");
  check_error("sinc_root(x)", 11, "expected ','");
  check_error("sinc_root(x, -2)", 13, "the order of sinc_root is not in -1..10");
  check_error("sinc_root(x, 1/2)", 13, "expected a whole number");
  check_error("sinc_root(-9, 1)", 0, "the value is not a finite number");
  check_error("sin x", 0, "unknown name \"sin\"");
  check_error("x[1]", 0, "unknown array");
  check_error("w", 1, "is an array: write an index, as in w[1]");
  check_error("w[0]", 3, "index 0 of w is not in 1..3");
  check_error("w[4]", 3, "index 4 of w is not in 1..3");
  check_error("w[x]", 2, "expected a whole number");
  check_error("w[1.5]", 2, "expected a whole number");
  check_error("sum(x, 1, 2, x)", 12, "already the name of something else");
  check_error("sum(i, 1, x, i)", 9, "expected a whole number");
  check_error("sum(1, 1, 2, 3)", 4, "expected a name");
  check_error("x & y", 2, "expected an operator");
}

TEST_CASE("Unknown names come with the nearest valid one") {
  check_error("2*kapa", 2, "did you mean \"kappa\"?");
  check_error("snh(x)", 0, "did you mean \"sinh\"?");
  check_error("ssqrt(x)", 0, "did you mean \"sqrt\"?");
  check_error("arctan(x)", 0, "unknown function \"arctan\"");
  check_error("q + 1", 0, "unknown name \"q\"");
  check_error("zzzzzz", 0, "known are");
  check_error("v[1]", 0, "known are w");
}

TEST_CASE("Constants that are not finite numbers are refused") {
  for (const char* text : {"sqrt(-1)", "log(0)", "0^-1", "1/(2 - 2)", "x + asin(2)", "1e308*10",
                           "exp(1000)*y", "(-2)^0.5", "10^400", "(0/(1e-200*1e-200))*x"}) {
    Example e;
    CHECK_THROWS_AS(e(text), ParseError);
  }
}

TEST_CASE("What is too deep or too long is refused, not attempted") {
  Example e;
  CHECK_THROWS_AS(e(std::string(100000, '(') + "x"), ParseError);
  std::string powers = "x";
  for (int i = 0; i < 100000; ++i) powers += "^x";
  CHECK_THROWS_AS(e(powers), ParseError);
  CHECK_THROWS_AS(e("sum(i, 1, 1000000, x)"), ParseError);
  CHECK_THROWS_AS(e("sum(i, 1, 50000, sum(j, 1, 50000, x))"), ParseError);
  CHECK_NOTHROW(e(std::string(100000, '-') + "x"));
  std::string terms = "x";
  for (int i = 0; i < 20000; ++i) terms += " + x*y";
  CHECK_NOTHROW(e(terms));
}

TEST_CASE("Entries of matrices have two indices") {
  Example e;
  CHECK(e.value("M[1,2]") == -2.0);
  CHECK(e.value("M[2, n]*M[1 , 1]") == 1.5);
  CHECK(e.value("sum(i, 1, 2, sum(j, i, 3, M[i,j]))") == 0.5 - 2.0 + 3.0 + 2.0 + 3.0);
  check_error("M[3,1]", 5, "index 3,1 of M is not in 1..2,1..3");
  check_error("M[1,0]", 5, "index 1,0 of M is not in 1..2,1..3");
  check_error("M[1]", 3, "\"M\" is a matrix: write two indices, as in M[1,1]");
  check_error("x + M", 5, "\"M\" is a matrix: write two indices, as in M[1,1]");
  check_error("w[1,2]", 4, "\"w\" is an array: write one index, as in w[1]");
  check_error("MM[1,2]", 0, "did you mean \"M\"");
}
