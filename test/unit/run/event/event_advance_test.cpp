#include "dalembert/run/event/event_advance.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "support/falling_ball.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using test_support::ball;
using test_support::define;
using test_support::floor_with;
using test_support::from;

namespace {

/// x = cos t, from (1, 0).
System oscillator() {
  return define(
      {.name = "oscillator", .coordinates = {"x"}, .kinetic = "x_dot^2/2", .potential = "x^2/2"});
}

Event passing(double level, Direction direction = Direction::both) {
  return {.name = "passing",
          .function = [level](const Symbols& s) { return s.q[0] - level; },
          .direction = direction};
}

}  // namespace

TEST_CASE("a ball bounces at the times of its parabolas, many times in a step if need be") {
  for (const double h : {0.01, 0.3, 5.0}) {
    CAPTURE(h);
    const Solution solution = simulate(ball(), Lobatto{}, from(1.0, 0.0),
                                       {.step = h, .until = 10.0, .events = {floor_with(0.9)}});
    REQUIRE_MESSAGE(solution.ok(), solution.message);
    double t = std::sqrt(2.0), speed = std::sqrt(2.0);
    REQUIRE(solution.events.size() == 4);
    for (const EventOccurrence& bounce : solution.events) {
      // Round-off of some ten times, positions and speeds.
      CHECK(std::fabs(bounce.t - t) < 1e-13);
      CHECK(std::fabs(bounce.q[0]) < 1e-13);
      CHECK(std::fabs(bounce.v[0] + speed) < 1e-13);
      CHECK(std::fabs(bounce.v_after[0] - 0.9 * speed) < 1e-13);
      CHECK(!bounce.rising);
      speed *= 0.9;
      t += 2.0 * speed;
    }
    // The last bounce before the end, and the parabola after it.
    t -= 2.0 * speed;
    const double rest = 10.0 - t;
    CHECK(solution.t().back() == 10.0);
    CHECK(std::fabs(solution.q().back() - (speed * rest - rest * rest / 2.0)) < 1e-12);
    CHECK(std::fabs(solution.v().back() - (speed - rest)) < 1e-12);
  }
}

TEST_CASE("records of a run with events are those of its grid, and more where one ends it") {
  Event floor = floor_with(1.0);
  floor.stop_after = 2;
  const Solution solution =
      simulate(ball(), Lobatto{}, from(0.5, 0.0),
               {.step = 0.25, .until = 9.0, .record_every = 4, .events = {floor}});
  REQUIRE(solution.ok());
  CHECK(solution.ended_by == std::size_t{0});
  CHECK(solution.steps == 11);
  REQUIRE(solution.size() == 4);  // 0, 1, 2 and t = 3
  CHECK(solution.t(2) == 2.0);
  CHECK(std::fabs(solution.t(3) - 3.0) < 1e-14);
  CHECK(std::fabs(solution.v(3)[0] - 1.0) < 1e-14);
  CHECK(solution.events.size() == 2);
}

TEST_CASE("a zero is found in its direction, and two of them where a function turns back") {
  const auto times = [](const Event& event, double h, double until = 6.5) {
    std::vector<double> found;
    // Six stages: errors of the step are far below round-off of the times.
    const Solution solution = simulate(oscillator(), Lobatto{.stages = 6}, from(1.0, 0.0),
                                       {.step = h, .until = until, .events = {event}});
    REQUIRE_MESSAGE(solution.ok(), solution.message);
    for (const EventOccurrence& occurrence : solution.events) found.push_back(occurrence.t);
    return found;
  };
  const auto same = [](const std::vector<double>& found, const std::vector<double>& expected) {
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::fabs(found[i] - expected[i]) < 1e-13);
  };
  const double pi = M_PI, near = std::acos(-0.999);
  for (const double h : {0.05, 0.25}) {
    CAPTURE(h);
    same(times(passing(0.0), h), {pi / 2, 3 * pi / 2});
    same(times(passing(0.0, Direction::rising), h), {3 * pi / 2});
    same(times(passing(0.0, Direction::falling), h), {pi / 2});
    // |x + .999| < .001 for .09 around pi: within a step of .25.
    same(times(passing(-0.999), h), {near, 2 * pi - near});
    same(times(passing(-0.999, Direction::rising), h), {2 * pi - near});
  }
  // It is at 1 when it begins: that is none, and a touch within a step is none.
  same(times(passing(1.0), 0.05, 3.0), {});
}

