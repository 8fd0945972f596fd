// Steady motions and their roots, where these are known.
#include "dalembert/linearisation/linearise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

using Complex = std::complex<double>;

/// The distance of the nearest root.
double distance_from_root(const Linearisation& motion, Complex value) {
  double nearest = 1e300;
  for (const LinearMode& mode : motion.modes)
    nearest = std::min<double>(nearest, std::abs(mode.value - value));
  return nearest;
}

SensitiveQuantity coordinate(const std::string& name) {
  return {name, [name](const Symbols& s, const Vector&) { return s.element(name).variables[0]; }};
}

SensitiveQuantity energy_of(const System& system) {
  return {"energy",
          [system](const Symbols& s, const Vector&) { return system.energy(s.q, s.v, s.t); }};
}

/// Roots are found to round-off, and no matrix here has roots that are worse conditioned than 1e3.
constexpr double tolerance = 1e-12;

}  // namespace

TEST_CASE("A sleeping top has the frequencies that are seen in space") {
  // I1 w^2 - I3 spin w + weight = 0 for motions of the axis in space; turning about its own axis
  // and turning about the vertical are the same motion, and a frame that took half of each would
  // show w - spin/2.
  constexpr double i1 = 0.7, i3 = 0.5, weight = 0.5, spin = 5.0;
  const Problem problem = load_problem("heavy-top");
  for (const double turned : {0.0, 0.4}) {
    const Start start{.q = {std::cos(turned / 2), 0.0, 0.0, std::sin(turned / 2)},
                      .v = {0.0, 0.0, spin}};
    const Linearisation motion = linearise(problem, start, {.parameters = {{"I2", i1}}});
    REQUIRE(motion.ok());
    CHECK(motion.moves_along == "5 R_3 in the body");
    const double root = std::sqrt(i3 * i3 * spin * spin - 4.0 * i1 * weight);
    for (const double sign : {-1.0, 1.0}) {
      const double seen = (i3 * spin + sign * root) / (2.0 * i1);
      CHECK(distance_from_root(motion, Complex(0.0, seen)) < tolerance);
      CHECK(distance_from_root(motion, Complex(0.0, -seen)) < tolerance);
    }
  }
}

TEST_CASE("A particle that slides with drag has a terminal velocity") {
  // x'' = slope - drag x'; the energy changes with x, all else does not.
  TextSystem text = particle_in_plane("slope");
  text.potential = "-0.3*x + 2*y^2";
  text.force = {"-0.5*x_dot", "-0.5*y_dot"};
  const Problem problem{define(text), {Start{.q = {0.7, 0.1}, .v = {0.1, 0.0}}}};
  const Linearisation motion = linearise(problem);
  REQUIRE(motion.ok());
  CHECK(motion.symmetries == std::vector<std::string>{"d/dx"});
  CHECK(motion.held == std::vector<std::string>{"x"});
  CHECK(motion.states == std::vector<std::string>{"y", "x_dot", "y_dot"});
  CHECK(motion.dependent.empty());
  CHECK(std::fabs(motion.v[0] - 0.6) < tolerance);
  CHECK(std::fabs(motion.q[1]) < tolerance);
  CHECK(distance_from_root(motion, -0.5) < tolerance);
  CHECK(distance_from_root(motion, {-0.25, std::sqrt(4.0 - 0.0625)}) < tolerance);
  CHECK(motion.stability == Stability::stable);
  CHECK(motion.neutral == 0);
  CHECK(motion.family == 0);
  const std::vector<double> matrix{0.0, 0.0, 1.0, 0.0, -0.5, 0.0, -4.0, 0.0, -0.5};
  for (std::size_t i = 0; i < 9; ++i) CHECK(std::fabs(motion.matrix.at(i) - matrix[i]) < tolerance);
}

TEST_CASE("A conical pendulum swings about its circle at the known rate") {
  const Problem problem = load_problem("spherical-pendulum");
  const Linearisation motion = linearise(problem, {}, {.keep = {coordinate("z")}});
  REQUIRE(motion.ok());
  CHECK(motion.symmetries == std::vector<std::string>{"-y d/dx + x d/dy"});
  const double cosine = std::cos(0.8);
  CHECK(std::fabs(motion.q[2] + cosine) < tolerance);
  CHECK(std::fabs(std::hypot(motion.v[0], motion.v[1]) / std::sin(0.8) - std::sqrt(1.0 / cosine)) <
        tolerance);
  // Small swings: omega^2 = g/(l cos a) (1 + 3 cos^2 a).
  const double swing = std::sqrt((1.0 + 3.0 * cosine * cosine) / cosine);
  CHECK(distance_from_root(motion, {0.0, swing}) < tolerance);
  CHECK(motion.neutral == 1);
  CHECK(motion.family == 1);
  CHECK(motion.stability == Stability::undecided);
}

