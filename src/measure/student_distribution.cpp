#include "student_distribution.hpp"

#include <cmath>
#include <numbers>

#include "dalembert/numeric/elementary.hpp"

namespace dalembert {

double student_distribution(double t, int degrees) {
  const double angle = numeric::atan(t / std::sqrt(degrees));
  const double cosine = numeric::cos(angle), sine = numeric::sin(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1.0, sum = degrees == 1 ? 0.0 : term;
  for (int k = odd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  const double central =
      odd ? 2.0 / std::numbers::pi * (angle + (degrees == 1 ? 0.0 : sine * sum)) : sine * sum;
  return 0.5 + central / 2.0;
}

}  // namespace dalembert
