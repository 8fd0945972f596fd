// Functions that are given by points.

#include "dalembert/expression/table/table.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/expression/tape/number_function.hpp"
#include "dalembert/expression/text/serialise.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/lanes.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using numeric_test::same;

namespace {

constexpr double table_epsilon = std::numeric_limits<double>::epsilon();
const std::vector<double> uneven{-1.0, -0.25, 0.5, 0.75, 2.0, 3.5, 4.0};

template <class Function>
TablePointer table_of(Function f, const std::vector<double>& x,
                      Table::Interpolation interpolation = Table::Interpolation::spline) {
  std::vector<double> y;
  for (const double at : x) y.push_back(f(at));
  return std::make_shared<const Table>("f", x, y, interpolation);
}

bool refused_with(const std::vector<double>& x, const std::vector<double>& y,
                  const std::string& part) {
  try {
    static_cast<void>(Table("f", x, y));
  } catch (const RequestError& error) {
    CHECK(std::string(error.what()).find(part) != std::string::npos);
    return true;
  }
  return false;
}

struct TableSymbols {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), t = make_symbol(graph, "t");
};

}  // namespace

TEST_CASE("The spline through points of a cubic is the cubic, with all its derivatives") {
  const auto cubic = [](double x) { return ((0.5 * x - 1.0) * x + 2.0) * x - 3.0; };
  const TableSymbols s;
  Expr f = look_up(table_of(cubic, uneven), s.x);
  const std::array<double (*)(double), 4> expected{
      [](double x) { return ((0.5 * x - 1.0) * x + 2.0) * x - 3.0; },
      [](double x) { return (1.5 * x - 2.0) * x + 2.0; }, [](double x) { return 3.0 * x - 2.0; },
      [](double) { return 3.0; }};
  for (const auto& exact : expected) {
    CompiledFunction value({s.x}, {f});
    for (double x = -1.0; x < 4.0; x += 0.0625) {
      // Differences of values of size 30 over intervals of a quarter, three times over.
      const std::array<double, 1> at{x};
      CHECK(std::abs(value(at)[0] - exact(x)) < 30.0 * 64.0 * 8.0 * table_epsilon);
    }
    f = gradient(f, {s.x})[0];
  }
  CHECK(f.is_constant(0.0));
}

TEST_CASE("Splines err with the fourth power of the distance of their points") {
  const auto error = [](int intervals) {
    std::vector<double> x;
    for (int i = 0; i <= intervals; ++i) x.push_back(3.0 * i / intervals);
    const TablePointer table = table_of([](double at) { return std::sin(at); }, x);
    double largest = 0.0;
    for (double at = 0.0; at < 3.0; at += 0.001)
      largest = numeric::larger(
          largest, std::abs(numeric::table_value(table->view(), 0, at) - std::sin(at)));
    return largest;
  };
  CHECK(std::log2(error(320) / error(640)) == doctest::Approx(4.0).epsilon(0.05));
}

TEST_CASE("Two points make a line, three a parabola, and points are met exactly") {
  const TablePointer line = table_of([](double x) { return 2.0 * x; }, {0.0, 1.0}),
                     parabola = table_of([](double x) { return x * x; }, {0.0, 1.0, 4.0});
  CHECK(numeric::table_value(line->view(), 0, 0.375) == 0.75);
  // Some eight operations of the cubic.
  CHECK(numeric::table_value(parabola->view(), 0, 3.0) ==
        doctest::Approx(9.0).epsilon(test_support::round_off_of(8.0)));
  const TablePointer any = table_of([](double x) { return std::exp(x); }, uneven);
  for (const double x : uneven) CHECK(numeric::table_value(any->view(), 0, x) == std::exp(x));
}

TEST_CASE("Straight lines have steps as derivatives, and nothing beyond them") {
  const TableSymbols s;
  const TablePointer table = std::make_shared<const Table>(
      "ramp", std::vector<double>{0.0, 1.0, 3.0}, std::vector<double>{0.0, 2.0, 0.0},
      Table::Interpolation::linear);
  const Expr value = look_up(table, s.x), slope = gradient(value, {s.x})[0];
  CompiledFunction both({s.x}, {value, slope});
  using Pair = std::vector<double>;
  CHECK(both(Pair{0.5}) == Pair{1.0, 2.0});
  CHECK(both(Pair{1.0}) == Pair{2.0, -1.0});  // at a point, what is to its right
  CHECK(both(Pair{2.0}) == Pair{1.0, -1.0});
  CHECK(gradient(slope, {s.x})[0].is_constant(0.0));
  CHECK(to_string(slope) == "ramp'(x)");
}