TEST_CASE("A sleigh runs straight, stable forwards and unstable backwards") {
  for (const double speed : {0.8, -0.8}) {
    CAPTURE(speed);
    const Problem problem = load_problem("chaplygin-sleigh");
    const Linearisation motion = linearise(
        problem, Start{.q = {0, 0, 0.3}, .v = {speed * std::cos(0.3), speed * std::sin(0.3), 0.0}});
    REQUIRE(motion.ok());
    CHECK(motion.distance < tolerance);
    CHECK(motion.symmetries ==
          std::vector<std::string>{"-x2 d/dx1 + x1 d/dx2 + d/dtheta", "d/dx1", "d/dx2"});
    // theta'' = -a m u/(J + m a^2) theta'. Source: [NeimarkFufaev1972].
    CHECK(distance_from_root(motion, -speed / 9.0) < tolerance);
    CHECK(motion.neutral == 1);
    CHECK(motion.family == 1);
    CHECK(motion.stability == (speed > 0 ? Stability::stable : Stability::unstable));
    CHECK(std::fabs(motion.growth() + speed / 9.0) < tolerance);
  }
}

TEST_CASE("The same sleigh on SE(2) has the same root") {
  const Problem problem = load_problem("chaplygin-sleigh-se2", {.parameters = {{"a", 0.6}}});
  const Problem flat = load_problem("chaplygin-sleigh", {.parameters = {{"a", 0.6}}});
  const Linearisation motion = linearise(problem, Start{.q = {0.4, 0, 0}, .v = {0, 0.7, 0}},
                                         {.parameters = {{"J", 0.9}, {"m", 1.3}}});
  const Linearisation other = linearise(flat, Start{.q = {0, 0, 0}, .v = {0.7, 0, 0}},
                                        {.parameters = {{"J", 0.9}, {"m", 1.3}}});
  REQUIRE(motion.ok());
  REQUIRE(other.ok());
  CHECK(motion.symmetries ==
        std::vector<std::string>{"B_1 in space", "B_2 in space", "B_3 in space"});
  CHECK(std::fabs(motion.growth() - other.growth()) < tolerance);
  CHECK(std::fabs(motion.growth() + 1.3 * 0.6 * 0.7 / (0.9 + 1.3 * 0.36)) < tolerance);
}

TEST_CASE("A rigid body turns about its axes, the middle one unstable") {
  const Problem problem = load_problem("rigid-body-so3");
  const double i1 = 1.0, i2 = 2.0, i3 = 2.5, rate = 0.7;
  const auto at = [&](std::vector<double> v) {
    return linearise(problem, Start{.q = {0.6, 0.0, 0.8, 0.0}, .v = std::move(v)});
  };
  const Linearisation middle = at({0, rate, 0}), last = at({0, 0, rate});
  REQUIRE(middle.ok());
  REQUIRE(last.ok());
  const double grows = rate * std::sqrt((i3 - i2) * (i2 - i1) / (i1 * i3)),
               swings = rate * std::sqrt((i3 - i2) * (i3 - i1) / (i1 * i2));
  CHECK(std::fabs(middle.growth() - grows) < tolerance);
  CHECK(middle.stability == Stability::unstable);
  CHECK(distance_from_root(last, {0.0, swings}) < tolerance);
  CHECK(last.stability == Stability::undecided);
  CHECK(last.neutral == 1);
  // Euler's equations, a system of first order without velocities, have the same roots.
  const Problem reduced = load_problem("rigid-body");
  const Linearisation first_order = linearise(reduced, Start{.q = {0, i2 * rate, 0}});
  REQUIRE(first_order.ok());
  CHECK(std::fabs(first_order.growth() - grows) < tolerance);
  CHECK(first_order.states == std::vector<std::string>{"pi_1", "pi_2", "pi_3"});
}

TEST_CASE("A ball on a turntable goes round at two sevenths of its rate") {
  const Problem problem = load_problem("ball-on-turntable", {.parameters = {{"Omega", 1.3}}});
  const Linearisation motion = linearise(problem, "circle");
  REQUIRE(motion.ok());
  CHECK(motion.symmetries.front() == "-y d/dx + x d/dy + R_3 in space");
  CHECK(distance_from_root(motion, {0.0, 1.3 * 2.0 / 7.0}) < tolerance);
}

