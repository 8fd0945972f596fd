#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "support/random_expression.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using test_support::DirectEvaluation;

namespace {

/// Symbols of every kind that a rule may look at.
struct Names {
  const GraphPointer graph = std::make_shared<Graph>();
  Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  Expr p = make_symbol(graph, "p", SignFacts::positive());
  Expr k = make_symbol(graph, "k", {}, true), l = make_symbol(graph, "l", {}, true);
  Vector all() const { return {x, y, z, p, k, l}; }
};

/// A formula that means the same for expressions and for plain numbers.
#define FORMULA(formula)                                                                \
  [](auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z, [[maybe_unused]] auto p, \
     [[maybe_unused]] auto k, [[maybe_unused]] auto l) {                                \
    static_cast<void>(x);                                                               \
    return formula;                                                                     \
  }

template <class Formula>
Expr build(const Names& n, const Formula& formula) {
  return formula(n.x, n.y, n.z, n.p, n.k, n.l);
}

/// The simplified expression has the value of the plain formula at random points, but for rounding
/// of sixteen operations, more than a formula below has.
template <class Formula>
void check_value(const Names& names, const Expr& simplified, const Formula& plain) {
  numeric_test::Random random{7};
  for (int i = 0; i < 20; ++i) {
    std::vector<double> at;
    for (int j = 0; j < 6; ++j) at.push_back(random.uniform(-2.0, 2.0));
    at[3] = std::fabs(at[3]) + 0.1;
    DirectEvaluation<double> evaluate(names.all(), at);
    const double expected = plain(at[0], at[1], at[2], at[3], at[4], at[5]);
    CHECK(evaluate(simplified) ==
          doctest::Approx(expected).epsilon(test_support::round_off_of(16.0)).scale(1.0));
  }
}

/// `formula` simplifies to the very node `expected`, and means what it says.
template <class Formula, class Expected>
void check_rule(const std::string& text, const Formula& formula, const Expected& expected) {
  const Names names;
  const Expr made = build(names, formula), wanted = build(names, expected);
  CHECK_MESSAGE(same(made, wanted), text, ": ", to_string(made), " instead of ", to_string(wanted));
  check_value(names, made, formula);
}

#define CHECK_RULE(formula, expected) check_rule(#formula, FORMULA(formula), FORMULA(expected))
#define CHECK_VALUE(formula)                \
  {                                         \
    const Names names;                      \
    const auto f = FORMULA(formula);        \
    check_value(names, build(names, f), f); \
  }

}  // namespace

TEST_CASE("Zeros and ones are absorbed") {
  CHECK_RULE(x + 0.0, x);
  CHECK_RULE(0.0 + x, x);
  CHECK_RULE(x - 0.0, x);
  CHECK_RULE(0.0 - x, -x);
  CHECK_RULE(x * 1.0, x);
  CHECK_RULE(1.0 * x, x);
  CHECK_RULE(-1.0 * x, -x);
  CHECK_RULE(x * 0.0, Expr(0.0));
  CHECK_RULE(0.0 * k, Expr(0.0));
  CHECK_RULE(0.0 / x, Expr(0.0));
  CHECK_RULE(x / 1.0, x);
  CHECK_RULE(pow(x, 0.0), Expr(1.0));
  CHECK_RULE(pow(x, 1.0), x);
}

TEST_CASE("Signs are collected") {
  CHECK_RULE(-(-x), x);
  CHECK_RULE(-(x - y), y - x);
  CHECK_RULE(x + (-y), x - y);
  CHECK_RULE((-x) + y, y - x);
  CHECK_RULE(x - (-y), x + y);
  CHECK_RULE((-x) - y, -(x + y));
  CHECK_RULE((-x) * y, -(x * y));
  CHECK_RULE((-x) * (-y), x * y);
  CHECK_RULE((-x) / y, -(x / y));
  CHECK_RULE(x / (-p), -(x / p));
  CHECK_RULE(x + -2.0 * y, x - 2.0 * y);
  CHECK_RULE(x - -2.0 * y, x + 2.0 * y);
  CHECK_RULE(-2.0 * x + y, y - 2.0 * x);
  CHECK_RULE(-(2.0 * x), -2.0 * x);
  CHECK_RULE(-(k * x), (-k) * x);
  CHECK_RULE(sin(-x), -sin(x));
  CHECK_RULE(cos(-x), cos(x));
  CHECK_RULE(abs(-x), abs(x));
}

