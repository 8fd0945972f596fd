#include "dalembert/native/c_step.hpp"

#include <doctest/doctest.h>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

Start start_called(const std::string& name) {
  const test_support::SmallSystem made = test_support::pendulum_cvt();
  Start start;
  start.name = name;
  start.q = made.q;
  start.v = made.v;
  return start;
}

Problem transmission(std::vector<Start> starts) {
  return {test_support::pendulum_cvt().system, std::move(starts)};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

// What the functions compute is compared in test/command_line/test_c_steps.py, which compiles them.

TEST_CASE("A header names its functions after the method, the system and the starts") {
  const std::string text =
      c_step(transmission({start_called("up hill"), start_called("up-hill"), start_called("")}),
             make_method({"dla", {{"alpha", 0.25}}}));
  for (const char* head :
       {"} dla_alpha_0_25_pendulum_cvt_motion;", "dla_alpha_0_25_pendulum_cvt_start_up_hill(",
        "dla_alpha_0_25_pendulum_cvt_start_up_hill_2(", "dla_alpha_0_25_pendulum_cvt_start_first(",
        "int dla_alpha_0_25_pendulum_cvt_advance("}) {
    CAPTURE(head);
    CHECK(contains(text, head));
  }
  CHECK(!contains(text, "PREFIX"));
  CHECK(!contains(text, "DALEMBERT"));
}

TEST_CASE("No name leaves its comment") {
  Start odd = start_called("a */ int b; /*");
  const std::string text = c_step(transmission({odd}), make_method({"dla01"}));
  CHECK(contains(text, "start_a_int_b("));
  CHECK(!contains(text, "a */ int b"));
}

TEST_CASE("What cannot be printed is refused with a reason") {
  const Problem problem = transmission({start_called("rotating")});
  CHECK_THROWS_WITH_AS(c_step(problem, make_method({"fehlberg-78"})),
                       "method \"fehlberg-78\" chooses its steps by a tolerance; in C steps are of "
                       "one size: give tolerance = 0",
                       RequestError);
  for (const char* prefix : {"3d", "a-b", "a b", "\xc3\xa4"}) {
    CAPTURE(prefix);
    CHECK_THROWS_AS(c_step(problem, make_method({"dla01"}), {.prefix = prefix}), RequestError);
  }
  Start wrong = start_called("wrong");
  wrong.v = {1.0, 1.0, 1.0};
  CHECK_THROWS_AS(c_step(transmission({wrong}), make_method({"dla01"})), RequestError);
}
