// Discrete gradients: g . (x' - x) = H(x') - H(x) to round-off for every distance, g(x, x) = dH(x),
// symmetry.

#include "dalembert/mechanics/difference/discrete_gradient.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using test_support::round_off_of;

namespace {

/// 340 digits: differences of function values are right for distances down to 1e-300.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<340>,
                                            boost::multiprecision::et_off>;
using Numbers = std::vector<double>;

struct Function {
  std::string name, text;
  bool regular_at_zero = true;
};

const std::vector<Function> functions{
    {"quadratic", "x^2 + 2*y^2 - x*y/3 + z"},
    {"quartic", "x^4/4 + x^2*y^2/2 + y*z^3 - x*y*z"},
    {"trigonometric", "cos(x) + sin(y - 2*z)*3 - cos(x + y)/2"},
    {"exponential", "exp(x - y) + cosh(z)*2 + sinh(2*x)"},
    {"coupled", "cos(x)*y^2 + sin(y*z) + x*exp(z)"},
    {"root", "sqrt(1 + x^2 + y^2) + z*y"},
    {"logarithm", "log(3 + x + y*z) + x*y"},
};

struct Setting {
  const GraphPointer graph = std::make_shared<Graph>();
  Vector x, from, to;
  Expr h;

  explicit Setting(const std::string& text) {
    Scope scope;
    for (const char* name : {"x", "y", "z"}) {
      x.push_back(make_symbol(graph, name));
      scope.names[name] = x.back();
      from.push_back(make_symbol(graph, std::string(name) + "0"));
      to.push_back(make_symbol(graph, std::string(name) + "1"));
    }
    h = parse(text, scope);
  }
  CompiledFunction compiled(GradientKind kind) {
    return {concatenate({from, to}), discrete_gradient(kind, h, x, from, to)};
  }
  Exact value(const Numbers& at) const {
    const std::vector<Exact> exact(at.begin(), at.end());
    return test_support::DirectEvaluation<Exact>(x, exact)(h);
  }
};

Numbers join(const Numbers& a, const Numbers& b) {
  Numbers result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

constexpr GradientKind kinds[] = {GradientKind::gonzalez, GradientKind::mean_value,
                                  GradientKind::coordinate_increment,
                                  GradientKind::symmetric_increment};

/// |g.d - (H' - H)| relative to the size of the terms of g.d.
double identity_error(Setting& setting, CompiledFunction& g, const Numbers& from,
                      const Numbers& to) {
  const Numbers slope = g(join(from, to));
  Exact product = 0, size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Exact term = Exact(slope[i]) * (Exact(to[i]) - Exact(from[i]));
    product += term;
    // The slope itself is a sum of terms of order one.
    size += (1 + abs(Exact(slope[i]))) * abs(Exact(to[i]) - Exact(from[i]));
  }
  if (size == 0) return 0.0;
  return static_cast<double>(abs(product - (setting.value(to) - setting.value(from))) / size);
}

}  // namespace

TEST_CASE("The identity g.(x' - x) = H' - H holds to round-off at every distance") {
  numeric_test::Random random{17};
  for (const Function& function : functions) {
    Setting setting(function.text);
    for (const GradientKind kind : kinds) {
      CompiledFunction g = setting.compiled(kind);
      double worst = 0.0;
      for (const int exponent : {0, -1, -2, -4, -6, -8, -10, -12, -15}) {
        for (int k = 0; k < 2; ++k) {
          Numbers from, to;
          for (int i = 0; i < 3; ++i) {
            from.push_back(random.uniform(-0.5, 0.5));
            to.push_back(from.back() + random.uniform(-0.4, 0.4) * std::pow(10.0, exponent));
          }
          worst = numeric::larger(worst, identity_error(setting, g, from, to));
        }
      }
      // Distances that are far below the spacing of numbers near 1 exist next to zero.
      for (const double distance : {1e-20, 1e-100, 1e-160, 1e-200, 1e-300}) {
        worst = std::max(
            worst, identity_error(setting, g, {0, 0, 0}, {distance, -distance / 3, distance / 2}));
        worst =
            numeric::larger(worst, identity_error(setting, g, {0, 0.25, 0}, {distance, 0.25, 0}));
      }
      CHECK_MESSAGE(worst < 32.0 * std::numeric_limits<double>::epsilon(), function.name, ", kind ",
                    static_cast<int>(kind), ": ", worst);
    }
  }
}

TEST_CASE("Where the points meet it is the gradient") {
  for (const Function& function : functions) {
    Setting setting(function.text);
    const Numbers at{0.3, -0.2, 0.45};
    test_support::DirectEvaluation<double> value(setting.x, at);
    const Vector slope = gradient(setting.h, setting.x);
    for (const GradientKind kind : kinds) {
      const Numbers g = setting.compiled(kind)(join(at, at));
      for (std::size_t i = 0; i < 3; ++i)
        // Some ten operations on numbers of size one.
        CHECK_MESSAGE(
            g[i] == doctest::Approx(value(slope[i])).epsilon(round_off_of(10.0)).scale(1.0),
            function.name);
    }
  }
}

TEST_CASE("All kinds but the one-way increments are symmetric") {
  for (const Function& function : functions) {
    Setting setting(function.text);
    const Numbers a{0.3, -0.2, 0.45}, b{-0.25, 0.4, 0.1};
    for (const GradientKind kind : kinds) {
      CompiledFunction g = setting.compiled(kind);
      const Numbers forth = g(join(a, b)), back = g(join(b, a));
      double asymmetry = 0.0;
      for (std::size_t i = 0; i < 3; ++i)
        asymmetry = numeric::larger(asymmetry, std::fabs(forth[i] - back[i]));
      if (kind != GradientKind::coordinate_increment) {
        // Two evaluations of some ten operations on numbers of size one.
        CHECK_MESSAGE(asymmetry < round_off_of(20.0), function.name, ", kind ",
                      static_cast<int>(kind));
      } else if (function.name != "quadratic") {
        // Mixed second derivatives of size one, times half of a distance of 0.6.
        CHECK_MESSAGE(asymmetry > 0.1, function.name);
      }
    }
  }
}

TEST_CASE("The segment mean of a polynomial is exact and of any function accurate") {
  Setting setting("x");
  const Vector mean = segment_mean({pow(setting.x[0], 7.0), sqrt(1.0 + setting.x[1])}, setting.x,
                                   setting.from, setting.to);
  CompiledFunction f(concatenate({setting.from, setting.to}), mean);
  const Numbers value = f(Numbers{0.0, 0.0, 0.0, 1.0, 0.5, 0.0});
  constexpr double sum = round_off_of(8.0);  // of positive terms that add up to one
  CHECK(value[0] == doctest::Approx(1.0 / 8.0).epsilon(sum));
  CHECK(value[1] == doctest::Approx((std::pow(1.5, 1.5) - 1.0) / 0.75).epsilon(sum));
}

TEST_CASE("Names of kinds") {
  CHECK(gradient_kind("gonzalez") == GradientKind::gonzalez);
  CHECK(gradient_kind("mean-value") == GradientKind::mean_value);
  CHECK(gradient_kind("coordinate-increment") == GradientKind::coordinate_increment);
  CHECK(gradient_kind("symmetric-increment") == GradientKind::symmetric_increment);
  CHECK_THROWS_AS(gradient_kind("midpoint"), RequestError);
}
