#include "dalembert/expression/derivative.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/pieces.hpp"
#include "study/extended.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using test_support::DirectEvaluation;

namespace {

/// d e / d symbols[i] by a central difference of order 6. With an increment of 1e-5 its error is
/// 1e-30/140 times the seventh derivative, and 1e-29 from rounding. The largest is that of a linear
/// system that is singular 0.04 away: 1e-30/140 9!/3!/0.04^6 = 1e-19 for its third derivative.
Extended difference(const Expr& e, const Vector& symbols, const std::vector<Extended>& at,
                    std::size_t i) {
  const Extended step = 1e-5;
  const auto shifted = [&](int k) {
    std::vector<Extended> point = at;
    point[i] += step * k;
    return DirectEvaluation<Extended>(symbols, point)(e);
  };
  const auto odd = [&](int k) { return shifted(k) - shifted(-k); };
  return (45 * odd(1) - 9 * odd(2) + odd(3)) / (60 * step);
}

/// That, and constants through functions, which are folded to 64 bits.
const Extended derivative_tolerance = 5e-19;

/// The symbolic derivatives of e up to third order agree with differences of the derivative before.
void check_derivatives(const std::string& what, const Expr& e, const Vector& symbols,
                       const std::vector<Extended>& at, int order = 3) {
  const Vector slopes = gradient(e, symbols);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const Extended expected = difference(e, symbols, at, i);
    const Extended found = DirectEvaluation<Extended>(symbols, at)(slopes[i]);
    const Extended error = abs(found - expected) / (1 + abs(expected));
    CHECK_MESSAGE(error < derivative_tolerance, what, ": ", static_cast<double>(found),
                  " instead of ", static_cast<double>(expected));
    if (order > 1) check_derivatives(what + "'", slopes[i], symbols, at, order - 1);
    // The forward sweep finds the same.
    Vector direction = zeros(symbols.size());
    direction[i] = 1.0;
    const Expr forward = forward_derivative({e}, symbols, direction).front();
    const Extended other = DirectEvaluation<Extended>(symbols, at)(forward);
    const Extended apart = abs(other - found) / (1 + abs(found));
    CHECK_MESSAGE(apart < 1e-28, what, ", forward: ", static_cast<double>(other), " instead of ",
                  static_cast<double>(found));
  }
}

}  // namespace

TEST_CASE("Derivatives of every operation up to third order") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const std::vector<std::pair<std::string, Expr>> cases{
      {"negate", -(x * y)},
      {"add", x + sin(y)},
      {"subtract", cos(x) - y * y},
      {"multiply", x * x * y},
      {"divide", x / (y + 2.0)},
      {"divide by itself", (x + y) / (x + y)},
      {"power", pow(x, y)},
      {"power of itself", pow(x, x)},
      {"real power", pow(x, 2.7)},
      {"whole power", pow(x, 5.0) * pow(y, -2.0)},
      {"large power", pow(x, 65.0)},
      {"constant base", pow(Expr(2.5), x * y)},
      {"atan2", atan2(x, y)},
      {"atan2 of itself", atan2(x, x * y)},
      {"sqrt", sqrt(x + y)},
      {"sin", sin(x * y)},
      {"cos", cos(x * y)},
      {"tan", tan(x * y)},
      {"asin", asin(x * y)},
      {"acos", acos(x * y)},
      {"atan", atan(x * y)},
      {"sinh", sinh(x * y)},
      {"cosh", cosh(x * y)},
      {"tanh", tanh(x * y)},
      {"exp", exp(x * y)},
      {"log", log(x + y * y)},
      {"abs", abs(x - y) * x},
      {"sign", sign(x - y) * sin(x)},
      {"sinc", sinc(x * y)},
      {"sinc of order 2", sinc(x + y, 2)},
      {"sinhc", sinhc(x * y)},
      {"sinhc of order 1", sinhc(x - y, 1)},
      {"sinc_root, the cosine", sinc_root(x * y, -1)},
      {"sinc_root", sinc_root(x * x + 6.0 * y, 0)},
      {"sinc_root of order 2", sinc_root(x + y, 2)},
      {"nested", exp(sin(x * y)) / sqrt(1.0 + square(tanh(x - y)))},
  };
  for (const auto& [what, e] : cases) {
    check_derivatives(what, e, {x, y}, {Extended(0.83), Extended(0.61)});
    check_derivatives(what, e, {x, y}, {Extended(0.27), Extended(1.19)});
  }
}

