#include "measure/student_distribution.hpp"

#include <doctest/doctest.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

using dalembert::student_distribution;

TEST_CASE("Student's t has the probabilities that Boost computes") {
  // The sum has up to 30 terms, each of size at most 1; a probability below 1/2 is a difference.
  constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();
  for (const int degrees : {1, 2, 3, 4, 5, 6, 7, 10, 11, 30, 31, 62}) {
    const boost::math::students_t exact(degrees);
    for (const double t : {-40.0, -3.7, -1.0, -1e-3, 0.0, 0.2, 1.0, 2.5, 12.7, 1e3}) {
      CAPTURE(degrees);
      CAPTURE(t);
      CHECK(std::fabs(student_distribution(t, degrees) - boost::math::cdf(exact, t)) < round_off);
    }
  }
}

TEST_CASE("Quantiles of Student's t come back as their probability") {
  for (const int degrees : {4, 6, 14, 46}) {
    const boost::math::students_t exact(degrees);
    for (const double probability : {0.005, 0.025, 0.5, 0.9, 0.975, 0.995}) {
      // Round-off of the quantile times the density, which is below 1/2, and that of the sum.
      CHECK(std::fabs(student_distribution(boost::math::quantile(exact, probability), degrees) -
                      probability) < 64 * std::numeric_limits<double>::epsilon());
    }
  }
}