TEST_CASE("A disk that leans has the same roots with angles and on SO(3)") {
  const Problem angles = load_problem("tilting-disk"), group = load_problem("tilting-disk-so3");
  const SensitiveQuantity height = coordinate("z");
  const Linearisation one =
      linearise(angles, "wobbling", {.keep = {height, energy_of(angles.system)}});
  const Linearisation other =
      linearise(group, "wobbling", {.keep = {height, energy_of(group.system)}});
  REQUIRE(one.ok());
  REQUIRE(other.ok());
  CHECK(one.symmetries ==
        std::vector<std::string>{"-y d/dx + x d/dy + d/dpsi", "d/dx", "d/dy", "d/dphi"});
  CHECK(std::ranges::count(other.symmetries, "R_3 in the body") == 1);
  REQUIRE(one.modes.size() == other.modes.size());
  // Steady circles have two parameters.
  CHECK(one.family == 2);
  CHECK(one.neutral == 2);
  for (const LinearMode& mode : one.modes) CHECK(distance_from_root(other, mode.value) < 1e-10);
  CHECK(one.growth() < 1e-10);
}

TEST_CASE("Deviations of a run follow the linearised equations") {
  const Problem problem = load_problem("rattleback");
  const Linearisation motion = linearise(problem, "steady");
  REQUIRE(motion.ok());
  REQUIRE(motion.states.front() == "alpha");
  // Start at the steady motion with a small deviation in all states; what is held moves along
  // the symmetries, which the states alpha, beta and the rates do not feel.
  const std::size_t n = motion.states.size();
  const double size = 1e-6;
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = size * (0.3 + 0.2 * double(i));
  const std::vector<std::string> names{"x",     "y",         "z",         "gamma",
                                       "alpha", "beta",      "x_dot",     "y_dot",
                                       "z_dot", "gamma_dot", "alpha_dot", "beta_dot"};
  std::vector<double> state = motion.q;
  state.insert(state.end(), motion.v.begin(), motion.v.end());
  const auto place = [&](const std::string& name) {
    return std::size_t(std::ranges::find(names, name) - names.begin());
  };
  for (std::size_t i = 0; i < n; ++i) state[place(motion.states[i])] += x[i];
  for (std::size_t k = 0; k < motion.dependent.size(); ++k)
    for (std::size_t i = 0; i < n; ++i)
      state[place(motion.dependent[k])] += motion.dependence[k * n + i] * x[i];
  Start start{.q = {state.begin(), state.begin() + 6}, .v = {state.begin() + 6, state.end()}};
  start.project = true;
  const double until = 0.1;
  const Solution run = simulate(problem, make_method({"gauss", {{"stages", 4.0}}}), start,
                                {.step = 0.001, .until = until});
  REQUIRE(run.ok());
  // exp(A t) x by its series: |A| t is about 10.
  std::vector<double> sum = x, term = x;
  for (int k = 1; k < 120; ++k) {
    std::vector<double> next(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        next[i] += motion.matrix[i * n + j] * term[j] * until / double(k);
    term = next;
    for (std::size_t i = 0; i < n; ++i) sum[i] += term[i];
  }
  const Point end = run.point;
  std::vector<double> final = end.q;
  final.insert(final.end(), end.v.begin(), end.v.end());
  double largest = 0.0;
  for (const double value : sum) largest = std::max<double>(largest, std::fabs(value));
  // Terms of second order are a part of about `size` times second derivatives, whose sizes are up
  // to a thousand here.
  for (std::size_t i = 0; i < n; ++i) {
    CAPTURE(motion.states[i]);
    const std::size_t at = place(motion.states[i]);
    const double steady = at < 6 ? motion.q[at] : motion.v[at - 6];
    CHECK(std::fabs(final[at] - steady - sum[i]) < 1e-3 * largest);
  }
}

TEST_CASE("What is kept stays, and what cannot be kept is said") {
  // Without hands a bicycle turns steadily at one speed for each lean, near that of capsizing.
  const Problem problem = load_problem("bicycle");
  const Start leaning{.q = {0, 0, 0, 0.05, 0, 0.02, 0, 0},
                      .v = {6, 0, 0, 0, 0, 0, -6 / 0.3, -6 / 0.35},
                      .project = true};
  const Linearisation turn = linearise(problem, leaning, {.keep = {coordinate("phi")}});
  REQUIRE(turn.ok());
  const double lean = prepare_start(problem.system, leaning).q[3], rate = turn.v[2],
               speed = std::hypot(turn.v[0], turn.v[1]);
  CHECK(std::fabs(turn.q[3] - lean) < tolerance);
  CHECK(std::fabs(speed - 6.02426201538837) < 5.0 * lean * lean);
  // The wheels and their spin add some percents.
  CHECK(rate * speed / 9.81 == doctest::Approx(std::tan(lean)).epsilon(0.05));
  CHECK(turn.symmetries.size() == 5);
  CHECK(turn.states.size() == 5);
  const SensitiveQuantity energy = energy_of(problem.system);
  Start slow = leaning;
  for (double& entry : slow.v) entry *= 5.0 / 6.0;
  CHECK(!linearise(problem, slow, {.keep = {coordinate("phi"), energy}}).ok());

  // A particle in a bowl rests at its bottom only.
  TextSystem text = particle_in_plane("bowl");
  text.potential = "x^2/2 + 2*y^2";
  const Problem bowl{define(text), {Start{.q = {0.7, 0.1}, .v = {0.1, 0.0}}}};
  const Linearisation nowhere = linearise(bowl, {}, {.keep = {coordinate("x")}});
  CHECK(!nowhere.ok());
  CHECK(nowhere.message.starts_with("no steady motion was found near the start"));
  CHECK(nowhere.residual > 0.1);
  const Linearisation elsewhere = linearise(bowl, {}, {.search = false});
  CHECK(!elsewhere.ok());
  CHECK(elsewhere.message.starts_with("the start is no steady motion; the nearest"));
  CHECK(elsewhere.distance == doctest::Approx(std::hypot(0.7, 0.1, 0.1)));
}

TEST_CASE("Rest is found exactly, and no motion where a constraint is singular") {
  const Linearisation ball = linearise(load_problem("chaplygin-ball"), "tumbling");
  REQUIRE(ball.ok());
  for (const double entry : ball.v) CHECK(entry == 0.0);
  CHECK(ball.neutral == ball.modes.size());
  // Of its small rotations some go on for ever: no mode grows, and it does not stay.
  CHECK(ball.family < ball.neutral);
  CHECK(ball.stability == Stability::undecided);
  // It falls for ever: its constraint is singular at the only state of rest.
  const Linearisation falling = linearise(load_problem("appell-hamel"));
  CHECK(!falling.ok());
  CHECK(falling.message ==
        "no steady motion was found near the start: the search ended where a constraint is "
        "singular");
}

TEST_CASE("Systems with many lines are looked at for translations alone") {
  TextSystem text{"lines", {}, "", "0"};
  for (int i = 1; i <= 13; ++i) {
    text.coordinates.push_back("x" + std::to_string(i));
    text.kinetic += (i > 1 ? " + x" : "x") + std::to_string(i) + "_dot^2/2";
  }
  const Problem problem{
      define(text), {Start{.q = std::vector<double>(13, 0.0), .v = std::vector<double>(13, 1.0)}}};
  const Linearisation motion = linearise(problem);
  REQUIRE(motion.ok());
  CHECK(motion.symmetries.size() == 13);
  CHECK(motion.symmetries.front() == "d/dx1");
  CHECK(motion.family == 13);
  CHECK(motion.stability == Stability::stable);
}

TEST_CASE("Of free motions no more symmetries are found than there are") {
  // The energy alone says something, one condition in each state: fifteen rotations, six
  // translations.
  TextSystem text{"free", {}, "", "0"};
  for (int i = 1; i <= 6; ++i) {
    text.coordinates.push_back("x" + std::to_string(i));
    text.kinetic += (i > 1 ? " + x" : "x") + std::to_string(i) + "_dot^2/2";
  }
  const Problem problem{define(text), {Start{.q = {1, 2, 3, 4, 5, 6}, .v = {1, 0, 2, 0, 0, 3}}}};
  const Linearisation motion = linearise(problem);
  REQUIRE(motion.ok());
  CHECK(motion.symmetries.size() == 21);
  CHECK(std::ranges::count(motion.symmetries, "-x2 d/dx1 + x1 d/dx2") == 1);
}

TEST_CASE("Where no other state is on the constraints, nothing is said of symmetries") {
  // A point that can be at the origin only, and equations that are defined nowhere else.
  TextSystem text = particle_in_plane("point");
  text.potential = "sqrt(-x^2 - y^2 + 1e-30)";
  const Problem problem{define(text), {Start{.q = {0, 0}, .v = {0, 0}}}};
  const Linearisation motion = linearise(problem);
  CHECK(!motion.ok());
  CHECK(motion.message.starts_with("the symmetries of the equations cannot be told"));
}

TEST_CASE("What depends on time has no steady motions") {
  TextSystem text = particle_in_plane("driven");
  text.force = {"cos(t)", "0"};
  const Problem problem{define(text), {Start{.q = {0, 0}, .v = {0, 0}}}};
  CHECK_THROWS_WITH_AS(static_cast<void>(linearise(problem)),
                       "system \"driven\" depends on time, and has no steady motions; derivatives "
                       "of its runs are what `sensitivity` finds",
                       RequestError);
}