TEST_CASE("a touch within round-off is no event, and neither is a jump") {
  // Highest points of parabolas, some of them a unit of round-off above the level.
  int touched = 0;
  for (int k = 1; k <= 40; ++k) {
    const double v = 0.005 * k, x = 1.0 / (1.0 + k);
    const Solution solution =
        simulate(ball(), Lobatto{}, from(x, v),
                 {.step = 0.25, .until = 0.5, .events = {passing(x + v * v / 2.0)}});
    REQUIRE(solution.ok());
    touched += static_cast<int>(solution.events.size());
  }
  CHECK(touched == 0);
  const Event pole{.name = "pole",
                   .function = [](const Symbols& s) { return 1.0 / (s.q[0] - 0.3); }};
  const Solution solution = simulate(oscillator(), Lobatto{}, from(1.0, 0.0),
                                     {.step = 0.1, .until = 6.0, .events = {pole}});
  CHECK(solution.ok());
  CHECK(solution.events.empty());
}

TEST_CASE("a zero that a step comes to from afar is found from the node before") {
  // It creeps along until a blow at t = 1.1 throws it through zero within a step.
  const System struck = define({.name = "struck",
                                .coordinates = {"x"},
                                .kinetic = "x_dot^2/2",
                                .potential = "0",
                                .force = {"-400*exp(-400*(t - 1.1)^2)"}});
  const auto found = [&](bool watched) {
    const auto program = StepProgram::compile(
        struck, Lobatto{.stages = 4},
        {.also_watched = watched ? watched_events(struck, {passing(0.0)}) : nullptr});
    Stepper stepper(program, 0.25);
    if (watched) stepper.watch();
    Evaluator evaluator(struck);
    Point point = start_point(stepper, evaluator, std::vector{0.3}, std::vector{1e-3});
    EventAdvance advance(stepper, {struck, {passing(0.0)}}, {});
    REQUIRE(advance(point, 0.0, 0, 8).status == StepStatus::ok);
    return advance.take();
  };
  const auto alone = found(false), watched = found(true);
  REQUIRE(alone.size() == 1);
  REQUIRE(watched.size() == 1);
  CHECK(alone[0].t > 1.0);
  CHECK(alone[0].t < 1.25);
  CHECK(watched[0].t == alone[0].t);
  CHECK(watched[0].v == alone[0].v);
}

TEST_CASE("an event at a node happens once, and what changes nothing leaves no trace") {
  // x = 1/2 at t = 1, which is a node.
  const Solution with = simulate(ball(), Lobatto{}, from(1.0, 0.0),
                                 {.step = 0.25, .until = 3.0, .events = {passing(0.5)}});
  REQUIRE(with.events.size() == 1);
  CHECK(with.events[0].t == 1.0);
  const Solution without =
      simulate(ball(), Lobatto{}, from(1.0, 0.0), {.step = 0.25, .until = 3.0});
  REQUIRE(with.size() == without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    CHECK(with.q(i)[0] == without.q(i)[0]);
    CHECK(with.v(i)[0] == without.v(i)[0]);
  }
}

TEST_CASE("an impact at the start takes place where the motion goes into it") {
  const SimulateOptions options{.step = 0.1, .until = 1.0, .events = {floor_with(0.5)}};
  const Solution down = simulate(ball(), Lobatto{}, from(0.0, -2.0), options);
  REQUIRE(down.ok());
  REQUIRE(down.events.size() == 1);
  CHECK(down.events[0].t == 0.0);
  CHECK(std::fabs(down.q().back() - 0.5) < 1e-14);
  const Solution up = simulate(ball(), Lobatto{}, from(0.0, 2.0), options);
  CHECK(up.events.empty());
}

