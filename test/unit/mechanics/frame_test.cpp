#include "dalembert/mechanics/frame.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double frame_epsilon = std::numeric_limits<double>::epsilon();

/// Two constraints, a mass that depends on q, a frame given by hand.
System skew_particle() {
  TextSystem text;
  text.name = "particle";
  text.coordinates = {"x", "y", "z", "w"};
  text.kinetic = "((1 + x^2)*x_dot^2 + y_dot^2 + z_dot^2 + 2*w_dot^2)/2";
  text.potential = "x";
  text.constraints = {"z_dot - y*x_dot", "w_dot - sin(x)*y_dot"};
  text.frame = {{"1", "0", "y", "0"}, {"0", "1", "0", "sin(x)"}};
  return define(text);
}

const std::vector<double> some_q{0.3, -0.7, 0.2, 1.1}, some_v{0.4, 0.9, -0.5, 0.6};

double largest_entry(std::span<const double> values) {
  double found = 0.0;
  for (const double value : values) found = numeric::larger(found, std::fabs(value));
  return found;
}

}  // namespace

TEST_CASE("a frame of each kind spans the kernel of the constraints") {
  const System system = skew_particle();
  for (const FrameKind kind : {FrameKind::given, FrameKind::qr, FrameKind::adapted}) {
    const Symbols s = system.symbols();
    const Frame frame(system, kind, s.q);
    CHECK(frame.size() == 2);
    const Matrix x = frame.at(s.q);
    StateFunction<double> product(system, s, (system.constraint_matrix(s.q) * x).entries());
    // Four terms of size one.
    CHECK(largest_entry(product(0.0, some_q, some_v)) < 8 * frame_epsilon);
  }
}

TEST_CASE("the frame of a QR factorization is orthonormal") {
  const System system = skew_particle();
  const Symbols s = system.symbols();
  const Matrix x = Frame(system, FrameKind::qr, s.q).at(s.q);
  StateFunction<double> gram(system, s, (transpose(x) * x - Matrix::identity(2)).entries());
  CHECK(largest_entry(gram(0.0, some_q, some_v)) < 16 * frame_epsilon);
}

TEST_CASE("components give back a velocity of the distribution, also from its momenta") {
  const System system = skew_particle();
  for (const FrameKind kind : {FrameKind::given, FrameKind::qr, FrameKind::adapted}) {
    const Symbols s = system.symbols();
    const Frame frame(system, kind, s.q);
    const Matrix x = frame.at(s.q);
    const Vector inside = x * Vector{Expr(0.7), Expr(-1.3)};
    const Vector rho = transpose(x) * system.momentum(s.q, inside);
    const Vector error = concatenate({frame.components(s.q, inside) - Vector{0.7, -1.3},
                                      frame.components_of_momentum(s.q, rho) - Vector{0.7, -1.3}});
    StateFunction<double> function(system, s, error);
    // The solution of two equations whose matrix has a condition below 10.
    CHECK(largest_entry(function(0.0, some_q, some_v)) < 100 * frame_epsilon);
  }
}

TEST_CASE("the bracket is skew, and by differences it comes near the exact one") {
  const System system = skew_particle();
  const Symbols s = system.symbols();
  const Frame frame(system, FrameKind::given, s.q);
  const Vector p = system.momentum(s.q, s.v);
  const double increment = 1e-5;
  const Matrix exact = frame.bracket(s.q, p, 0.0), nearly = frame.bracket(s.q, p, increment);
  StateFunction<double> function(system, s, concatenate({exact.entries(), nearly.entries()}));
  const std::span<const double> found = function(0.0, some_q, some_v);
  CHECK(found[0] == 0.0);
  CHECK(found[1] == -found[2]);
  constexpr double few = test_support::round_off_of(10.0);  // of ten operations
  // [X_1, X_2] = X_1(X_2) - X_2(X_1) = cos(x) d/dw - d/dz, up to the sign of the convention.
  const double by_hand = std::cos(some_q[0]) * 2.0 * some_v[3] - some_v[2];
  CHECK(std::fabs(found[1]) == doctest::Approx(std::fabs(by_hand)).epsilon(few));
  // Central differences: increment^2/6 of third derivatives of size one, and round-off.
  CHECK(std::fabs(found[5] - found[1]) < increment * increment + 4 * frame_epsilon / increment);
}

TEST_CASE("a frame that is not there is refused with the reason") {
  TextSystem text = particle_in_plane("free");
  text.constraints = {"x_dot^2 + y_dot^2 - 1"};
  const System nonlinear = define(text);
  CHECK(Frame::misfit(nonlinear, FrameKind::qr));
  CHECK_THROWS_AS(Frame(nonlinear, FrameKind::qr, nonlinear.symbols().q), RequestError);
  text.constraints = {"x_dot - y*y_dot"};
  CHECK(Frame::misfit(define(text), FrameKind::given));
  CHECK_FALSE(Frame::misfit(define(text), FrameKind::qr));
  CHECK(frame_kind("adapted") == FrameKind::adapted);
  CHECK_THROWS_AS(frame_kind("adaptd"), RequestError);
}