TEST_CASE("Like terms and what cancels exactly") {
  CHECK_RULE(x - x, Expr(0.0));
  CHECK_RULE(x + x, 2.0 * x);
  CHECK_RULE(2.0 * x + 3.0 * x, 5.0 * x);
  CHECK_RULE(2.0 * x - 3.0 * x, -x);
  CHECK_RULE(2.0 * x - 2.0 * x, Expr(0.0));
  CHECK_RULE(k * x + l * x, (k + l) * x);
  CHECK_RULE(k * x - x, (k - 1.0) * x);
  CHECK_RULE((x + y) - x, y);
  CHECK_RULE((x + y) - y, x);
  CHECK_RULE((x - y) + y, x);
  CHECK_RULE(y + (x - y), x);
  CHECK_RULE((x - y) - x, -y);
  CHECK_RULE(x - (x + y), -y);
  CHECK_RULE(x - (y + x), -y);
  CHECK_RULE(x - (x - y), y);
  CHECK_RULE((x + y) - (x + z), y - z);
  CHECK_RULE((x + y) - (z + x), y - z);
  CHECK_RULE((y + x) - (x + z), y - z);
  CHECK_RULE((y + x) - (z + x), y - z);
}

TEST_CASE("Operands of sums and products have one order") {
  CHECK_RULE(y + x, x + y);
  CHECK_RULE(y * x, x * y);
  CHECK_RULE(x * 3.0, 3.0 * x);
  CHECK_RULE((2.0 * x) * (3.0 * y), 6.0 * (x * y));
  CHECK_RULE(k * (l * x), (k * l) * x);
  CHECK_RULE((k * x) * (l * y), (k * l) * (x * y));
  CHECK_RULE((x * k) * y, k * (x * y));
}

TEST_CASE("Quotients: only what is exact or steady becomes a factor") {
  CHECK_RULE(x / 4.0, 0.25 * x);
  CHECK_RULE(p / p, Expr(1.0));
  CHECK_RULE((2.0 * x) / 3.0, (Constant{2.0} / Constant{3.0}) * x);
  Names n;
  CHECK((n.x / 3.0).is(Operation::divide));
  CHECK((n.x / n.x).is(Operation::divide));  // 0/0 stays what it is
  CHECK((n.x / n.k).is(Operation::multiply));
  CHECK_VALUE(x / (k + 5.0));
  CHECK_VALUE(x / 3.0);
  CHECK_VALUE(x / p / (y / (k * 3.0)));
}

TEST_CASE("Powers: products, square roots, else the power function") {
  CHECK_RULE(pow(x, 2.0), x * x);
  CHECK_RULE(pow(x, 3.0), x * (x * x));
  CHECK_RULE(pow(x, -1.0), 1.0 / x);
  CHECK_RULE(pow(p, 0.5), sqrt(p));
  CHECK_RULE(pow(p, -0.5), 1.0 / sqrt(p));
  CHECK_RULE(pow(p, 1.5), p * sqrt(p));
  CHECK_RULE(pow(p, -1.5), 1.0 / (p * sqrt(p)));
  CHECK_RULE(pow(p, 3.5), p * (p * p) * sqrt(p));
  Names n;
  CHECK_VALUE(pow(x, 13.0));
  CHECK_VALUE(pow(p, -7.0));
  CHECK(pow(n.p, 2.7).is(Operation::power));
  CHECK(pow(n.p, 64.5).is(Operation::power));
  CHECK(pow(n.p, 65.0).is(Operation::power));
  CHECK_VALUE(pow(p, y));
}

TEST_CASE("What is known of a sign removes absolute values and signs") {
  CHECK_RULE(abs(p), p);
  CHECK_RULE(abs(x * x), x * x);
  CHECK_RULE(abs(exp(x)), exp(x));
  Names n;
  CHECK(same(sign(n.p), Expr(1.0)));
  CHECK(same(sign(square(n.x)), Expr(1.0)));
  CHECK(sign(n.x).is(Operation::sign));
  CHECK(abs(n.x).is(Operation::abs));
}