TEST_CASE("events of one time take place in their order") {
  // A point in a corner: both walls at t = 1.
  const System plane = define(test_support::particle_in_plane("corner"));
  const auto wall = [](std::size_t i) {
    return Event{.name = "wall",
                 .function = [i](const Symbols& s) { return 1.0 - s.q[i]; },
                 .direction = Direction::falling,
                 .impact =
                     [i](const Symbols& s) {
                       return std::vector<ContactVelocity>{{s.v[i], 1.0}};
                     }};
  };
  const Event line{.name = "line",
                   .function = [](const Symbols& s) { return s.q[0] + s.q[1] - 1.0; }};
  const Solution solution =
      simulate(plane, Dla{}, StartChoice({0.0, 0.0}, {1.0, 1.0}),
               {.step = 0.7, .until = 1.4, .events = {wall(0), line, wall(1)}});
  REQUIRE_MESSAGE(solution.ok(), solution.message);
  std::vector<std::size_t> order;
  for (const EventOccurrence& occurrence : solution.events) order.push_back(occurrence.event);
  CHECK(order == std::vector<std::size_t>{1, 0, 2});
  CHECK(solution.events[1].v_after == std::vector{-1.0, 1.0});
  CHECK(std::fabs(solution.q().back() - 0.6) < 1e-15);
  // Once the first has turned the motion round, the second does not happen any more.
  const Solution twice = simulate(plane, Dla{}, StartChoice({0.0, 0.0}, {1.0, 0.5}),
                                  {.step = 0.7, .until = 1.4, .events = {wall(0), wall(0)}});
  CHECK(twice.events.size() == 1);
}

TEST_CASE("watching finds the same as looking at every step, and so does a run in parts") {
  const auto small = test_support::pendulum_cvt();
  // A wall, a gear that is passed, a level of a velocity.
  const std::vector<Event> events{
      {.name = "wall",
       .function = [](const Symbols& s) { return s.q[0] + 0.5; },
       .direction = Direction::falling,
       .impact =
           [](const Symbols& s) {
             return std::vector<ContactVelocity>{{s.v[0], 0.9}};
           }},
      {.name = "level", .function = [](const Symbols& s) { return s.q[1] - 0.99; }},
      {.name = "speed", .function = [](const Symbols& s) { return s.v[2] - 1.8; }}};
  const double h = 0.05;
  const auto run = [&](bool watched, const std::vector<std::uint64_t>& parts) {
    const auto program = StepProgram::compile(
        small.system, Lobatto{},
        {.watched = watched,
         .also_watched = watched ? watched_events(small.system, events) : nullptr});
    Stepper stepper(program, h);
    if (watched) stepper.watch();
    Evaluator evaluator(small.system);
    Point point = start_point(stepper, evaluator, small.q, small.v);
    std::vector<EventHistory> history;
    std::vector<EventOccurrence> found;
    std::uint64_t done = 0;
    for (const std::uint64_t steps : parts) {
      EventAdvance advance(stepper, {small.system, events}, {}, history);
      const StepReport report = advance(point, 0.0, done, steps);
      CHECK(report.status == StepStatus::ok);
      CHECK(report.steps == steps);
      done += steps;
      history = advance.history();
      for (EventOccurrence& occurrence : advance.take()) found.push_back(std::move(occurrence));
    }
    return std::pair(point, found);
  };
  const auto [end, found] = run(false, {3000});
  CHECK(found.size() > 40);
  std::vector<bool> seen(events.size());
  for (const EventOccurrence& occurrence : found) seen[occurrence.event] = true;
  CHECK(seen == std::vector{true, true, true});
  const std::vector<std::vector<std::uint64_t>> ways{{3000}, {1, 7, 992, 2000}, {1500, 1500}};
  for (const auto& parts : ways) {
    const auto [other, occurrences] = run(true, parts);
    CHECK(other.q == end.q);
    CHECK(other.v == end.v);
    REQUIRE(occurrences.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(occurrences[i].t == found[i].t);
      CHECK(occurrences[i].event == found[i].event);
      CHECK(occurrences[i].v_after == found[i].v_after);
    }
  }
}

