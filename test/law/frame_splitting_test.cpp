// What frame-splitting promises beyond its facts: closed forms on the Chaplygin sleigh, orders up
// to eight in compositions, and mistakes in its pieces that the law must name.

#include "dalembert/method/splitting/frame_splitting.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/run/integrate.hpp"
#include "method/splitting/frame_pieces.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// The Chaplygin sleigh with m = 1.2, J = 0.7, a = 0.6, in an orthonormal frame; a spring ties its
/// contact point to the origin.
Witness sleigh(double stiffness) {
  TextSystem text;
  text.name = "sleigh";
  text.coordinates = {"x", "y", "theta"};
  text.parameters = {{"k", stiffness}};
  text.kinetic =
      "(1.2*(x_dot^2 + y_dot^2) + 1.44*theta_dot*(y_dot*cos(theta) - x_dot*sin(theta)) + "
      "1.132*theta_dot^2)/2";
  text.potential = "k*(x^2 + 1.3*y^2)/2";
  text.constraints = {"-sin(theta)*x_dot + cos(theta)*y_dot"};
  text.frame = {{"0", "0", "1/sqrt(1.132)"}, {"cos(theta)/sqrt(1.2)", "sin(theta)/sqrt(1.2)", "0"}};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {0.3, -0.4, 0.5}, {-0.7 * std::cos(0.5), -0.7 * std::sin(0.5), 0.9}};
}

/// The Heisenberg system with a quartic potential.
Witness heisenberg() {
  TextSystem text = particle_in_space("heisenberg");
  text.potential = "(x^2 + 2*y^2 + 0.5*z^2)/2 + x^4/4 + x^2*y^2/3";
  text.constraints = {"z_dot - y*x_dot + x*y_dot"};
  text.frame = {{"1", "0", "y"}, {"0", "1", "-x"}};
  text.reversal = std::vector<double>{1, 1, 1};
  return {define(text), {0.8, 0.5, -0.2}, {0.3, -0.8, 0.79}};
}

/// Four coordinates, one constraint: three momenta, whose turns are not flows.
Witness three_momenta() {
  TextSystem text;
  text.name = "three-momenta";
  text.coordinates = {"a", "b", "c", "d"};
  text.kinetic =
      "((1.5 + b^2/4)*a_dot^2 + (1.8 + sin(c)/2)*b_dot^2 + 2*c_dot^2 + (1.4 + cos(a)/3)*d_dot^2 + "
      "sin(d)*a_dot*b_dot/2 + 0.4*b_dot*c_dot + sin(b - d)*c_dot*d_dot/3)/2";
  text.potential = "(a^2 + 1.2*b^2 + 0.8*c^2 + 1.5*d^2)/2 + a^2*d^2/6 + cos(a - c + d)/4";
  text.constraints = {"(1 + d^2/3)*a_dot + sin(b)*c_dot + (b - 0.3*a)*d_dot + 0.4*c*b_dot"};
  text.frame = {{"-0.4*c/(1 + d^2/3)", "1", "0", "0"},
                {"-sin(b)/(1 + d^2/3)", "0", "1", "0"},
                {"-(b - 0.3*a)/(1 + d^2/3)", "0", "0", "1"}};
  text.reversal = std::vector<double>{1, 1, 1, 1};
  return {define(text), {0.4, -0.3, 0.6, 0.5}, {0.1, -0.2, 0.7, -0.5}};
}

/// The pieces of the method with a mistake, under its promises.
enum class Mistake { none, turns_backwards, one_sided, midpoint_force };

