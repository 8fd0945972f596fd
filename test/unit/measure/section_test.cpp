#include "dalembert/measure/section.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

System oscillator() {
  TextSystem text = particle_in_plane("oscillator");
  text.potential = "(x^2 + 4*y^2)/2";
  return define(text);
}

std::vector<Crossing> crossings(const System& system, const Method& method,
                                const std::vector<double>& q, const std::vector<double>& v,
                                double h, std::uint64_t steps, const SectionFunction& event,
                                Direction direction = Direction::rising) {
  Section section(system, event, direction);
  Stepper stepper(StepProgram::compile(system, method), h);
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, q, v);
  CHECK(integrate(stepper, evaluator, point, {.steps = steps}, section.observer()).status ==
        RunReport::Status::ok);
  return section.take();
}

}  // namespace

TEST_CASE("Crossings of an exact trajectory are exact to round-off, in the wanted direction") {
  const System system = oscillator();
  const SectionFunction x = make_section_function(system, [](const Symbols& s) { return s.q[0]; });
  const std::vector<double> q{0.0, 0.5}, v{1.0, 0.0};
  const double pi = std::numbers::pi;
  for (const Direction direction : {Direction::rising, Direction::falling, Direction::both}) {
    const auto found = crossings(system, Gauss{.stages = 6}, q, v, 0.1, 700, x, direction);
    const double first = direction == Direction::rising ? 2.0 * pi : pi;
    const double every = direction == Direction::both ? pi : 2.0 * pi;
    REQUIRE(found.size() == static_cast<std::size_t>((70.0 - first) / every) + 1);
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double t = first + every * static_cast<double>(k);
      // Round-off of 700 steps.
      CHECK(std::fabs(found[k].t - t) < 1e-13);
      CHECK(std::fabs(found[k].q[0]) < 1e-15);  // the event itself, met anew each time
      CHECK(std::fabs(found[k].q[1] - 0.5 * std::cos(2.0 * t)) < 1e-13);
      CHECK(found[k].rising == (found[k].v[0] > 0.0));
    }
  }
}

TEST_CASE("Crossings have the accuracy of the nodes: a crossing between coarse nodes is no worse") {
  const System system = oscillator();
  const SectionFunction mixed =
      make_section_function(system, [](const Symbols& s) { return s.q[0] - s.q[1] / 3.0; });
  const std::vector<double> q{0.3, 0.5}, v{1.0, 0.2};
  const auto best = crossings(system, Gauss{.stages = 6}, q, v, 0.125, 80, mixed);
  const auto error = [&](double h) {
    const auto found = crossings(system, make_method({.name = "leapfrog"}), q, v, h,
                                 static_cast<std::uint64_t>(10.0 / h), mixed);
    REQUIRE(found.size() == best.size());
    double largest = 0.0;
    for (std::size_t k = 0; k < best.size(); ++k)
      largest = numeric::larger(largest, std::fabs(found[k].t - best[k].t));
    return largest;
  };
  // Order 2; local errors h^3 of where between the nodes the crossing lies blur it a little.
  const double ratio = error(0.0625) / error(0.03125);
  CHECK(ratio > 3.3);
  CHECK(ratio < 4.7);
}

TEST_CASE("Crossings lie on the constraints; jumps of wrapped angles are none") {
  const auto cvt = test_support::pendulum_cvt();
  const SectionFunction upright = [](double, std::span<const double> q, std::span<const double>) {
    return std::remainder(q[2], 2.0 * std::numbers::pi);
  };
  const auto found =
      crossings(cvt.system, make_method({.name = "dla", .options = {{"alpha", 0.5}}}), cvt.q,
                {0.0, 0.0, 2.82842712}, 0.1, 400, upright, Direction::both);
  // The driver turns over every 2.622: 15 times in 40.
  CHECK(found.size() == 15);
  for (const Crossing& crossing : found) {
    CHECK(crossing.rising);
    // Some ten roundings of an angle of up to 100.
    CHECK(std::fabs(upright(crossing.t, crossing.q, crossing.v)) < 1e-13);
    // The exact flow keeps the constraint but for round-off of each of its substeps and iterations:
    // up to a hundred roundings of terms of size 2.
    CHECK(std::fabs(crossing.v[0] + std::sin(crossing.q[2]) * crossing.v[1]) < 100 * 2 * 1.1e-16);
  }
}

TEST_CASE("A start on the section is no crossing, an end on it is one") {
  const System system = oscillator();
  const SectionFunction x = make_section_function(system, [](const Symbols& s) { return s.q[0]; });
  Section section(system, x);
  section.add(0.0, std::vector<double>{0.0, 0.0}, std::vector<double>{1.0, 0.0});
  section.add(1.0, std::vector<double>{0.8, 0.0}, std::vector<double>{0.5, 0.0});
  CHECK(section.crossings().empty());
  section.add(2.0, std::vector<double>{-0.1, 0.0}, std::vector<double>{1.0, 0.0});
  section.add(2.1, std::vector<double>{0.0, 0.0}, std::vector<double>{1.0, 0.0});
  section.add(2.2, std::vector<double>{0.1, 0.0}, std::vector<double>{1.0, 0.0});
  REQUIRE(section.crossings().size() == 1);
  CHECK(section.crossings().front().t == 2.1);
  CHECK_THROWS_AS(make_section_function(
                      system, [](const Symbols& s) { return s.q[0]; }, std::vector<double>{1.0}),
                  RequestError);
}