TEST_CASE("the order of a method is that through impacts, with constraints kept") {
  const auto small = test_support::pendulum_cvt();
  const Event wall{.name = "wall",
                   .function = [](const Symbols& s) { return s.q[0] - 0.9; },
                   .direction = Direction::falling,
                   .impact =
                       [](const Symbols& s) {
                         return std::vector<ContactVelocity>{{s.v[0], 0.9}};
                       }};
  const auto end = [&](const Method& method, double h) {
    const Solution solution = simulate(small.system, method, StartChoice(small.q, small.v),
                                       {.step = h, .until = 9.0, .events = {wall}});
    REQUIRE_MESSAGE(solution.ok(), solution.message);
    CHECK(solution.events.size() >= 1);
    for (const EventOccurrence& impact : solution.events) {
      // The constraint holds before and after, to some round-off of terms of size one.
      for (const auto& v : {impact.v, impact.v_after})
        CHECK(std::fabs(v[0] + std::sin(impact.q[2]) * v[1]) < 1e-13);
    }
    return std::vector<double>{solution.q().end() - 3, solution.q().end()};
  };
  const std::vector<double> exact = end(Lobatto{.stages = 5}, 0.005);
  const auto error = [&](const Method& method, double h) {
    const std::vector<double> q = end(method, h);
    double largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
      largest = numeric::larger(largest, std::fabs(q[i] - exact[i]));
    return largest;
  };
  const auto check_order = [&](const Method& method, double h, double order) {
    const double coarse = error(method, h), fine = error(method, h / 4.0);
    const double found = std::log2(coarse / fine) / 2.0;
    CAPTURE(method.name());
    // The place of an event within its step changes with h, and with it the constant.
    CHECK(found > order - 0.5);
    CHECK(found < order + 0.7);
  };
  check_order(Dla{}, 0.02, 2.0);
  check_order(Lobatto{.stages = 2}, 0.02, 2.0);
  check_order(Lobatto{.stages = 3}, 0.08, 4.0);
}

TEST_CASE("an event may put any admissible state in the place of the one before") {
  Event kick = passing(0.0, Direction::falling);
  kick.change = [](const Symbols& s) { return StateChange{{1.0}, {s.v[0] / 2.0}}; };
  const Solution solution =
      simulate(ball(), Lobatto{}, from(1.0, 0.0), {.step = 0.1, .until = 2.0, .events = {kick}});
  REQUIRE_MESSAGE(solution.ok(), solution.message);
  REQUIRE(solution.events.size() == 1);
  const double t = std::sqrt(2.0), rest = 2.0 - t, speed = -t / 2.0;
  CHECK(solution.events[0].q_after[0] == 1.0);
  CHECK(std::fabs(solution.q().back() - (1.0 + speed * rest - rest * rest / 2.0)) < 1e-13);
}

TEST_CASE("an angle is counted in whole turns where the function does") {
  const System rotor = define({.name = "rotor",
                               .coordinates = {"phi"},
                               .kinetic = "phi_dot^2/2",
                               .potential = "0",
                               .angles = {"phi"}});
  const Solution solution = simulate(rotor, Dla{}, from(0.0, 1.0),
                                     {.step = 0.3, .until = 30.0, .events = {passing(20.0)}});
  REQUIRE(solution.events.size() == 1);
  CHECK(std::fabs(solution.events[0].t - 20.0) < 1e-13);
  CHECK(std::fabs(solution.events[0].q[0] - 20.0) < 1e-13);
}

TEST_CASE("a change of the state knows the turns of angles, and leaves those of others") {
  const System rotors = define({.name = "rotors",
                                .coordinates = {"a", "b"},
                                .kinetic = "(a_dot^2 + b_dot^2)/2",
                                .potential = "0",
                                .angles = {"a", "b"}});
  Event jump{.name = "jump", .function = [](const Symbols& s) { return s.t - 10.0; }};
  jump.change = [](const Symbols& s) { return StateChange{{s.q[0] + 1.0, s.q[1]}, {s.v[0], 0.0}}; };
  for (const bool project : {false, true}) {
    jump.project = project;
    const Solution solution = simulate(rotors, Dla{}, StartChoice({0.0, 0.0}, {1.0, -2.0}),
                                       {.step = 0.3, .until = 20.0, .events = {jump}});
    REQUIRE_MESSAGE(solution.ok(), solution.message);
    CHECK(std::fabs(solution.q().end()[-2] - 21.0) < 1e-13);
    CHECK(std::fabs(solution.q().back() + 20.0) < 1e-13);
    CHECK(solution.events[0].q_after[1] == solution.events[0].q[1]);
  }
  // Projection moves an angle on a circle by round-off, and not by a turn.
  const System joined = define({.name = "joined",
                                .coordinates = {"a", "b"},
                                .kinetic = "(a_dot^2 + b_dot^2)/2",
                                .potential = "0",
                                .holonomic = {"sin(a - 2*b)"},
                                .angles = {"a", "b"}});
  Event slow{.name = "slow",
             .function = [](const Symbols& s) { return s.t - 15.0; },
             .change =
                 [](const Symbols& s) {
                   return StateChange{{}, {s.v[0] / 2.0, s.v[1]}};
                 },
             .project = true};
  const Solution solution = simulate(joined, Lobatto{}, StartChoice({0.0, 0.0}, {2.0, 1.0}),
                                     {.step = 0.1, .until = 20.0, .events = {slow}});
  REQUIRE_MESSAGE(solution.ok(), solution.message);
  CHECK(std::fabs(solution.events[0].q[0] - 30.0) < 1e-12);
  CHECK(std::fabs(solution.events[0].q_after[0] - 30.0) < 1e-12);
}

