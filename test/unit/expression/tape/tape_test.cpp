#include "dalembert/expression/tape/tape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/tape/interpreter.hpp"
#include "study/extended.hpp"
#include "support/direct_evaluation.hpp"
#include "support/random_expression.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using test_support::DirectEvaluation;

namespace {

/// Runs a whole tape: outputs for given inputs.
template <class Number>
std::vector<Number> run(const Tape& tape, const std::vector<Number>& inputs) {
  std::vector<Number> slots(tape.slot_count, Number(0.0)),
      workspace(tape.largest_solve * (tape.largest_solve + 2)), outputs;
  for (const auto& [slot, value] : tape.constants) slots[slot] = value.template as<Number>();
  for (std::size_t i = 0; i < inputs.size(); ++i) slots[tape.inputs[i]] = inputs[i];
  run_tape<Number>(tape.view(), 0, tape.code.size(), slots.data(), workspace.data());
  for (const std::uint32_t slot : tape.outputs) outputs.push_back(slots[slot]);
  return outputs;
}

/// A random graph with linear systems in it: symbols, then the expressions to compute.
struct RandomGraph {
  const GraphPointer graph = std::make_shared<Graph>();
  Vector symbols, outputs;

  RandomGraph(std::uint64_t seed, int size) {
    for (const char* name : {"a", "b", "c", "d"}) symbols.push_back(make_symbol(graph, name));
    test_support::RandomExpressions random(
        seed, symbols, {{0.4L, -0.7L, 1.2L, 0.1L}, {1.3L, 0.2L, -0.5L, 0.8L}}, 0x1p-53L);
    for (int i = 0; i < size; ++i) random.grow();
    const auto any = [&] { return random.pick().expression; };
    Matrix matrix(3, 3);
    for (Expr& entry : matrix.entries()) entry = any();
    for (std::size_t i = 0; i < 3; ++i) matrix(i, i) = any() + 3.0 * symbols[i];
    try {
      outputs = solve_linear(matrix, {any(), any(), any()});
    } catch (const std::domain_error&) {  // structurally singular by chance
    }
    for (int i = 0; i < 12; ++i) outputs.push_back(any());
    outputs.push_back(symbols[2]);  // an input, a constant and a repetition as outputs
    outputs.push_back(0.25);
    outputs.push_back(outputs.front());
  }
};

bool same_value(double a, double b) { return numeric_test::same(a, b); }

std::vector<double> random_point(numeric_test::Random& random) {
  std::vector<double> point;
  for (int i = 0; i < 4; ++i) point.push_back(random.uniform(-1.5, 1.5));
  return point;
}

/// The tape's value equals that of the plain evaluation, bit for bit (both round every operation).
template <class Number>
void check_direct(const RandomGraph& g, const Tape& tape, const std::vector<double>& point) {
  const std::vector<Number> inputs(point.begin(), point.end());
  const std::vector<Number> outputs = run<Number>(tape, inputs);
  DirectEvaluation<Number> direct(g.symbols, inputs);
  for (std::size_t i = 0; i < g.outputs.size(); ++i) {
    const Number expected = direct(g.outputs[i]);
    const bool equal = outputs[i] == expected || (outputs[i] != outputs[i] && expected != expected);
    CHECK(equal);
  }
}

template <int N>
void check_lanes(const Tape& tape, numeric_test::Random& random) {
  using Lanes = numeric::Lanes<N>;
  std::vector<std::vector<double>> points;
  std::vector<Lanes> inputs(4);
  for (int lane = 0; lane < N; ++lane) {
    points.push_back(random_point(random));
    for (std::size_t i = 0; i < 4; ++i) inputs[i].set(lane, points.back()[i]);
  }
  const std::vector<Lanes> outputs = run<Lanes>(tape, inputs);
  for (int lane = 0; lane < N; ++lane) {
    const std::vector<double> alone = run<double>(tape, points[static_cast<std::size_t>(lane)]);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      CHECK(same_value(outputs[i].get(lane), alone[i]));
  }
}

}  // namespace

