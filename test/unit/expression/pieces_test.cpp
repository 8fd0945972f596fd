// Functions made of pieces: floor, min, max, and what conditions choose.

#include "dalembert/expression/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
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
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/expression/text/serialise.hpp"
#include "dalembert/numeric/lanes.hpp"
#include "study/extended.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using numeric_test::same;
using test_support::DirectEvaluation;

namespace {

struct Symbols {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), t = make_symbol(graph, "t");
  const Scope scope{.names = {{"x", x}, {"y", y}, {"t", t}}, .arrays = {}, .sizes = {}};

  Expr read(const std::string& text) const { return parse(text, scope); }
  Vector all() const { return {x, y, t}; }
};

/// A text and what it means, on doubles.
struct Meaning {
  const char* text;
  double (*value)(double x, double y, double t);
};

constexpr double far = std::numeric_limits<double>::infinity();

const std::vector<Meaning> meanings = {
    {"max(x, y)", [](double x, double y, double) { return std::max(x, y); }},
    {"min(x, y, t)",
     [](double x, double y, double t) {
       return std::min({x, y, t});
     }},
    {"max(x, 0)", [](double x, double, double) { return std::max(x, 0.0); }},
    {"min(0, x) - max(0, -y)",
     [](double x, double y, double) { return std::min(0.0, x) - std::max(0.0, -y); }},
    {"floor(3*x)", [](double x, double, double) { return std::floor(3.0 * x); }},
    {"x - floor(x)", [](double x, double, double) { return x - std::floor(x); }},
    {"piecewise(x, t < 0.5, y)", [](double x, double y, double t) { return t < 0.5 ? x : y; }},
    {"piecewise(x, t <= 0.5, y)", [](double x, double y, double t) { return t <= 0.5 ? x : y; }},
    {"piecewise(x, t > 0.5, y)", [](double x, double y, double t) { return t > 0.5 ? x : y; }},
    {"piecewise(x, t >= 0.5, y)", [](double x, double y, double t) { return t >= 0.5 ? x : y; }},
    {"piecewise(1, -0.5 < t <= 0.5, 0)",
     [](double, double, double t) { return -0.5 < t && t <= 0.5 ? 1.0 : 0.0; }},
    {"piecewise(1, x < y < t, 2, x > y > t, 3)",
     [](double x, double y, double t) {
       return x < y && y < t ? 1.0 : x > y && y > t ? 2.0 : 3.0;
     }},
    {"piecewise(x, x > 0 and y > 0 or not (t < 0 or x >= y), y)",
     [](double x, double y, double t) { return (x > 0 && y > 0) || !(t < 0 || x >= y) ? x : y; }},
    {"piecewise(x, not x > 0 and (t > 0 or y > 0), 5*t, not not t >= y, y)",
     [](double x, double y, double t) {
       return !(x > 0) && (t > 0 || y > 0) ? x : t >= y ? 5.0 * t : y;
     }},
    {"2*piecewise(sqrt(x), x >= 0, sqrt(-x)) + 1",
     [](double x, double, double) {
       return 2.0 * (x >= 0.0 ? std::sqrt(x) : std::sqrt(-x)) + 1.0;
     }},
};

/// Values at which every comparison of the texts is met with equality, and others.
std::vector<std::array<double, 3>> pieces_points() {
  std::vector<std::array<double, 3>> points;
  for (const double x : {-0.5, 0.0, 0.5, 1.0}) {
    for (const double y : {-0.5, 0.0, 0.5}) {
      for (const double t : {-0.5, 0.0, 0.5, 1.0}) points.push_back({x, y, t});
    }
  }
  numeric_test::Random random{7};
  for (int i = 0; i < 200; ++i)
    points.push_back({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)});
  return points;
}

}  // namespace

TEST_CASE("Texts of pieces mean what C++ means by them") {
  const Symbols s;
  for (const Meaning& meaning : meanings) {
    CAPTURE(meaning.text);
    CompiledFunction function(s.all(), {s.read(meaning.text)});
    for (const auto& [x, y, t] : pieces_points())
      CHECK(function(std::array{x, y, t})[0] == meaning.value(x, y, t));
  }
}

