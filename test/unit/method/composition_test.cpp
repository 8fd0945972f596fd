#include "dalembert/method/splitting/composition.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "dalembert/method/energy/collocation.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "dalembert/method/splitting/frame_splitting.hpp"
#include "dalembert/method/stage/spark.hpp"
#include "dalembert/method/variational.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

namespace {

std::string compose_refusal(const MethodSpec& spec) {
  try {
    make_method(spec);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}
bool mentions(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

OptionValue base_method(const std::string& name, std::map<std::string, OptionValue> options = {}) {
  return std::make_shared<const MethodSpec>(MethodSpec{name, std::move(options)});
}

using WordSeries = std::map<std::string, Constant>;

/// A series of words times exp(fraction letter), up to a length.
WordSeries times_exponential(const WordSeries& series, char letter, const Constant& fraction,
                             int length) {
  WordSeries result;
  for (const auto& [word, value] : series) {
    Constant factor = value;
    for (std::size_t k = 0; int(word.size() + k) <= length; ++k) {
      if (k > 0) factor = factor * fraction / Constant{double(k)};
      Constant& entry = result[word + std::string(k, letter)];
      entry = entry + factor;
    }
  }
  return result;
}

/// |sum_k fraction_k^power - expected|, in 106 bits.
double power_sum_error(const CompositionScheme& scheme, int power, double expected) {
  Constant sum{-expected};
  for (const Constant& fraction : scheme.fractions) {
    Constant term{1.0};
    for (int k = 0; k < power; ++k) term = term * fraction;
    sum = sum + term;
  }
  return std::fabs(sum.high);
}

}  // namespace

TEST_CASE("A base whose order cannot be raised is refused with the reason") {
  CHECK(mentions(compose_refusal({"compose", {{"base", base_method("discrete-derivative")}}}),
                 "does not map the constraint set"));
  CHECK(mentions(compose_refusal({"compose", {{"base", base_method("dla", {{"alpha", 0.4}})}}}),
                 "symmetric and of order 2"));
  CHECK(mentions(
      compose_refusal(
          {"compose", {{"base", base_method("leapfrog")}, {"scheme", std::string("yoshida-6")}}}),
      "stay at order 4"));
  CHECK(compose_refusal({"compose", {{"base", base_method("leapfrog")}}}).empty());
}

TEST_CASE("Composition coefficients are palindromes and satisfy the conditions on sums of powers") {
  for (const CompositionScheme& scheme : composition_schemes()) {
    INFO(scheme.name);
    const std::size_t count = scheme.fractions.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Constant difference = scheme.fractions[k] - scheme.fractions[count - 1 - k];
      CHECK(difference.high == 0.0);
    }
    if (!scheme.fractions_between.empty()) continue;
    // For a symmetric base of order 2: sum g = 1, sum g^3 = 0, and sum g^5 = 0 from order 6, g^7
    // from 8. The sum is one by construction. The roots of order 4 are computed to 106 bits; the
    // others are printed to 26 digits, tenfold for the slopes of the powers.
    CHECK(power_sum_error(scheme, 1, 1.0) < 1e-30);
    for (int power = 3; power < scheme.order; power += 2)
      CHECK(power_sum_error(scheme, power, 0.0) < (scheme.order == 4 ? 1e-30 : 1e-24));
    CHECK(&composition_scheme(scheme.scheme) == &scheme);
  }
  CHECK(composition_schemes().size() == 8);
}

TEST_CASE("Schemes of flows agree with the exponential of the sum, word by word") {
  int measured = 0;
  for (const CompositionScheme& scheme : composition_schemes()) {
    if (scheme.fractions_between.empty()) continue;
    ++measured;
    INFO(scheme.name);
    CHECK(scheme.fractions.size() == scheme.fractions_between.size() + 1);
    WordSeries words{{"", Constant{1.0}}};
    for (std::size_t i = 0; i < scheme.fractions.size(); ++i) {
      words = times_exponential(words, 'A', scheme.fractions[i], scheme.order + 1);
      if (i == scheme.fractions_between.size()) break;
      words = times_exponential(words, 'B', scheme.fractions_between[i], scheme.order + 1);
    }
    double largest = 0.0, beyond = 0.0;
    for (const auto& [word, value] : words) {
      Constant wanted{1.0};
      for (std::size_t k = 2; k <= word.size(); ++k) wanted = wanted / Constant{double(k)};
      const double error = std::fabs((value - wanted).high);
      double& worst = int(word.size()) > scheme.order ? beyond : largest;
      worst = numeric::larger(worst, error);
    }
    CHECK(largest < 1e-30);  // round-off of 106 bits
    CHECK(beyond > 1e-6);    // the order is not higher
  }
  CHECK(measured == 2);
}

TEST_CASE("Schemes of flows need a splitting into two flows") {
  CHECK(mentions(compose_refusal({"compose", {{"scheme", std::string("blanes-moan-4")}}}),
                 "composes the two flows of a splitting"));
  const System free =
      System::define({.name = "free", .coordinates = {{"x"}, {"y"}, {"w"}}}, [](const Symbols& s) {
        const Expr kinetic = 0.5 * dot(s.v, s.v);
        const Expr rate = s.q[2] * s.v[0];
        return Mechanics{
            .kinetic = kinetic, .potential = 0.5 * square(s.q[0]), .constraints = {rate + s.v[1]}};
      });
  const Method method = Compose{.base = DriverSplitting{}, .scheme = Scheme::blanes_moan_4};
  CHECK(mentions(method.misfit(free).value_or(""), "does not split into two flows"));
}

TEST_CASE("driver-splitting is the same map by its pieces and between the nodes that it carries") {
  const System coupled =
      System::define({.name = "c", .coordinates = {{"x"}, {"y"}, {"w"}}}, [](const Symbols& s) {
        const Expr kinetic = 0.5 * dot(s.v, s.v);
        const Expr potential = 0.5 * square(s.q[0]) + 0.3 * square(s.q[1]) - cos(s.q[2]);
        const Expr rate = sin(s.q[2]) * s.v[1];
        return Mechanics{
            .kinetic = kinetic, .potential = potential, .constraints = {rate + s.v[0]}};
      });
  const Method by_pieces(MethodDefinition{
      .name = "by-pieces",
      .facts = Facts{.order = 2},
      .equations = [](const System& s, const State& a, Unknowns& u, const Expr& h) {
        return apply_pieces(DriverSplitting{}.pieces(s, a), s, a, u, h);
      }});
  const std::vector<double> q{1.0, 0.5, 0.3}, v{-0.3 * std::sin(0.3), 0.3, 1.5};
  Evaluator evaluator(coupled);
  std::vector<Point> ends;
  for (const Method& method : {Method(DriverSplitting{}), by_pieces}) {
    Stepper stepper(StepProgram::compile(coupled, method), 0.1);
    ends.push_back(start_point(stepper, evaluator, q, v));
    CHECK(stepper.advance(ends.back(), 0.0, 0, 20).status == StepStatus::ok);
  }
  for (std::size_t i = 0; i < q.size(); ++i) {  // round-off of 20 steps
    CHECK(std::fabs(ends[0].q[i] - ends[1].q[i]) < 1e-13);
    CHECK(std::fabs(ends[0].v[i] - ends[1].v[i]) < 1e-13);
  }
}

TEST_CASE("A base that carries a velocity has compositions, but no adjoint") {
  const System free =
      System::define({.name = "free", .coordinates = {{"x"}}}, [](const Symbols& s) {
        return Mechanics{.kinetic = 0.5 * square(s.v[0]), .potential = cos(s.q[0])};
      });
  CHECK_NOTHROW(StepProgram::compile(free, Compose{.base = Shake{}}));
  CHECK(Method(Compose{.base = Shake{}}).carried_names(free).size() == 1);
  CHECK_THROWS_WITH_AS(StepProgram::compile(free, Adjoint{Shake{}}),
                       doctest::Contains("carries more than q and v"), RequestError);
  CHECK_THROWS_WITH_AS(Method(Adjoint{Leapfrog{}}), doctest::Contains("carries its multiplier"),
                       RequestError);
}

TEST_CASE("A base that brings every velocity onto the constraints has no adjoint there") {
  const auto particle = [](bool constrained) {
    return System::define({.name = "particle", .coordinates = {{"x"}, {"y"}, {"w"}}},
                          [=](const Symbols& s) {
                            Mechanics m;
                            m.kinetic = 0.5 * dot(s.v, s.v);
                            m.potential = 0.5 * dot(s.q, s.q);
                            if (constrained) m.constraints = {s.v[0] + sin(s.q[2]) * s.v[1]};
                            return m;
                          });
  };
  const Method projected = Gauss{.projection = Projection::velocity};
  const std::vector<Method> without{ReducedGradient{}, EnergyCollocation{}, FrameSplitting{},
                                    DriverSplitting{.driver = DriverSplitting::Driver::energy},
                                    projected};
  for (const Method& base : without) {
    CAPTURE(base.name());
    CHECK_THROWS_WITH_AS(StepProgram::compile(particle(true), Adjoint{base}),
                         doctest::Contains("so that the base's step has no inverse"), RequestError);
  }
  const std::vector<Method> with{Gauss{}, Dla{}, Dla01{}, Newmark{}, Spark{}, GonzalezFull{}};
  for (const Method& base : with) {
    CAPTURE(base.name());
    CHECK_NOTHROW(StepProgram::compile(particle(true), Adjoint{base}));
  }
  CHECK_NOTHROW(StepProgram::compile(particle(false), Adjoint{projected}));
}

TEST_CASE("An adjoint whose guesses use unknowns of later blocks compiles and inverts its base") {
  // The snakeboard (problems/snakeboard.toml): rotor and axles turn in blocks of their own.
  const SystemDescription about{
      .name = "board", .coordinates = {{"x"}, {"y"}, {"theta"}, {"psi"}, {"phi_1"}, {"phi_2"}}};
  const System board = System::define(about, [](const Symbols& s) {
    const Expr &theta = s.q[2], &turn = s.v[2];
    Mechanics m;
    m.kinetic =
        0.5 * (square(s.v[0]) + square(s.v[1]) + 0.5 * square(turn) + 0.4 * square(turn + s.v[3]) +
               0.1 * (square(turn + s.v[4]) + square(turn + s.v[5])));
    for (const std::size_t k : {4, 5}) {
      const Expr lever = (k == 4 ? 1.0 : -1.0) * cos(s.q[k]), heading = theta + s.q[k];
      m.constraints.push_back(cos(heading) * s.v[1] - sin(heading) * s.v[0] + lever * turn);
    }
    return m;
  });
  const Dla base{.alpha = 0.0};
  Stepper forward(StepProgram::compile(board, Adjoint{base}), 0.02);
  Stepper back(StepProgram::compile(board, base), -0.02);
  Evaluator evaluator(board);
  const std::vector<double> q{0.0, 0.0, 0.0, 0.0, 0.4, -0.4};
  const std::vector<double> v{0.5 * std::cos(0.4) / std::sin(0.4), 0.0, 0.5, 1.0, 0.3, 0.2};
  Point point = start_point(forward, evaluator, q, v);
  CHECK(forward.step(point).status == StepStatus::ok);
  CHECK(back.step(point).status == StepStatus::ok);
  for (std::size_t i = 0; i < q.size(); ++i) {  // round-off of two steps
    CHECK(std::fabs(point.q[i] - q[i]) < 1e-14);
    CHECK(std::fabs(point.v[i] - v[i]) < 1e-14);
  }
}
