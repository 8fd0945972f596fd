// Two roads meet: methods that are known to coincide, and that do not where they should not.
// Also under the sanitizers of tool/check proof.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/general_witness.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using dalembert::study::Extended;
using namespace test_support;

namespace {

/// The largest difference of q and v after some steps of two methods, in quadruple precision; of
/// lambda too if both report their own.
double difference(const Witness& witness, const Method& one, const Method& two,
                  bool multipliers = false) {
  BasicPoint<Extended> end[2];
  const Method* methods[] = {&one, &two};
  for (int i = 0; i < 2; ++i) {
    StepMap<Extended> map(witness.system, *methods[i], witness.system.default_parameters());
    end[i] = map.start(witness.q, witness.v);
    REQUIRE(map.apply(end[i], Extended(1) / 16, 4));
  }
  double largest = numeric::larger(largest_difference(end[0].q, end[1].q),
                                   largest_difference(end[0].v, end[1].v));
  if (multipliers)
    largest = numeric::larger(largest, largest_difference(end[0].lambda, end[1].lambda));
  return largest;
}

Method method(const std::string& name, const std::map<std::string, OptionValue>& options = {}) {
  return make_method({name, options});
}

/// Equal to round-off of quadruple precision over four steps of implicit solves.
constexpr double equal = 1e-28;
/// Clearly different: a term of the local error at h = 1/16.
constexpr double different = 1e-8;

/// Free motion with a constant coupled mass on the witness's curved constraint.
Witness free_witness() {
  TextSystem text;
  text.name = "free";
  text.coordinates = {"x", "y", "z"};
  text.kinetic =
      "(2*x_dot^2 + 1.5*y_dot^2 + 1.2*z_dot^2 + 0.6*x_dot*y_dot + 0.4*x_dot*z_dot - "
      "0.8*y_dot*z_dot)/2";
  text.potential = "0";
  text.constraints = {"(sin(y) + 0.3*x)*x_dot + (1 + x^2/2)*y_dot + cos(x + z)*z_dot"};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// A quadratic energy on D*: identity mass, constant constraint, quadratic potential.
Witness quadratic_witness() {
  TextSystem text = particle_in_space("quadratic");
  text.potential = "(x^2 + 2*y^2 + 3*z^2)/2 + x*y/2 - y*z/3";
  text.constraints = {"x_dot + y_dot/2 - 2*z_dot"};
  text.frame = {{"-1/2", "1", "0"}, {"2", "0", "1"}};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// Identity mass, curved constraint, potential that couples all.
Witness identity_mass() {
  TextSystem text = particle_in_space("identity-mass");
  text.potential = "(x^2 + y^2 + z^2)/2 + x^2*y^2/4 + z^4/8 + x*y*z/5";
  text.constraints = {"(sin(y) + 0.3*x)*x_dot + (1 + x^2/2)*y_dot + cos(x + z)*z_dot"};
  return {define(text), {0.6, -0.4, 0.5}, {0.8, -0.2, 0.9}};
}

/// DLA of the symmetric discrete Lagrangian: half kicks with the forces at the nodes, the reaction
/// at the point (1 - alpha) q0 + alpha q1, the discrete constraint on q1 - q0; impulses at the new
/// node bring v onto D. Source: [AnahorySimoes2022], Sect. 3.
struct SymmetricDla {
  double alpha = 0.5;
  static MethodPage<SymmetricDla> page() {
    return {
        .name = "symmetric-dla", .facts = Facts{.order = 1}, .equations = &SymmetricDla::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector q = u.vector("q", a.q + h * a.v), v = u.vector("v", a.v);
    const Vector before = u.multiplier("before", a.lambda), after = u.multiplier("after", a.lambda);
    const Vector change = q - a.q, qc = a.q + Expr(alpha) * change, rate = (Expr(1.0) / h) * change;
    const Vector first = s.constraint_force(a.q, before) - s.potential_gradient(a.q);
    const Vector second = s.constraint_force(q, after) - s.potential_gradient(q);
    return {.zero = concatenate({s.mass(a.q) * (rate - a.v) - 0.5 * h * first,
                                 s.mass(a.q) * (v - rate) - 0.5 * h * second,
                                 s.constraint_matrix(qc) * change}),
            .constraint = s.constraint(q, v),
            .after = {q, v, after}};
  }
};

/// States of the leap-frog that begins with a drift, from successive nodes of the one that begins
/// with a kick: in the middle between them, with the velocity between them.
BasicPoint<Extended> middle_of(const BasicPoint<Extended>& one, const BasicPoint<Extended>& two,
                               const Extended& h) {
  BasicPoint<Extended> middle = two;
  for (std::size_t i = 0; i < one.q.size(); ++i) {
    middle.q[i] = (one.q[i] + two.q[i]) / 2;
    middle.v[i] = (two.q[i] - one.q[i]) / h;
  }
  middle.lambda = one.lambda;  // that of the step that ends here
  middle.t = one.t + h / 2;
  return middle;
}

/// The transmission, whose pendulum rotates.
Witness transmission() {
  const SmallSystem made = pendulum_cvt();
  return {made.system, made.q, {0.0, 0.0, 2.82842712}};
}

/// Springs and an affine constraint, which does work, with a coupled mass.
Witness affine_witness() {
  TextSystem text = particle_in_space("affine");
  text.kinetic = "(2*x_dot^2 + 1.5*y_dot^2 + z_dot^2 + 0.6*x_dot*y_dot)/2";
  text.potential = "(y^2 + 0.6*z^2)/2 + x^2*y/5";
  text.constraints = {"z_dot - y*(x_dot - 0.5)"};
  return {define(text), {0.0, 0.7, 0.4}, {1.0, 0.5, 0.35}};
}

}  // namespace

TEST_CASE("newmark(0, 0, alpha) is DLA of the symmetric discrete Lagrangian") {
  const Witness witness = witness_constant_mass();
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    CHECK(difference(witness, method("newmark", {{"alpha", alpha}}), Method(SymmetricDla{alpha}),
                     true) < equal);
  }
}

TEST_CASE("newmark-composition is dla01 without a potential, and not with one") {
  CHECK(difference(free_witness(), method("newmark-composition"), method("dla01")) < equal);
  CHECK(difference(witness_constant_mass(), method("newmark-composition"), method("dla01")) >
        different);
}

TEST_CASE("velocity-dla with redefined nodes is dla, and not with the original ones") {
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass()}) {
    for (const double beta : {0.0, 0.25, 0.5, 1.0}) {  // 1 - beta is exact
      CHECK(difference(witness, method("velocity-dla", {{"beta", beta}}),
                       method("dla", {{"alpha", beta}}), true) < equal);
    }
    CHECK(difference(witness,
                     method("velocity-dla", {{"beta", 0.3}, {"nodes", std::string("original")}}),
                     method("dla", {{"alpha", 0.3}})) > different);
  }
}