TEST_CASE("What is not taken enters neither the value nor a derivative") {
  const Symbols s;
  const Expr root =
      s.read("piecewise(sqrt(x), x > 0, 0) + piecewise(0, y < 1, log(y - 1)/(y - 1))");
  const Vector slope = gradient(root, {s.x, s.y});
  const Vector curvature = gradient(slope[0], {s.x, s.y});
  CompiledFunction function(s.all(), {root, slope[0], slope[1], curvature[0]});
  const std::vector<double> values = function(std::array{-1.0, 0.5, 0.0});
  for (const double value : values) CHECK(value == 0.0);
  const std::vector<double> taken = function(std::array{4.0, 0.5, 0.0});
  CHECK(taken[0] == 2.0);
  CHECK(taken[1] == 0.25);
  // -1/(4 x sqrt(x)), in some five operations.
  CHECK(taken[3] == doctest::Approx(-1.0 / 32.0).epsilon(test_support::round_off_of(5.0)));
  const std::vector<double> at_switch = function(std::array{0.0, 0.5, 0.0});
  CHECK(at_switch[0] == 0.0);
  CHECK(at_switch[1] == 0.0);
}

TEST_CASE("Where a condition is no number, nor is the value") {
  const Symbols s;
  CompiledFunction function(
      s.all(), {s.read("piecewise(1, x < 0, 2)"), s.read("max(x, y)"), s.read("max(y, x)"),
                s.read("min(x, 0)"), s.read("piecewise(1, y > 0 and x > 0, 2)"),
                s.read("piecewise(1, y < 0 and x > 0, 2)")});
  const std::vector<double> values =
      function(std::array{std::numeric_limits<double>::quiet_NaN(), 1.0, 0.0});
  for (std::size_t i = 0; i < 5; ++i) CHECK(std::isnan(values[i]));
  CHECK(values[5] == 2.0);  // decided by what comes first
  CHECK(function(std::array{far, 1.0, 0.0})[1] == far);
  CHECK(function(std::array{-far, 1.0, 0.0})[1] == 1.0);
}

TEST_CASE("Derivatives of pieces are those of what is taken, also of pieces within pieces") {
  const Symbols s;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"max(x^2, y^3)", "piecewise(2*x, x^2 - y^3 >= 0, 0)"},
      {"min(x^2, y)", "piecewise(2*x, y >= x^2, 0)"},
      {"sin(max(x, 2*y))", "piecewise(cos(x), x >= 2*y, 0)"},
      {"floor(x)*x", "floor(x)"},
      {"piecewise(piecewise(x^3, y < 0, x^2), t < 0, x)*x",
       "piecewise(piecewise(4*x^3, y < 0, 3*x^2), t < 0, 2*x)"},
      {"max(max(x, y)^2, t)", "piecewise(piecewise(2*x, x >= y, 0), max(x, y)^2 >= t, 0)"}};
  for (const auto& [text, derivative] : cases) {
    const std::string& shown = text;  // bindings cannot be captured
    CAPTURE(shown);
    CompiledFunction function(s.all(), {gradient(s.read(text), {s.x})[0], s.read(derivative)});
    for (const auto& point : pieces_points()) {
      const std::vector<double> values = function(point);
      // The same products and sums of up to ten factors, in another order.
      CHECK(values[0] == doctest::Approx(values[1]).epsilon(test_support::round_off_of(10.0)));
    }
  }
}

TEST_CASE("A tower of choices is differentiated in time that grows with its height") {
  const Symbols s;
  Expr tower = s.x;
  for (int i = 0; i < 60; ++i) tower = select(s.t - double(i), tower * 1.5, tower + s.x);
  CompiledFunction function(s.all(), {tower, gradient(tower, {s.x})[0]});
  const std::vector<double> values = function(std::array{2.0, 0.0, 10.5});
  CHECK(values[0] == 2.0 * values[1]);
}

TEST_CASE("Printed pieces read back as the same expression") {
  const Symbols s;
  for (const Meaning& meaning : meanings) {
    const Expr expression = s.read(meaning.text);
    CAPTURE(meaning.text);
    CAPTURE(to_string(expression));
    CHECK(same(s.read(to_string(expression)), expression));
    const Expr slope = gradient(expression, {s.x})[0];
    CAPTURE(to_string(slope));
    CompiledFunction both(s.all(), {slope, s.read(to_string(slope))});
    for (const auto& point : pieces_points()) {
      const std::vector<double> values = both(point);
      CHECK(same(values[0], values[1]));
    }
  }
  CHECK(to_string(s.read("max(x, y)")) == "max(x, y)");
  CHECK(to_string(s.read("min(x, y)")) == "min(x, y)");
  CHECK(to_string(s.read("max(x, 0)")) == "max(x, 0)");
  CHECK(to_string(s.read("piecewise(x, t < y, 0)")) == "piecewise(x, t < y, 0)");
  CHECK(to_string(s.read("piecewise(x, t >= y, x^2)")) == "piecewise(x, t >= y, x^2)");
  CHECK(to_string(s.read("piecewise(x, x < t < y, 0)")) == "piecewise(x, x < t and (t < y), 0)");
}

