#include "dalembert/run/event/event_zeros.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/falling_ball.hpp"

using namespace dalembert;
using test_support::ball;
using test_support::define;
using test_support::floor_with;
using test_support::from;

TEST_CASE("zeros at nodes happen once, watched or not, in one part or in several") {
  // x = t: a clock, its half, a touch, and a zero of third order, at nodes and between.
  const System free =
      define({.name = "free", .coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "0"});
  const auto clock = [](const char* name, auto function) {
    return Event{.name = name, .function = [function](const Symbols& s) {
                   return function(M_PI * s.t, M_PI * s.q[0]);
                 }};
  };
  const std::vector<Event> events{
      clock("time", [](const Expr& t, const Expr&) { return sin(t); }),
      clock("way", [](const Expr&, const Expr& x) { return cos(x / 2.0); }),
      clock("touch", [](const Expr& t, const Expr&) { return 1.0 - cos(2.0 * t); }),
      clock("cube", [](const Expr&, const Expr& x) { return sin(x) * sin(x) * sin(x); })};
  const auto run = [&](double h, bool watched, std::uint64_t part) {
    const auto program = StepProgram::compile(
        free, Lobatto{}, {.also_watched = watched ? watched_events(free, events) : nullptr});
    Stepper stepper(program, h);
    if (watched) stepper.watch();
    Evaluator evaluator(free);
    Point point = start_point(stepper, evaluator, std::vector{0.0}, std::vector{1.0});
    std::vector<EventHistory> history;
    std::vector<EventOccurrence> found;
    for (std::uint64_t done = 0; done < 120; done += part) {
      EventAdvance advance(stepper, {free, events}, {}, history);
      REQUIRE(advance(point, 0.0, done, part).status == StepStatus::ok);
      history = advance.history();
      for (EventOccurrence& occurrence : advance.take()) found.push_back(std::move(occurrence));
    }
    return found;
  };
  for (const double h : {0.25, 0.5, 1.0}) {
    CAPTURE(h);
    const auto found = run(h, false, 120);
    std::vector<int> counts(events.size(), 0);
    for (const EventOccurrence& zero : found) {
      ++counts[zero.event];
      const double whole = std::round(zero.t);
      // A zero of third order is known to the third root of round-off.
      CHECK(std::fabs(zero.t - whole) < (zero.event == 3 ? 1e-4 : 1e-13));
      if (zero.event != 1) CHECK(zero.rising == (std::fmod(whole, 2.0) == 0.0));
    }
    const int end = static_cast<int>(std::round(120.0 * h));
    CHECK(counts == std::vector{end, (end + 1) / 2, 0, end});
    for (const std::uint64_t part : {1, 8, 40, 120}) {
      const auto other = run(h, true, part);
      REQUIRE(other.size() == found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(other[i].event == found[i].event);
        CHECK(other[i].t == found[i].t);
        CHECK(other[i].rising == found[i].rising);
      }
    }
  }
}

TEST_CASE("what comes to rest on a floor that is not at zero ends with the reason") {
  Event floor = floor_with(0.5);
  floor.function = [](const Symbols& s) { return s.q[0] - 0.1; };
  for (const double h : {0.01, 0.3, 5.0}) {
    CAPTURE(h);
    const Solution solution =
        simulate(ball(), Lobatto{}, from(1.1, 0.0), {.step = h, .until = 40.0, .events = {floor}});
    CHECK(!solution.ok());
    CHECK(solution.message.find("comes to rest on it at t = 4.24264068") != std::string::npos);
    CHECK(solution.q().back() > 0.1 - 1e-14);
  }
  for (const double start : {0.1, 0.1 - 1e-10}) {
    const Solution still = simulate(ball(), Lobatto{}, from(start, 0.0),
                                    {.step = 0.1, .until = 4.0, .events = {floor}});
    CHECK(still.message.find("comes to rest on it") != std::string::npos);
  }
}

TEST_CASE("an event before a step that is refused is found, and may save it") {
  // Friction stops it at t = 1, x = 1/2, which no implicit step can cross.
  const System slides = define({.name = "slides",
                                .coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "0",
                                .force = {"-sign(x_dot)"}});
  Event stops{.name = "stops", .function = [](const Symbols& s) { return s.v[0]; }};
  const auto run = [&](const Event& event) {
    return simulate(slides, make_method({.name = "gauss"}), from(0.0, 1.0),
                    {.step = 0.3, .until = 2.1, .events = {event}});
  };
  const Solution failed = run(stops);
  CHECK(!failed.ok());
  CHECK(failed.steps == 3);
  REQUIRE(failed.events.size() == 1);
  // The round-off of a time and a velocity near one, of which 64 units are zero.
  CHECK(std::fabs(failed.events[0].t - 1.0) < 3e-14);
  stops.stop_after = 1;
  const Solution ended = run(stops);
  REQUIRE_MESSAGE(ended.ok(), ended.message);
  CHECK(ended.steps == 3);
  CHECK(std::fabs(ended.t().back() - 1.0) < 3e-14);
  stops.stop_after = 0;
  stops.change = [](const Symbols&) { return StateChange{{}, {2.0}}; };
  const Solution pushed = run(stops);
  REQUIRE_MESSAGE(pushed.ok(), pushed.message);
  CHECK(pushed.steps == 7);
  CHECK(pushed.events.size() == 1);
  CHECK(std::fabs(pushed.v().back() - 0.9) < 1e-13);
}
