#include "dalembert/run/event/member_events.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/run/ensemble.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

constexpr std::size_t member_count = 37;  // no multiple of a block
constexpr double h = 0.05;
constexpr std::uint64_t step_count = 700;

/// A wall that throws back, a gear that slows down, and an end for those that get far enough.
std::vector<Event> happenings() {
  return {{.name = "wall",
           .function = [](const Symbols& s) { return s.q[0] - 0.9; },
           .direction = Direction::falling,
           .impact =
               [](const Symbols& s) {
                 return std::vector<ContactVelocity>{{s.v[0], 0.95}};
               }},
          {.name = "gear",
           .function = [](const Symbols& s) { return sin(s.q[2]) - 0.9; },
           .change =
               [](const Symbols& s) {
                 return StateChange{{}, {s.v[0], s.v[1], s.v[2] * 0.999}};
               }},
          {.name = "far",
           .function = [](const Symbols& s) { return s.q[1] + 0.2; },
           .direction = Direction::falling,
           .stop_after = 1}};
}

struct Members {
  System system;
  std::shared_ptr<const StepProgram> program;
  EnsembleState state;
};

/// Starts above the wall, with gears of their own.
Members members_of(const Method& method, const std::vector<Event>& events, bool watched) {
  const auto small = test_support::pendulum_cvt();
  Members members{small.system,
                  StepProgram::compile(
                      small.system, method,
                      {.also_watched = watched ? watched_events(small.system, events) : nullptr}),
                  {}};
  const Stepper stepper(members.program, h);
  Evaluator evaluator(small.system);
  members.state.points = MemberPoints(members.program);
  for (std::size_t i = 0; i < member_count; ++i) {
    const double part = static_cast<double>(i) / member_count;
    const std::vector<double> q{1.0 + part, 1.0, 0.0}, v{0.0, 0.3 * part, 1.6 + part};
    members.state.points.push_back(start_point(stepper, evaluator, q, v));
  }
  return members;
}

}  // namespace

TEST_CASE("members in lanes meet their events as single runs do, bit for bit") {
  const std::vector<Event> events = happenings();
  for (const Method& method : {Method(Lobatto{}), Method(Dla{})}) {
    CAPTURE(method.name());
    // By itself, member after member.
    const Members alone = members_of(method, events, false);
    std::vector<Point> ends;
    std::vector<std::optional<std::size_t>> ended_by;
    std::size_t happened = 0;
    for (std::size_t i = 0; i < member_count; ++i) {
      Stepper stepper(alone.program, h);
      EventAdvance advance(stepper, {alone.system, events}, {});
      ends.push_back(alone.state.points[i]);
      REQUIRE(advance(ends.back(), 0.0, 0, step_count).status == StepStatus::ok);
      ended_by.push_back(advance.ended_by());
      happened += advance.take().size();
    }
    CHECK(happened > 10 * member_count);
    const auto ended = static_cast<std::size_t>(
        std::ranges::count_if(ended_by, [](const auto& event) { return event.has_value(); }));
    CHECK(ended > 3);
    CHECK(ended < member_count);
    for (const bool watched : {true, false}) {
      for (const int lanes : {1, 4, 8}) {
        for (const std::uint64_t every : {1, 7, 700}) {
          CAPTURE(lanes);
          CAPTURE(every);
          Members members = members_of(method, events, watched);
          const EnsembleReport report = integrate_ensemble(
              members.program, {}, h, members.state,
              {.steps = step_count, .record_every = every, .events = events, .lanes = lanes}, {});
          CHECK(report.complete);
          REQUIRE(members.state.failures.size() == ended);
          for (const MemberFailure& end : members.state.failures) {
            CHECK(end.ended_by == ended_by[end.member]);
            CHECK(end.t == ends[end.member].t);
          }
          std::size_t same = 0;
          for (std::size_t i = 0; i < member_count; ++i) {
            const Point point = members.state.points[i];
            same += point.q == ends[i].q && point.v == ends[i].v && point.turns == ends[i].turns;
          }
          CHECK(same == member_count);
        }
      }
    }
  }
}

TEST_CASE("records between nodes have the bits of single runs, with what happens before them") {
  const std::vector<Event> events = happenings();
  const Members alone = members_of(Lobatto{}, events, false);
  const std::vector<double> times{0.33, 1.97, 1.975, 6.51, 6.512};
  std::vector<std::vector<double>> energies;
  Evaluator evaluator(alone.system);
  for (const double t : times) {
    energies.emplace_back();
    for (std::size_t i = 0; i < member_count; ++i) {
      Stepper stepper(alone.program, h);
      EventAdvance advance(stepper, {alone.system, events}, {});
      Point point = alone.state.points[i];
      const auto steps = static_cast<std::uint64_t>(t / h);
      REQUIRE(advance(point, 0.0, 0, steps).status == StepStatus::ok);
      if (!advance.ended_by()) static_cast<void>(advance.advance_to(point, t));
      energies.back().push_back(advance.ended_by() ? std::nan("")
                                                   : evaluator.energy(point.t, point.q, point.v));
    }
  }
  for (const int lanes : {1, 4, 8}) {
    CAPTURE(lanes);
    Members members = members_of(Lobatto{}, events, true);
    std::size_t records = 0, same = 0;
    static_cast<void>(integrate_ensemble(
        members.program, {}, h, members.state,
        {.steps = 200, .record_times = RecordTimes::at(times), .events = events, .lanes = lanes},
        [&](const EnsembleWindow& window) {
          for (std::size_t r = 0; r < window.records; ++r) {
            for (std::size_t k = 0; k < times.size(); ++k) {
              if (window.times[r] != times[k]) continue;
              ++records;
              const std::span<const double> energy = window.quantity(r, 0);
              for (std::size_t i = 0; i < member_count; ++i) {
                const double expected = energies[k][i];
                same += std::isnan(expected) ? std::isnan(energy[i]) : energy[i] == expected;
              }
            }
          }
        }));
    CHECK(records == times.size());
    CHECK(same == times.size() * member_count);
  }
}

TEST_CASE("members for which an event cannot take place are refused, the others go on") {
  Event kick{.name = "kick", .function = [](const Symbols& s) { return s.q[2] - 1.0; }};
  // Off the constraint, which only those that are fast enough get to.
  kick.change = [](const Symbols& s) { return StateChange{{}, {s.v[0] + 1.0, s.v[1], s.v[2]}}; };
  for (const int lanes : {1, 4}) {
    Members members = members_of(Lobatto{}, {kick}, true);
    static_cast<void>(integrate_ensemble(members.program, {}, h, members.state,
                                         {.steps = 11, .events = {kick}, .lanes = lanes}, {}));
    CHECK(members.state.failures.size() > 3);
    CHECK(members.state.failures.size() < member_count - 3);
    for (const MemberFailure& failure : members.state.failures) {
      CHECK(failure.status == StepStatus::event_refused);
      CHECK(failure.message.find("an event could not take place") != std::string::npos);
      CHECK(!failure.ended_by);
    }
  }
}

TEST_CASE("events of which no list is kept are refused") {
  Event passing{.name = "passing", .function = [](const Symbols& s) { return s.q[0]; }};
  Members members = members_of(Dla{}, {}, false);
  const auto run = [&] {
    return integrate_ensemble(members.program, {}, h, members.state,
                              {.steps = 1, .events = {passing}}, {});
  };
  CHECK_THROWS_AS(static_cast<void>(run()), RequestError);
  passing.stop_after = 2;
  CHECK_THROWS_AS(static_cast<void>(run()), RequestError);
  passing.stop_after = 1;
  CHECK(run().complete);
}