TEST_CASE("Lanes, long numbers and serialised pieces give what one double gives") {
  const Symbols s;
  Vector outputs;
  for (const Meaning& meaning : meanings) {
    outputs.push_back(s.read(meaning.text));
    outputs.push_back(gradient(outputs.back(), {s.x})[0]);
  }
  CompiledFunction function(s.all(), outputs);
  const Tape& tape = function.tape();
  using Four = numeric::Lanes<4>;
  const auto points = pieces_points();
  Vector written = s.all();
  written.insert(written.end(), outputs.begin(), outputs.end());
  const std::string text = serialise(written);
  const Vector again = deserialise(text);
  CHECK(serialise(again) == text);
  CompiledFunction reread({again[0], again[1], again[2]}, {again.begin() + 3, again.end()});
  for (std::size_t first = 0; first + 4 <= points.size(); first += 4) {
    std::vector<Four> slots(tape.slot_count, Four(0.0)), workspace(1);
    for (const auto& [slot, value] : tape.constants) slots[slot] = Four(value.high);
    for (int lane = 0; lane < 4; ++lane) {
      for (std::size_t i = 0; i < 3; ++i)
        numeric::set_lane(slots[tape.inputs[i]], lane,
                          points[first + static_cast<std::size_t>(lane)][i]);
    }
    run_tape<Four>(tape.view(), 0, tape.code.size(), slots.data(), workspace.data());
    for (int lane = 0; lane < 4; ++lane) {
      const auto& point = points[first + static_cast<std::size_t>(lane)];
      const std::vector<double> one = function(point), other = reread(point);
      DirectEvaluation<study::Extended> direct(s.all(), {point[0], point[1], point[2]});
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        CHECK(same(one[i], numeric::get_lane(slots[tape.outputs[i]], lane)));
        CHECK(same(one[i], other[i]));
        const auto longer = static_cast<double>(direct(outputs[i]));
        // Some ten operations on numbers of size one and two.
        constexpr double tolerance = test_support::round_off_of(20.0);
        if (std::isfinite(one[i])) CHECK(one[i] == doctest::Approx(longer).epsilon(tolerance));
      }
    }
  }
}

TEST_CASE("Pieces of constants are carried out, and floor sees all bits of a constant") {
  const Symbols s;
  CHECK(s.read("max(1, 2, 3)").is_constant(3.0));
  CHECK(s.read("piecewise(1, 2 < 1, 5, 3 > 2 > 1, 7)").is_constant(5.0));
  CHECK(s.read("floor(-0.5)").is_constant(-1.0));
  CHECK(s.read("floor(-1/3*3)").is_constant(-1.0));
  CHECK(floor(Expr(Constant{3.0, -1e-20})).is_constant(2.0));
  CHECK(same(s.read("piecewise(x, t < 1, x)"), s.x));
}

TEST_CASE("Mistakes in pieces are named") {
  const Symbols s;
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"piecewise(1, t < 1)", "the value where no condition holds is missing"},
      {"piecewise(1, t < 1, 2, t < 2)", "the value where no condition holds is missing"},
      {"piecewise(1)", "expected piecewise(value, condition, ..., otherwise)"},
      {"piecewise(1, t, 2)", "expected a condition, such as t < 1"},
      {"piecewise(t < 1, 1, 2)", "a condition where a number is wanted"},
      {"piecewise(1, t = 1, 2)", "numbers are compared by <, <=, > and >="},
      {"piecewise(1, t != 1, 2)", "numbers are compared by <, <=, > and >="},
      {"piecewise(1, not t, 2)", "expected a condition"},
      {"piecewise(1, t < 1 and x, 2)", "expected a condition"},
      {"piecewise(1, (t < 1)*2 > 0, 2)", "a condition where a number is wanted"},
      {"t < 1", "a condition where a number is wanted"},
      {"-(t < 1)", "a condition where a number is wanted"},
      {"1/(t < 1)", "a condition where a number is wanted"},
      {"(t < 1)^2", "a condition where a number is wanted"},
      {"sin(t < 1)", "a condition where a number is wanted"},
      {"max(x)", "expected two or more numbers: max(a, b, ...)"},
      {"min()", "expected a number"},
      {"mx(x, y)", "did you mean \"max\"?"},
      {"piecewize(x, t < 1, y)", "did you mean \"piecewise\"?"}};
  for (const auto& [text, sentence] : mistakes) {
    const std::string& shown = text;
    CAPTURE(shown);
    CHECK_THROWS_WITH_AS(s.read(text), doctest::Contains(sentence.c_str()), ParseError);
  }
}
