// The Newton loop on corrections that a script gives, so that the pass in which it stops is known.

#include "dalembert/step/detail/newton_loop.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace dalembert;

namespace {

/// A loop over `groups` groups of one unknown each. All but the last have nothing to correct; of
/// the last, pass number k corrects by `corrections[k]`. Slots of unknown i: 3 i iterate,
/// correction, value.
struct Script {
  explicit Script(std::uint32_t count) : slots(3 * count, 1.0) {
    for (std::uint32_t i = 0; i < count; ++i) {
      groups.push_back({i, i + 1, true});
      iterates.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    loop.group_end = loop.unknown_end = count;
  }

  /// Passes until the loop stops, 0 if it does not.
  int run(const std::vector<double>& corrections, double size) {
    StepView view{};
    view.loops = &loop;
    view.loop_groups = groups.data();
    view.iterates = iterates.data();
    std::vector<double> memory(2 * groups.size());
    int pass = 0;
    const auto section = [&](const TapeSection&) {
      for (const TapeIterate& entry : iterates) slots[entry.correction] = 0.0;
      slots[iterates.back().correction] = corrections.at(static_cast<std::size_t>(pass++));
      slots[iterates.back().value] = size;
    };
    const TapeSection place{0, 0, 0};
    NewtonLoop<double, 1> newton(view, place, slots.data(), memory.data());
    const bool alive = true;
    bool failed = false;
    double passes = 0.0;
    newton.run(&alive, &failed, &passes, section);
    return failed ? 0 : static_cast<int>(passes);
  }

  std::vector<double> slots;
  std::vector<TapeLoopGroup> groups;
  std::vector<TapeIterate> iterates;
  TapeLoop loop;
};

}  // namespace

TEST_CASE("Each of any number of groups is judged by its own corrections") {
  // 1e-4 is below the round-off of an unknown of size 1e12, so it counts as stalled if it is
  // compared with another group's correction; compared with its own, it is a fast step and the
  // next would be 1e-12.
  for (const std::uint32_t groups : {1u, 2u, 63u, 64u, 65u, 66u, 200u}) {
    CAPTURE(groups);
    CHECK(Script(groups).run({1.0, 1e-4, 1e-12, 1e-28, 1e-28}, 1e12) == 3);
  }
}

TEST_CASE("The loop ends at once without corrections, and where they stop shrinking at round-off") {
  CHECK(Script(3).run({0.0}, 1.0) == 1);
  // 2e-11 is below 128 units of round-off of a size of 1e3, and not half of the one before.
  CHECK(Script(3).run({1e-10, 3e-11, 2e-11, 2e-11}, 1e3) == 3);
}

TEST_CASE("Unknowns that are zero have converged at the round-off of the others in their block") {
  Script zero(3);
  zero.slots[6] = 0.0;
  // 1e-17 shrinks no more; it is below 128 units of round-off of 1, the size of the others.
  CHECK(zero.run({1e-17, 1e-17, -1e-17}, 0.0) == 2);
  // 1e-10 is not.
  Script wrong(3);
  wrong.slots[6] = 0.0;
  CHECK(wrong.run(std::vector<double>(most_iterations, 1e-10), 0.0) == 0);
}

TEST_CASE("Corrections that do not shrink are a failure") {
  CHECK(Script(70).run(std::vector<double>(most_iterations, 0.5), 1.0) == 0);
}