TEST_CASE("methods with carried data locate events on a cubic, and cannot go on from one") {
  const Method shake = make_method({.name = "shake"});
  const Solution solution = simulate(oscillator(), shake, from(1.0, 0.0),
                                     {.step = 0.01, .until = 2.0, .events = {passing(0.0)}});
  REQUIRE(solution.events.size() == 1);
  CHECK(std::fabs(solution.events[0].t - M_PI / 2) < 1e-4);  // of order 2
  CHECK_THROWS_AS(
      static_cast<void>(simulate(oscillator(), shake, from(1.0, 0.0),
                                 {.step = 0.01, .until = 2.0, .events = {floor_with(1)}})),
      RequestError);
}

TEST_CASE("an adaptive method finds events to its tolerance") {
  const Method method = make_method({.name = "fehlberg-78", .options = {{"tolerance", 1e-12}}});
  const Solution solution =
      simulate(oscillator(), method, from(1.0, 0.0),
               {.step = 0.5, .until = 8.0, .events = {passing(0.0), floor_with(1.0)}});
  REQUIRE_MESSAGE(solution.ok(), solution.message);
  REQUIRE(solution.events.size() >= 2);
  CHECK(std::fabs(solution.events[0].t - M_PI / 2) < 1e-10);
}

TEST_CASE("what an event cannot do ends the run with the reason, before the step") {
  const auto message = [](const System& system, const StartChoice& start, const Event& event) {
    const Solution solution =
        simulate(system, Lobatto{}, start, {.step = 0.25, .until = 40.0, .events = {event}});
    CHECK(!solution.ok());
    CHECK(solution.t().back() == 0.25 * static_cast<double>(solution.steps));
    return solution.message;
  };
  const auto contains = [](const std::string& text, const char* part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(message(ball(), from(1.0, 0.0), floor_with(0.0)), "comes to rest on it");
  contains(message(ball(), from(1.0, 0.0), floor_with(0.5)), "more than 1000 times in a step");
  contains(message(ball(), from(1.0, 0.0), floor_with(1.5)), "not between -1 and 1");
  Event broken = passing(0.0);
  broken.change = [](const Symbols& s) { return StateChange{{1.0}, {log(s.q[0] - 1.0)}}; };
  contains(message(ball(), from(1.0, 0.0), broken), "is not finite");
  const auto small = test_support::pendulum_cvt();
  Event off{.name = "off", .function = [](const Symbols& s) { return s.q[2] - 0.5; }};
  off.change = [](const Symbols& s) { return StateChange{{}, {s.v[0] + 1.0, s.v[1], s.v[2]}}; };
  contains(message(small.system, StartChoice(small.q, small.v), off),
           "the state after it cannot be");
}

TEST_CASE("a body that comes to rest ends the run where it leaves too slowly") {
  Event floor = floor_with(0.5);
  floor.rest = 1e-3;
  const Solution solution =
      simulate(ball(), Lobatto{}, from(1.0, 0.0), {.step = 0.1, .until = 40.0, .events = {floor}});
  REQUIRE_MESSAGE(solution.ok(), solution.message);
  CHECK(solution.ended_by == std::size_t{0});
  CHECK(solution.events.size() == 11);  // sqrt(2) / 2^11 < 1e-3
  CHECK(std::fabs(solution.v().back() - std::sqrt(2.0) / 2048.0) < 1e-12);
}