TEST_CASE("dla01 is the composition of its halves") {
  for (const Witness& witness :
       {witness_constant_mass(), witness_coupled_mass(), witness_timed_constant_mass()}) {
    BasicPoint<Extended> halves, whole;
    StepMap<Extended> first(witness.system, method("dla", {{"alpha", 0.0}}), {}),
        second(witness.system, method("dla", {{"alpha", 1.0}}), {}),
        both(witness.system, method("dla01"), {});
    halves = whole = both.start(witness.q, witness.v);
    const Extended h = Extended(1) / 16;
    REQUIRE(first.apply(halves, h / 2));
    REQUIRE(second.apply(halves, h / 2));
    REQUIRE(both.apply(whole, h));
    CHECK(largest_difference(halves.q, whole.q) < equal);
    CHECK(largest_difference(halves.v, whole.v) < equal);
  }
}

TEST_CASE("The adjoint of dla(alpha) is dla(1 - alpha)") {
  const auto base = std::make_shared<const MethodSpec>(MethodSpec{"dla", {{"alpha", 0.25}}});
  for (const Witness& witness : {witness_constant_mass(), witness_coupled_mass()})
    CHECK(difference(witness, method("adjoint", {{"base", base}}),
                     method("dla", {{"alpha", 0.75}})) < equal);
}

TEST_CASE("All symmetric discrete gradients of a quadratic energy are the implicit midpoint rule") {
  const Witness witness = quadratic_witness();
  for (const char* gradient : {"gonzalez", "mean-value", "symmetric-increment"}) {
    CHECK(difference(witness,
                     method("reduced-gradient",
                            {{"gradient", std::string(gradient)}, {"frame", std::string("given")}}),
                     method("gauss", {{"stages", 1.0}})) < equal);
  }
  CHECK(difference(identity_mass(), method("reduced-gradient"),
                   method("gauss", {{"stages", 1.0}})) > different);
}

TEST_CASE("On T*Q and on the positions the mean-value gradient is one method for identity mass") {
  const std::map<std::string, OptionValue> mean{{"gradient", std::string("mean-value")}};
  CHECK(difference(identity_mass(), method("gonzalez-full", mean),
                   method("discrete-derivative", mean), true) < equal);
}

TEST_CASE("energy-collocation with one stage is the mean-value reduced gradient") {
  // A polynomial potential: both quadratures are exact.
  for (const char* frame : {"given", "qr"}) {
    const Witness witness = frame == std::string("qr") ? identity_mass() : quadratic_witness();
    CHECK(difference(witness,
                     method("energy-collocation", {{"stages", 1.0}, {"frame", std::string(frame)}}),
                     method("reduced-gradient", {{"gradient", std::string("mean-value")},
                                                 {"frame", std::string(frame)}})) < equal);
  }
}

TEST_CASE("lobatto with two stages is the leap-frog for constant mass") {
  CHECK(difference(witness_constant_mass(),
                   method("lobatto", {{"stages", 2.0}, {"multiplier", std::string("carried")}}),
                   method("leapfrog"), true) < equal);
}

TEST_CASE(
    "A leap-frog that begins with a drift is the one that begins with a kick, half a step on") {
  const Extended h = Extended(1) / 16;
  for (const Witness& witness : {transmission(), affine_witness(), witness_timed_constant_mass()}) {
    CAPTURE(witness.system.name());
    StepMap<Extended> kick(witness.system, method("leapfrog"), {}),
        drift(witness.system, method("leapfrog", {{"first", std::string("drift")}}), {});
    BasicPoint<Extended> before = kick.start(witness.q, witness.v), after = before;
    REQUIRE(kick.apply(after, h));
    BasicPoint<Extended> state = middle_of(before, after, h);
    for (int k = 0; k < 20; ++k) {
      before = after;
      REQUIRE(kick.apply(after, h));
      REQUIRE(drift.apply(state, h));
      const BasicPoint<Extended> expected = middle_of(before, after, h);
      CHECK(largest_difference(state.q, expected.q) < equal);
      // Differences of positions over h, and of velocities over h once more.
      CHECK(largest_difference(state.v, expected.v) < 16 * equal);
      CHECK(largest_difference(state.lambda, expected.lambda) < 256 * equal);
    }
  }
  // From the same state they are not the same: their states are half a step apart.
  CHECK(difference(transmission(), method("leapfrog"),
                   method("leapfrog", {{"first", std::string("drift")}})) > different);
}