TEST_CASE("Tapes of random graphs give the plain values in every number type, lanes bit for bit") {
  numeric_test::Random random{99};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomGraph g(seed, seed < 50 ? 80 : 2000);
    const Tape tape = TapeWriter(g.graph, {}, g.symbols).finish(g.outputs);
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> point = random_point(random);
      check_direct<double>(g, tape, point);
      check_direct<long double>(g, tape, point);
      if (k == 0) check_direct<dalembert::study::Extended>(g, tape, point);
    }
    check_lanes<4>(tape, random);
    check_lanes<8>(tape, random);
  }
}

TEST_CASE("Tapes of derivatives of random graphs") {
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    RandomGraph g(seed, 60);
    const Matrix slopes = jacobian(g.outputs, g.symbols);
    g.outputs = slopes.entries();
    const Tape tape = TapeWriter(g.graph, {}, g.symbols).finish(g.outputs);
    check_direct<double>(g, tape, {0.3, -0.8, 1.1, 0.6});
  }
}

TEST_CASE("Slots are reused, and still every value is right") {
  // A long chain needs few slots at a time; each intermediate value is used once, far from others.
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Expr chain = x;
  for (int i = 0; i < 5000; ++i) chain = sin(chain + y) + cos(chain) * Expr(0.5 + i);
  const Tape tape = TapeWriter(graph, {}, {x, y}).finish({chain});
  CHECK(tape.slot_count < 5000 + 20);  // the constants, and a handful
  DirectEvaluation<double> direct({x, y}, {0.3, 0.4});
  CHECK(run<double>(tape, {0.3, 0.4}).front() == direct(chain));
}

TEST_CASE("Slots that are all alive at once") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Vector values{x};
  for (int i = 1; i < 400; ++i) values.push_back(sin(values.back() + y * Expr(double(i))));
  Expr sum = 0.0;  // the last made is used first
  for (auto value = values.rbegin(); value != values.rend(); ++value) sum = sum * y + *value;
  const Tape tape = TapeWriter(graph, {}, {x, y}).finish({sum, values[200], values[3]});
  DirectEvaluation<double> direct({x, y}, {0.3, 0.9});
  const auto outputs = run<double>(tape, {0.3, 0.9});
  CHECK(outputs[0] == direct(sum));
  CHECK(outputs[1] == direct(values[200]));
  CHECK(outputs[2] == direct(values[3]));
}

TEST_CASE("A product that is an output is computed even where a sum uses it once") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Tape tape = TapeWriter(graph, {}, {x, y, z}).finish({x * y, x * y + z, y * z, x - y * z});
  const auto outputs = run<double>(tape, {2.0, 3.0, 5.0});
  CHECK(outputs == std::vector<double>{6.0, 11.0, 15.0, -13.0});
}

TEST_CASE("Products are fused with the sum that alone uses them, rounding twice") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Tape tape = TapeWriter(graph, {}, {x, y, z}).finish({x * y + z, x * x - z, z - y * y});
  CHECK(tape.count(TapeOperation::multiply_add) == 1);
  CHECK(tape.count(TapeOperation::multiply_subtract) == 1);
  CHECK(tape.count(TapeOperation::negative_multiply_add) == 1);
  CHECK(tape.count(TapeOperation::multiply) == 0);
  const double a = 1.0 + 0x1p-30, c = -(1.0 + 0x1p-29);
  CHECK(run<double>(tape, {a, a, c}).front() == 0.0);  // one rounding would leave 2^-60
}

TEST_CASE("Sine and cosine of one argument are computed together") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x");
  const Tape tape = TapeWriter(graph, {}, {x}).finish({sin(x), cos(x), sin(3.0 * x)});
  CHECK(tape.count(TapeOperation::sine_cosine) == 1);
  CHECK(tape.count(TapeOperation::sin) == 1);
  CHECK(tape.count(TapeOperation::cos) == 0);
  const auto outputs = run<double>(tape, {0.7});
  // One in the last place of each library's value.
  constexpr double units = test_support::round_off_of(4.0);
  CHECK(outputs[0] == doctest::Approx(std::sin(0.7)).epsilon(units));
  CHECK(outputs[1] == doctest::Approx(std::cos(0.7)).epsilon(units));
}

