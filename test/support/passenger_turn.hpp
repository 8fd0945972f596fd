#pragma once
// What a method multiplies the passengers of pendulum-cvt by in one turn of the rotating pendulum.

#include <cmath>
#include <cstdint>

#include "dalembert/method/library.hpp"
#include "reproduce/paper/open_problems/closed_turn.hpp"
#include "support/small_systems.hpp"

namespace test_support {

using dalembert::study::Extended;

class PassengerTurn : public dalembert::reproduce::ClosedTurn {
 public:
  PassengerTurn(const dalembert::MethodSpec& spec, std::uint64_t steps, double epsilon = 0.5)
      : ClosedTurn({pendulum_cvt().system, {epsilon}, {0.0, 0.0, 0.0}, {0.0, 0.0, std::sqrt(8.0)}},
                   dalembert::make_method(spec), steps) {}
};

}  // namespace test_support
