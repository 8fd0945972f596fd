#include "dalembert/mechanics/rank/redundancy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
#include "mechanics/rank/scaled_rows.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Numbers = std::vector<double>;

/// A particle with three constraints, of which the last is half the sum of the others, with
/// `factor` in front of it.
TextSystem three_rows(const std::string& factor = "1") {
  TextSystem text{
      .name = "three",
      .coordinates = {"x", "y", "z", "w"},
      .kinetic = "x_dot^2 + (1 + x^2)*y_dot^2/2 + z_dot^2/2 + 2*w_dot^2 + x_dot*w_dot/3",
      .potential = "x + 2*y - z*w + w"};
  text.constraints = {"z_dot - y*x_dot", "y_dot + sin(x)*w_dot - x_dot",
                      factor + "*(z_dot - y*x_dot + y_dot + sin(x)*w_dot - x_dot)/2"};
  return text;
}

const Numbers here{0.4, 0.7, 0.2, -0.3};

Numbers velocity_at(const System& working, const Numbers& q = here) {
  return Evaluator(working).projected_velocity(0.0, q, Numbers{0.5, -0.2, 0.3, 0.8});
}

/// Multipliers of all constraints of the motion.
Numbers all_multipliers(const IndependentStart& found) {
  const Redundancy& rows = *found.redundancy;
  Numbers kept(rows.kept().size()), all(rows.all().constraint_count());
  Evaluator(rows.working()).multiplier(0.0, found.start.q, found.start.v, kept);
  FullMultipliers(found.redundancy, {})(0.0, found.start.q, found.start.v, kept, all);
  return all;
}

IndependentStart started(const TextSystem& text) {
  TextSystem two = text;
  two.constraints.pop_back();
  return independent_start(define(text), {.q = here, .v = velocity_at(define(two))});
}

std::string refusal_of(const TextSystem& text, const Start& start) {
  try {
    static_cast<void>(independent_start(define(text), start));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Singular values of rows and the rows that are kept") {
  // With the unit matrix as mass rows keep their directions.
  ScaledRows rows(3, 3);
  REQUIRE(rows.set(Numbers{1, 0, 0, 0, 1, 0, 0, 0, 1}, Numbers{2, 0, 0, 0, 3, 0, 4, 4, 0}));
  CHECK(rows.length(1) == 3.0);
  const RowSpectrum spectrum = row_spectrum(rows);
  // Rows (1, 0), (0, 1), (1, 1)/sqrt 2: their products have the eigenvalues 2, 1, 0.
  CHECK(std::fabs(spectrum.values[0] - std::sqrt(2.0)) < 1e-15);
  CHECK(std::fabs(spectrum.values[1] - 1.0) < 1e-15);
  CHECK(spectrum.values[2] < 1e-15);
  CHECK(independent_rows(rows, 2, 0) == std::vector<std::size_t>{0, 1});
  CHECK(independent_rows(rows, 2, 2) == std::vector<std::size_t>{0, 2});
  RowCombinations combinations({0, 1}, {2}, 3);
  combinations.set(rows);
  CHECK(std::fabs(combinations.factor(0, 0) - std::sqrt(0.5)) < 1e-15);
  CHECK(combinations.rest(0) < 1e-15);
  Numbers factors{1.0, 1.0, 0.0};
  combinations.make_least(factors);
  // Of (1 - a/sqrt 2, 1 - a/sqrt 2, a) the least has a = 1/sqrt 2.
  CHECK(std::fabs(factors[0] - 0.5) < 1e-15);
  CHECK(std::fabs(factors[2] - std::sqrt(0.5)) < 1e-15);
}

TEST_CASE("A constraint that follows from others changes nothing of the motion") {
  const IndependentStart found = started(three_rows());
  REQUIRE(found.redundancy);
  CHECK(found.redundancy->kept().size() == 2);
  CHECK(found.redundancy->shared() == std::vector<bool>{true, true, true});
  TextSystem two = three_rows();
  two.constraints.pop_back();
  Evaluator own(define(two)), working(found.system);
  const Numbers wanted = own.acceleration(0.0, here, found.start.v),
                a = working.acceleration(0.0, here, found.start.v);
  // Round-off of two eliminations of a matrix of the size one.
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::fabs(a[i] - wanted[i]) < 1e-14);
}

TEST_CASE("Multipliers of least norm have the reaction, and scale with their constraints") {
  const IndependentStart found = started(three_rows());
  const Numbers lambda = all_multipliers(found);
  Numbers two(2);
  TextSystem text = three_rows();
  text.constraints.pop_back();
  Evaluator(define(text)).multiplier(0.0, here, found.start.v, two);
  CHECK(std::fabs(lambda[0] + lambda[2] / 2 - two[0]) < 1e-14);
  CHECK(std::fabs(lambda[1] + lambda[2] / 2 - two[1]) < 1e-14);
  const Numbers scaled = all_multipliers(started(three_rows("50")));
  CHECK(std::fabs(scaled[0] - lambda[0]) < 1e-14);
  CHECK(std::fabs(50.0 * scaled[2] - lambda[2]) < 1e-14);
  Numbers kept(2);
  FullMultipliers full(found.redundancy, {});
  full.reduce(0.0, here, found.start.v, lambda, kept);
  Numbers again(3);
  full(0.0, here, found.start.v, kept, again);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::fabs(again[i] - lambda[i]) < 1e-14);
}

TEST_CASE("A multiplier outside of dependent constraints is determined") {
  TextSystem text = three_rows();
  text.constraints[2] = "2*z_dot - 2*y*x_dot";
  const IndependentStart found = started(text);
  CHECK(found.redundancy->shared() == std::vector<bool>{true, false, true});
  CHECK(found.redundancy->shared_names() == std::vector<std::string>{"lambda_1", "lambda_3"});
  CHECK(found.redundancy->sentence().starts_with("constraint "));
}

TEST_CASE("Constraints that are not plainly dependent or independent are refused with names") {
  const Start rest{.q = here, .v = Numbers(4, 0.0)};
  TextSystem text = three_rows();
  text.constraints.back() += " + 1e-9*w_dot";
  CHECK(refusal_of(text, rest).find("constraints 1, 2, 3 of system \"three\" are nearly") == 0);
  text.constraints.back() = "2*z_dot - 2*y*x_dot - 1";
  CHECK(refusal_of(text, rest).find("constraints 1, 3 of system \"three\" contradict") == 0);
  // Rows agree at x = 0.4 alone.
  text.constraints.back() = "z_dot - (y + x - 0.4)*x_dot";
  CHECK(refusal_of(text, rest).find("dependent at this start only") != std::string::npos);
}

TEST_CASE("Rows that part along a motion are found") {
  // Dependent for x <= 1, as the slope of the piece is zero there.
  TextSystem text = three_rows();
  text.constraints[2] = "z_dot - y*x_dot + max(x - 1, 0)^3*w_dot";
  const IndependentStart found = started(text);
  REQUIRE(found.redundancy);
  FullMultipliers full(found.redundancy, {});
  CHECK(full.misfit(0.0, here, found.start.v).empty());
  const Numbers beyond{1.2, 0.7, 0.2, -0.3};
  const std::string reason = full.misfit(0.0, beyond, velocity_at(found.system, beyond));
  CHECK(reason.find("no longer follows from the others") != std::string::npos);
}