TEST_CASE("Functions of doubled angles are products of functions of the angles") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const Expr angle = x + 0.5 * y, doubled = 2.0 * angle;
  const auto written = [&](const Vector& outputs) {
    return TapeWriter(graph, {}, {x, y}).finish(outputs);
  };
  const Tape all = written({sin(angle), sin(doubled), cos(doubled)});
  CHECK(all.count(TapeOperation::sine_cosine) == 1);
  CHECK(all.count(TapeOperation::sin) + all.count(TapeOperation::cos) == 0);
  // Whatever else a tape computes, the bits of a value are the same.
  const Tape sine = written({sin(doubled)}), cosine = written({cos(doubled)});
  for (const double at : {-3.1, -0.4, 0.0, 0.7, 1.5, 1e5}) {
    const std::vector<double> inputs{at, 0.3}, values = run<double>(all, inputs);
    CHECK(run<double>(sine, inputs).front() == values[1]);
    CHECK(run<double>(cosine, inputs).front() == values[2]);
    // A rounding of each function, of the product and of the difference; the first two doubled.
    const double sum = at + 0.5 * 0.3, tolerance = 8 * 0x1p-53;
    CHECK(std::fabs(values[1] - std::sin(2.0 * sum)) <= tolerance);
    CHECK(std::fabs(values[2] - std::cos(2.0 * sum)) <= tolerance);
    // A sine keeps its digits where it vanishes.
    CHECK(values[1] ==
          doctest::Approx(std::sin(2.0 * sum)).epsilon(test_support::round_off_of(8.0)));
  }
}

TEST_CASE("What depends on setup inputs alone is computed in the setup") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr k = make_symbol(graph, "k", {}, true), h = make_symbol(graph, "h", {}, true);
  const Expr x = make_symbol(graph, "x");
  const Tape tape = TapeWriter(graph, {k, h}, {x}).finish({sin(k * h) * x, exp(k) + h});
  CHECK(tape.setup_end > 0);
  CHECK(tape.count(TapeOperation::sin) == 0);
  CHECK(tape.count(TapeOperation::exp) == 0);
  DirectEvaluation<double> direct({k, h, x}, {0.5, 0.25, 3.0});
  const auto outputs = run<double>(tape, {0.5, 0.25, 3.0});
  CHECK(outputs[0] == direct(sin(k * h) * x));
  CHECK(outputs[1] == direct(exp(k) + h));
}

TEST_CASE("Groups of one tape are independent") {
  RandomGraph g(5, 100);
  const Tape tape = TapeWriter(g.graph, {}, g.symbols).finish(g.outputs);
  constexpr int groups = 3;
  numeric_test::Random random{3};
  std::vector<std::vector<double>> points{random_point(random), random_point(random),
                                          random_point(random)};
  std::vector<double> slots(tape.slot_count * groups),
      workspace(tape.largest_solve * (tape.largest_solve + 2));
  for (std::size_t k = 0; k < groups; ++k) {
    for (const auto& [slot, value] : tape.constants) slots[slot * groups + k] = value.as<double>();
    for (std::size_t i = 0; i < 4; ++i) slots[tape.inputs[i] * groups + k] = points[k][i];
  }
  run_tape<double, groups>(tape.view(), 0, tape.code.size(), slots.data(), workspace.data());
  for (std::size_t k = 0; k < groups; ++k) {
    const auto alone = run<double>(tape, points[k]);
    for (std::size_t i = 0; i < alone.size(); ++i)
      CHECK(same_value(slots[tape.outputs[i] * groups + k], alone[i]));
  }
}

TEST_CASE("A compiled function checks its symbols and allocates nothing per call") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  CHECK_THROWS_AS(CompiledFunction({x}, {x + y}), std::logic_error);
  CHECK_THROWS_AS(CompiledFunction({x, x}, {x}), RequestError);
  CHECK_THROWS_AS(CompiledFunction({x}, {opaque_function("f", x)}), std::logic_error);
  CompiledFunction f({x, y}, {x / y, sqrt(x)});
  CompiledFunction copy = f;
  CHECK(f(std::vector<double>{1.0, 4.0}) == std::vector<double>{0.25, 1.0});
  CHECK(copy(std::vector<double>{9.0, 3.0}) == std::vector<double>{3.0, 3.0});
  CHECK(std::isinf(f(std::vector<double>{1.0, 0.0})[0]));
  CHECK(std::isnan(f(std::vector<double>{-1.0, 1.0})[1]));
}