template <Mistake mistake>
struct Sabotaged {
  static MethodPage<Sabotaged> page() {
    return {.name = "sabotaged",
            .facts = Method(FrameSplitting{}).facts(),
            .requirements = Method(FrameSplitting{}).requirements(),
            .equations = &Sabotaged::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const FramePieces pieces(s, FrameKind::given, a.q);
    const Expr turned = mistake == Mistake::turns_backwards ? -h : h;
    const Expr first = mistake == Mistake::one_sided ? h : 0.5 * h;
    State start = a;
    start.v = pieces.momenta(a.q, a.v);
    Equations all{.zero = {}, .constraint = {}, .after = start};
    const auto add = [&](const Equations& piece) {
      all.zero = concatenate({all.zero, piece.zero});
      all.after = piece.after;
    };
    const auto move = [&](std::size_t i, const Expr& time) {
      const State before = all.after;
      add(pieces.move(i, before, u, time));
      if (mistake != Mistake::midpoint_force) return;
      // The slope in the middle of the path in place of its mean.
      const Vector middle = 0.5 * (before.q + all.after.q), path = all.after.q - before.q;
      const Expr d = 0.5 * time * (before.v[i] + all.after.v[i]);
      const Expr pull = dot(path, s.potential_gradient(middle)) / d;
      all.after.v[i] = before.v[i] - time * pull;
    };
    move(0, first);
    move(1, first);
    add(pieces.turn(0, 1, all.after, turned));
    if (mistake != Mistake::one_sided) {
      move(1, first);
      move(0, first);
    }
    all.after.v = pieces.velocity(a, start.v, all.after.q, all.after.v);
    all.after.lambda = {};
    return all;
  }
};

/// The properties that break, each followed by a semicolon.
std::string broken_by(const Witness& witness, const Method& method) {
  std::string names;
  for (const Breach& breach : exactness_breaches(witness, method)) names += breach.property + ";";
  const AuditProblem problem = audit_problem(witness);
  const OrderAudit<Extended> orders(problem);
  for (const Breach& breach : breaches(orders.findings(problem, method), true))
    names += breach.property + ";";
  return names;
}

void check_promises(const Witness& witness, const Method& method) {
  for (const Breach& breach : exactness_breaches(witness, method))
    FAIL_CHECK(witness.system.name(), ": ", breach.property, ", ", breach.detail);
  const Orders orders(witness);
  for (const MeasuredOrder& order : orders.of(method)) {
    if (order.what == "lambda") continue;  // that of the motion, whatever the order
    CHECK_MESSAGE(order.verdict() == OrderVerdict::holds, witness.system.name(), ", ",
                  method.name(), ": ", order.what, " ", order.text());
  }
}

/// A free sleigh after `steps` steps from rho = (first, second): its momenta.
std::vector<double> momenta_after(const std::vector<double>& rho, double h, std::uint64_t steps) {
  const Witness free = sleigh(0.0);
  Stepper stepper(StepProgram::compile(free.system, FrameSplitting{.frame = FrameKind::given}), h);
  Evaluator evaluator(free.system);
  const double turn = rho[0] / std::sqrt(1.132), speed = rho[1] / std::sqrt(1.2);
  const std::vector<double> v{speed * std::cos(0.5), speed * std::sin(0.5), turn};
  Point point = start_point(stepper, evaluator, free.q, v);
  CHECK(stepper.advance(point, 0.0, 0, steps).status == StepStatus::ok);
  const double theta = point.q[2];
  return {std::sqrt(1.132) * point.v[2],
          std::sqrt(1.2) * (std::cos(theta) * point.v[0] + std::sin(theta) * point.v[1])};
}

}  // namespace

TEST_CASE("frame-splitting has explicit steps where motions are straight and springs linear") {
  const auto implicit_blocks = [](const Witness& witness, const Method& method) {
    const auto program = StepProgram::compile(witness.system, method);
    return std::ranges::count_if(program->blocks(), [](const StepProgram::Block& block) {
      return block.kind == StepProgram::Block::Kind::newton;
    });
  };
  const FrameSplitting given{.frame = FrameKind::given};
  CHECK(implicit_blocks(sleigh(0.0), given) == 0);
  CHECK(implicit_blocks(sleigh(1.1), given) == 0);
  CHECK(implicit_blocks(sleigh(1.1), Compose{.base = given, .scheme = Scheme::triple_jump}) == 0);
  CHECK(implicit_blocks(heisenberg(), given) > 0);  // its second field bends
}