TEST_CASE("Derivatives of sinc and sinhc at zero, where the quotient has no value") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  check_derivatives("sinc at 0", sinc(x - y), {x, y}, {Extended(0.5), Extended(0.5)});
  check_derivatives("sinhc at 0", sinhc(x * y), {x, y}, {Extended(0), Extended(0.5)});
}

TEST_CASE("Functions of a square have all derivatives at zero") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr t = make_symbol(graph, "t"), x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  for (int order = -1; order <= 2; ++order) {
    Expr derivative = sinc_root(t, order);
    Extended expected = 1;
    for (int k = 1; k <= order; ++k) expected /= 2 * k + 1;
    for (int n = 0; n <= 4; ++n) {
      // d^n F_k at 0 = (-1/2)^n / (1 3 5 ... (2k + 2n + 1))
      const Extended found = DirectEvaluation<Extended>({t}, {Extended(0)})(derivative);
      // A product and a quotient for each of eight factors at most.
      CHECK(abs(found - expected) < test_support::round_off_of<Extended>(8.0));
      derivative = gradient(derivative, {t})[0];
      expected /= -2 * (2 * (order + n + 1) + 1);
    }
    check_derivatives("sinc_root of a square at 0", sinc_root(x * x + y * y, order), {x, y},
                      {Extended(0), Extended(0)});
  }
}

TEST_CASE("Derivatives through linear systems, up to third order") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(3, 3);
  a.entries() = {x + 2.0, sin(y), x * y, y, cos(x), 1.0 + x, exp(x) - 2.0, x - y, y * y};
  const Vector solution = solve_linear(a, {x * x, y + 1.0, sin(x * y)});
  bool has_solve = false;
  for (NodeId id = 0; id < graph->size(); ++id)
    has_solve = has_solve || graph->node(id).operation == Operation::solve;
  CHECK(has_solve);
  for (const Expr& entry : solution)
    check_derivatives("solve", entry, {x, y}, {Extended(0.83), Extended(0.61)});
  check_derivatives("function of a solution", sin(solution[0] * solution[2]) + solution[1], {x, y},
                    {Extended(0.4), Extended(-0.3)}, 2);
}

TEST_CASE("Jacobian and directional derivative") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Vector f{x * y * z, sin(x) + y, z};
  const Matrix j = jacobian(f, {x, y, z});
  CHECK(same(j(0, 0), y * z));
  CHECK(same(j(1, 0), cos(x)));
  CHECK(same(j(1, 1), Expr(1.0)));
  CHECK(same(j(2, 0), Expr(0.0)));
  const Vector d = directional_derivative(f, {x, y, z}, {1.0, 0.0, 2.0});
  CHECK(same(d[1], cos(x)));
  CHECK(same(d[2], Expr(2.0)));
  const Vector swept = forward_derivative(f, {x, y, z}, {1.0, 0.0, 2.0});
  CHECK(same(swept[1], cos(x)));
  CHECK(same(swept[2], Expr(2.0)));
  CHECK_THROWS_AS(forward_derivative(f, {x * y}, {1.0}), RequestError);
  // What is not chosen does not count, also where its derivative is nan.
  const Expr chosen = select(x, sqrt(x) * y, square(x));
  const Expr slope = forward_derivative({chosen}, {x}, {1.0}).front();
  DirectEvaluation<Extended> left({x, y}, {Extended(-2), Extended(1)});
  DirectEvaluation<Extended> right({x, y}, {Extended(4), Extended(3)});
  CHECK(static_cast<double>(left(slope)) == -4.0);
  CHECK(static_cast<double>(right(slope)) == 0.75);
}

TEST_CASE("Constants, symbols and absent symbols") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  CHECK(same(gradient(x, {x, y})[0], Expr(1.0)));
  CHECK(same(gradient(x, {x, y})[1], Expr(0.0)));
  CHECK(same(gradient(Expr(3.0), {x})[0], Expr(0.0)));
  CHECK_THROWS_AS(gradient(x * y, {x * y}), RequestError);
}

TEST_CASE("A sparse Jacobian has the entries of the whole one") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Vector f{x * y, sin(z) + x, 3.0, y / z};
  const Matrix whole = jacobian(f, {x, y, z});
  const SparseRows<Expr> rows = sparse_jacobian(f, {x, y, z});
  REQUIRE(rows.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const auto entry = rows[i].find(j);
      CHECK(same(entry == rows[i].end() ? Expr(0.0) : entry->second, whole(i, j)));
    }
  }
}