TEST_CASE("Outside its points a table keeps its first and last value") {
  const TableSymbols s;
  const Expr value = look_up(table_of([](double x) { return x * x * x; }, uneven), s.x);
  CompiledFunction both({s.x}, {value, gradient(value, {s.x})[0]});
  using Pair = std::vector<double>;
  CHECK(both(Pair{-7.0}) == Pair{-1.0, 0.0});
  CHECK(both(Pair{4.0}) == Pair{64.0, 0.0});
  CHECK(both(Pair{1e300}) == Pair{64.0, 0.0});
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(both(Pair{-infinity}) == Pair{-1.0, 0.0});
  for (const double entry : both(Pair{std::nan("")})) CHECK(std::isnan(entry));
}

TEST_CASE(
    "Tables have the same bits in lanes, after serialising, and the same values in long double") {
  const TableSymbols s;
  const TablePointer table = table_of([](double x) { return std::cos(3.0 * x); }, uneven),
                     other =
                         table_of([](double x) { return x; }, uneven, Table::Interpolation::linear);
  const Expr inner = look_up(other, s.t), argument = s.x + inner;
  const Expr f = look_up(table, argument) * s.x;
  const Vector slopes = gradient(f, {s.x, s.t});
  const Vector outputs{f, slopes[0], slopes[1]};
  CompiledFunction function({s.x, s.t}, outputs);
  NumberFunction<long double> longer({s.x, s.t}, outputs);
  const Vector written{s.x, s.t, outputs[0], outputs[1], outputs[2]};
  const std::string text = serialise(written);
  const Vector again = deserialise(text);
  CHECK(serialise(again) == text);
  CompiledFunction reread({again[0], again[1]}, {again.begin() + 2, again.end()});
  const Tape tape = write_tape({s.x, s.t}, outputs);
  using Four = numeric::Lanes<4>;
  for (double x = -3.0; x < 6.0; x += 0.7) {
    std::vector<Four> slots(tape.slot_count, Four(0.0)), workspace(1);
    for (const auto& [slot, value] : tape.constants) slots[slot] = Four(value.high);
    for (int lane = 0; lane < 4; ++lane) {
      numeric::set_lane(slots[tape.inputs[0]], lane, x + 0.2 * lane);
      numeric::set_lane(slots[tape.inputs[1]], lane, 1.0 - x);
    }
    run_tape<Four>(tape.view(), 0, tape.code.size(), slots.data(), workspace.data());
    for (int lane = 0; lane < 4; ++lane) {
      const std::vector<double> at{x + 0.2 * lane, 1.0 - x};
      const std::vector<double> one = function(at), twice = reread(at);
      const std::vector<long double> exact = longer({at[0], at[1]});
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        CHECK(same(one[i], numeric::get_lane(slots[tape.outputs[i]], lane)));
        CHECK(same(one[i], twice[i]));
        CHECK(std::abs(one[i] - static_cast<double>(exact[i])) < 1e3 * table_epsilon);
      }
    }
  }
}

TEST_CASE("Equal tables are one, other points make another node") {
  const TableSymbols s;
  const auto f = [](double x) { return x * x * x * x; };
  const Expr once = look_up(table_of(f, uneven), s.x), twice = look_up(table_of(f, uneven), s.x);
  const Expr other = look_up(table_of(f, {0.0, 1.0, 2.0, 3.0}), s.x);
  CHECK(once.id() == twice.id());
  CHECK(once.id() != other.id());
  s.graph->freeze();
  const Expr above = look_up(table_of(f, uneven), 2.0 * s.x);
  CHECK(above.graph()->table(above.id()) == s.graph->table(once.id()));
  const Expr moved = substitute(once, {s.x}, {s.t});
  CHECK(to_string(moved) == "f(t)");
  CHECK(look_up(table_of(f, uneven), 2.0).is_constant(16.0));
}

TEST_CASE("What is no table is refused") {
  const double nan = std::nan("");
  CHECK(refused_with({0.0}, {1.0}, "has 1 points; it needs at least 2"));
  CHECK(refused_with({0.0, 1.0}, {1.0}, "has 2 arguments and 1 values"));
  CHECK(refused_with({0.0, 1.0, 1.0}, {1.0, 2.0, 3.0}, "argument number 3"));
  CHECK(refused_with({0.0, 1.0}, {1.0, nan}, "point number 2 that is not finite"));
  CHECK(refused_with({0.0, 5e-324}, {0.0, 1e300}, "too steep"));
  const std::vector<double> many(Table::most_points + 1, 0.0);
  CHECK(refused_with(many, many, "at most 100000 are allowed"));
  const TableSymbols s;
  CHECK_THROWS_AS(look_up(table_of([](double x) { return x; }, uneven), s.x, -1), RequestError);
}