TEST_CASE("Facts of signs are true at random points") {
  const auto check = [](const Expr& e, double value) {
    const SignFacts facts = e.facts();
    if (facts.nonzero) CHECK(value != 0.0);
    if (facts.nonnegative) CHECK(value >= 0.0);
    if (facts.nonpositive) CHECK(value <= 0.0);
  };
  const GraphPointer graph = std::make_shared<Graph>();
  Vector symbols{make_symbol(graph, "a"), make_symbol(graph, "b", SignFacts::positive()),
                 make_symbol(graph, "c", {true, false, true}),
                 make_symbol(graph, "d", {false, true, false})};
  test_support::RandomExpressions random(
      11, symbols, {{0.7L, 1.3L, -0.8L, 0.0L}, {-1.1L, 0.2L, -2.0L, 1.4L}}, 1e-16L);
  for (int i = 0; i < 20000; ++i) random.grow();
  int known = 0;
  for (const auto& [expression, plain] : random.pool()) {
    for (const auto& value : plain) {
      if (value.error < std::fabs(value.value)) check(expression, double(value.value));
    }
    known += expression.facts().nonzero;
  }
  CHECK(known > 100);
}

TEST_CASE("Constants are folded to about 106 bits") {
  using dalembert::study::Extended;
  const Extended third = Extended(1) / 3, unit = Extended(1e-31);
  const auto value = [](const Expr& e) { return e.constant().as<Extended>(); };
  CHECK(abs(value(Expr(1.0) / 3.0) - third) < unit);
  CHECK(abs(value(Expr(1.0) / 3.0 + 1.0 / Expr(7.0)) - (third + Extended(1) / 7)) < unit);
  CHECK(abs(value(Expr(1.0) / 3.0 * (Expr(2.0) / 7.0)) - third * 2 / 7) < unit);
  CHECK(abs(value(sqrt(Expr(2.0))) - sqrt(Extended(2))) < unit);
  CHECK(abs(value(Expr(pi_constant)) - 4 * atan(Extended(1))) < 4 * unit);
  CHECK(sin(Expr(1.0)).constant().high == std::sin(1.0));
  CHECK(Expr(1.0 / 0.0).is_constant());
  CHECK((Expr(1.0) / 0.0).constant().high == std::numeric_limits<double>::infinity());
}

TEST_CASE("Simplified graphs keep the values of the formulas they were built from") {
  // Rounding of 64 bits in the plain values. Constants through functions are folded to 64 bits too,
  // and what grows from one of these, by a hundred at most, the bound does not see.
  constexpr double of_constants = test_support::round_off_of<long double>(100.0);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector symbols{make_symbol(graph, "t"), make_symbol(graph, "x"), make_symbol(graph, "y"),
                         make_symbol(graph, "k", {}, true),
                         make_symbol(graph, "m", SignFacts::positive(), true)};
    const std::vector<std::vector<long double>> points{{0.3L, 0.7L, -1.2L, 0.9L, 1.7L},
                                                       {-1.4L, 1.1L, 0.4L, -0.6L, 0.2L}};
    test_support::RandomExpressions random(seed, symbols, points, 0x1p-62L);
    for (int i = 0; i < 300; ++i) random.grow();
    for (std::size_t k = 0; k < points.size(); ++k) {
      DirectEvaluation<long double> evaluate(symbols, points[k]);
      for (const auto& [expression, plain] : random.pool()) {
        const long double value = evaluate(expression), expected = plain[k].value;
        CHECK_MESSAGE(std::fabs(value - expected) <= 8.0L * plain[k].error + of_constants, "seed ",
                      seed, ": ", double(value), " instead of ", double(expected));
      }
    }
  }
}

TEST_CASE("Expressions of two graphs do not mix") {
  const GraphPointer one = std::make_shared<Graph>(), two = std::make_shared<Graph>();
  const Expr x = make_symbol(one, "x"), y = make_symbol(two, "y");
  CHECK_THROWS_AS(static_cast<void>(x + y), RequestError);
  CHECK_THROWS_AS(static_cast<void>(atan2(x, y)), RequestError);
}
