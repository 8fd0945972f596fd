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
  for (const FrameKind kind : {FrameKind::given, FrameKind::qr, FrameKind::adapted,
                               FrameKind::sparse, FrameKind::automatic}) {
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
  for (const FrameKind kind :
       {FrameKind::given, FrameKind::qr, FrameKind::adapted, FrameKind::sparse}) {
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

/// The same frame for constraints that give velocities in each of the ways that elimination knows.
void check_sparse(const std::vector<std::string>& constraints) {
  TextSystem text = particle_in_space("four wheels");
  text.coordinates.push_back("w");
  text.kinetic = "((2 + cos(x))*x_dot^2 + y_dot^2 + z_dot^2 + 2*w_dot^2)/2";
  text.constraints = constraints;
  const System system = define(text);
  const Symbols s = system.symbols();
  const Frame frame(system, FrameKind::sparse, s.q);
  const Matrix x = frame.at(s.q);
  Matrix both(frame.size(), frame.size());
  for (std::size_t a = 0; a < frame.size(); ++a) {
    const Vector back = frame.components(s.q, x.column(a));
    for (std::size_t b = 0; b < frame.size(); ++b) both(b, a) = back[b];
  }
  const Matrix unit = both - Matrix::identity(frame.size());
  const Matrix beside = system.constraint_matrix(s.q) * x;
  StateFunction<double> function(system, s, concatenate({beside.entries(), unit.entries()}));
  for (const double turn : {0.0, 0.5, 1.5707963267948966, 3.141592653589793, 4.0}) {
    const std::vector<double> q{turn, turn - 0.3, 2.0 * turn, 0.1};
    CAPTURE(turn);
    // Sums of a few products of numbers up to ten.
    CHECK(largest_entry(function(0.0, q, some_v)) < 200 * frame_epsilon);
  }
}

TEST_CASE("a sparse frame holds in every direction of a wheel") {
  check_sparse({"sin(z)*x_dot - cos(z)*y_dot"});                          // a pair
  check_sparse({"2*sin(z)*x_dot - 2*cos(z)*y_dot + x*z_dot + y*w_dot"});  // and others
  check_sparse({"sin(z)*x_dot - cos(z)*y_dot",
                "sin(z + w)*x_dot - cos(z + w)*y_dot - 0.7*cos(w)*z_dot"});  // a car
  check_sparse({"(2 + sin(x))*x_dot + sin(y)*y_dot + z*z_dot"});             // a pivot that varies
  check_sparse({"(1 + x)*x_dot + (y - 1)*y_dot + sin(z)*z_dot"});            // a reflection
  check_sparse({"x_dot - z*w_dot", "sin(z)*y_dot + w*x_dot + cos(x)*w_dot"});  // one after another
}

TEST_CASE("an automatic frame is orthonormal where that makes the metric constant") {
  TextSystem text = particle_in_space("particle");
  text.constraints = {"z_dot - y*x_dot"};
  const auto same_frame = [&](FrameKind kind) {
    const System system = define(text);
    const Symbols s = system.symbols();
    const Matrix difference =
        Frame(system, kind, s.q).at(s.q) - Frame(system, FrameKind::automatic, s.q).at(s.q);
    StateFunction<double> function(system, s, difference.entries());
    const std::vector<double> q{0.3, -0.7, 0.2}, v{0.4, 0.9, -0.5};
    return largest_entry(function(0.0, q, v)) == 0.0;
  };
  CHECK(same_frame(FrameKind::qr));
  CHECK_FALSE(same_frame(FrameKind::sparse));
  text.kinetic = "(x_dot^2 + y_dot^2 + 2*z_dot^2)/2";
  CHECK(same_frame(FrameKind::sparse));
  CHECK_FALSE(same_frame(FrameKind::qr));
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