TEST_CASE("A length that changes slowly with the position is no constant one") {
  // At positions of size one the mass of y differs from 1e6 by a part of 1e-13.
  TextSystem text;
  text.name = "wide";
  text.coordinates = {"x", "y"};
  text.kinetic = "1e6*(x_dot^2 + (1 + x^2/3e12)*y_dot^2)/2";
  text.potential = "0";
  const System system = define(text);
  const auto program = StepProgram::compile(system, FrameSplitting{});
  Stepper stepper(program, 0.1);
  Evaluator evaluator(system);
  Point point = stepper.make_point(std::vector{1e6, 0.0}, std::vector{1.0, 1.0});
  const double before = evaluator.energy(0.0, point.q, point.v);
  CHECK(stepper.advance(point, 0.0, 0, 100).status == StepStatus::ok);
  // Exact but for the round-off of some hundred steps.
  CHECK(evaluator.energy(point.t, point.q, point.v) == doctest::Approx(before).epsilon(1e-13));
}

TEST_CASE("The momenta of a free sleigh are exact for steps of any size") {
  // rho_1' = -C rho_1 rho_2, rho_2' = C rho_1^2: rho_2 = R tanh(C R t + artanh(rho_2(0)/R)).
  const long double c = 0.6 * std::sqrt(1.2L) / 1.132;
  for (const std::vector<double>& rho :
       {std::vector<double>{0.9, -0.7}, {1e-9, 0.3}, {-0.4, 1e-12}, {1e-3, -0.6}}) {
    const long double r = std::sqrt(static_cast<long double>(rho[0]) * rho[0] + rho[1] * rho[1]);
    const auto radius = static_cast<double>(r);
    // Near the motion that is unstable, 1 + k P cancels.
    const double bound = 1e-14 * radius * (rho[1] < 0.0 ? radius / std::fabs(rho[0]) : 1.0);
    for (const double h : {1e-3, 0.1, 2.0, 30.0}) {
      const std::vector<double> after = momenta_after(rho, h, 1);
      const long double phase = c * r * h, growth = std::tanh(phase), sum = r + rho[1] * growth;
      const auto first = static_cast<double>(rho[0] * r / std::cosh(phase) / sum - after[0]);
      const auto second = static_cast<double>(r * (rho[1] + r * growth) / sum - after[1]);
      CHECK_MESSAGE(std::fabs(first) < bound, h, ", ", rho[0], ": ", first);
      CHECK_MESSAGE(std::fabs(second) < bound, h, ", ", rho[0], ": ", second);
    }
  }
  // From backwards to forwards, with the same speed, which round-off of the last steps alone
  // touches.
  const std::vector<double> end = momenta_after({0.01, -0.8}, 0.5, 400);
  CHECK(std::fabs(end[0]) < 1e-14);
  CHECK(std::fabs(end[1] - std::hypot(0.01, 0.8)) < 1e-14);
}

TEST_CASE("frame-splitting and its compositions have orders 2, 4, 6 and 8 on the sleigh") {
  const FrameSplitting given{.frame = FrameKind::given};
  check_promises(sleigh(1.1), given);
  for (const Scheme scheme : {Scheme::triple_jump, Scheme::kahan_li_6, Scheme::kahan_li_8})
    check_promises(sleigh(1.1), Compose{.base = given, .scheme = scheme});
}

TEST_CASE("frame-splitting and its triple jump have orders 2 and 4 on other systems") {
  const FrameSplitting given{.frame = FrameKind::given};
  check_promises(heisenberg(), given);
  check_promises(heisenberg(), Compose{.base = given, .scheme = Scheme::triple_jump});
  check_promises(three_momenta(), given);
  check_promises(three_momenta(), Compose{.base = given, .scheme = Scheme::triple_jump});
}

TEST_CASE("The law names mistakes in the pieces of frame-splitting") {
  const Witness witness = sleigh(1.1);
  CHECK(broken_by(witness, Sabotaged<Mistake::none>{}) == "");
  CHECK(broken_by(witness, Sabotaged<Mistake::turns_backwards>{}) ==
        "order of q;order of v;order of lambda;recomputed lambda;local order;");
  CHECK(broken_by(witness, Sabotaged<Mistake::one_sided>{}) ==
        "symmetry;reversibility;order of q;order of v;order of lambda;recomputed lambda;local "
        "order;");
  CHECK(broken_by(heisenberg(), Sabotaged<Mistake::none>{}) == "");
  CHECK(broken_by(heisenberg(), Sabotaged<Mistake::midpoint_force>{}) ==
        "energy;symmetry;reversibility;");
}
