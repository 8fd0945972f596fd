#pragma once
// A study of two values of a parameter, two starts, two methods and two steps.

#include "dalembert/document/toml.hpp"
#include "dalembert/study/study_file.hpp"

namespace test_support {

inline dalembert::study::Study sixteen_runs() {
  constexpr const char* text = R"(
problem = "pendulum-cvt"
[parameters]
epsilon = [0.0, 0.5]
[initial]
name = ["oscillating", "rotating"]
[run]
step = [0.1, "pi/40"]
until = 4.0
record_every = 5
[[method]]
name = "dla"
alpha = 0.4
[[method]]
name = "leapfrog"
)";
  return dalembert::study::read_study(dalembert::study::parse_document(text, "text"));
}

}  // namespace test_support
