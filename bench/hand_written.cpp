#include "hand_written.hpp"

#include <stdexcept>

#include "bench.hpp"
#include "dalembert/error.hpp"

namespace bench {
namespace {

constexpr double step_size = 0.1;

// Writing to it keeps the computation.
volatile double sink = 0.0;

template <class Number>
Transmission<Number> start() {
  return {1.0, 1.0, 0.0, 0.0, 0.0, 1.8973666, 0.0, 0.0, 0.0};
}

template <class Functions, class Number>
std::function<void(std::uint64_t)> kernel(const std::string& method) {
  const bool is_dla01 = method == "dla01";
  if (!is_dla01 && method != "leapfrog")
    throw dalembert::RequestError("no hand-written kernel for " + method);
  return [is_dla01](std::uint64_t steps) {
    auto state = start<Number>();
    const std::uint64_t taken = is_dla01
                                    ? hand_written_dla01<Functions>(state, step_size, steps)
                                    : hand_written_leapfrog<Functions>(state, step_size, steps);
    if (taken != steps) throw std::runtime_error("the hand-written kernel failed");
    sink = dalembert::numeric::get_lane(state.x1, 0);
  };
}

}  // namespace

std::function<void(std::uint64_t)> hand_written(const std::string& method, HandWritten variant) {
  using Lanes = dalembert::numeric::Lanes<hand_written_lanes>;
  switch (variant) {
    case HandWritten::own_functions:
      return kernel<OwnFunctions, double>(method);
    case HandWritten::library_functions:
      return kernel<LibraryFunctions, double>(method);
    case HandWritten::lanes:
      return kernel<OwnFunctions, Lanes>(method);
  }
  throw std::logic_error("unknown variant");
}

}  // namespace bench
