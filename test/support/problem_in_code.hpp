#pragma once
// A problem that was made in code, for tests of the study library.

#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/problem_in_code.hpp"
#include "support/small_systems.hpp"

namespace test_support {

/// The transmission with one start, "rotating".
inline dalembert::study::ProblemFile transmission_in_code() {
  const SmallSystem made = pendulum_cvt();
  dalembert::Start start;
  start.name = "rotating";
  start.q = made.q;
  start.v = made.v;
  return dalembert::study::problem_in_code(made.system, {start});
}

}  // namespace test_support
