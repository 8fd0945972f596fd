#include "reproduce/study_runs.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "dalembert/claims/verdict.hpp"
#include "reproduce/paper/modin_verdier_2020/coupled/small_matrix.hpp"

using namespace dalembert;
using namespace dalembert::reproduce;
using namespace dalembert::study;

TEST_CASE("a nan among what a claim asks for reaches its verdict, wherever it stands") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t place : {0, 1, 2}) {
    study::Curve curve{{0.0, 1.0, 2.0}, {1e-15, -2e-15, 3e-15}};
    SquareMatrix matrix(2);
    CHECK(judge({{"error", largest(curve), 0.0, 0.0, 1e-10}}) == Verdict::holds);
    CHECK(judge({{"error", matrix.largest(), 0.0, 0.0, 1e-10}}) == Verdict::holds);
    curve.values[place] = nan;
    matrix(place / 2, place % 2) = nan;
    CHECK(judge({{"error", largest(curve), 0.0, 0.0, 1e-10}}) == Verdict::fails);
    CHECK(judge({{"error", matrix.largest(), 0.0, 0.0, 1e-10}}) == Verdict::fails);
  }
}
