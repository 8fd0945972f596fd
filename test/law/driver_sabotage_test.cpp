// Splittings of drivers and passengers with one mistake each, which the law must reject by what
// broke.

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "method/splitting/driver_pieces.hpp"
#include "support/driver_witness.hpp"
#include "support/law.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

const DriverSplitting honest_splitting{.driver = DriverSplitting::Driver::energy};

/// The passengers' velocity where their constraints have changed from a0 to a1.
using Carry =
    std::function<Vector(const Matrix& a0, const Matrix& a1, const Matrix& mass, const Vector& x)>;
/// The passengers' part of a step.
using Pass = std::function<Equations(const System& system, const DriverPieces& pieces,
                                     const State& before, Unknowns& unknowns, const Expr& h)>;

Matrix passengers_only(const Matrix& all, const std::vector<std::size_t>& columns) {
  Matrix part(all.rows(), columns.size());
  for (std::size_t i = 0; i < all.rows(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) part(i, j) = all(i, columns[j]);
  }
  return part;
}

/// driver-splitting with other pieces, under its own promises.
Method with_pieces(const Carry& carry, const Pass& pass) {
  MethodDefinition definition = Method(honest_splitting).definition();
  definition.equations = [carry, pass](const System& s, const State& a, Unknowns& u,
                                       const Expr& h) {
    const DriverPieces pieces(s, a.q);
    const DriverBlocks& blocks = pieces.blocks();
    const Matrix mass = passengers_only(transpose(passengers_only(s.mass(a.q), blocks.passengers)),
                                        blocks.passengers);
    Equations step;
    step.after = a;
    const auto then = [&](Equations part) {
      step.zero = concatenate({step.zero, part.zero});
      step.after = std::move(part.after);
    };
    const auto drive = [&](bool backwards) {
      const State before = step.after;
      Equations part = pieces.drive_all(before, u, 0.5 * h, backwards);
      const auto constraint = [&](const State& at) {
        return passengers_only(s.constraint_matrix(at.q), blocks.passengers);
      };
      const Matrix a1 = constraint(part.after), a0 = constraint(before);
      part.after.v = blocks.joined(blocks.of_drivers(part.after.v),
                                   carry(a0, a1, mass, blocks.of_passengers(before.v)));
      then(std::move(part));
    };
    drive(false);
    then(pass(s, pieces, step.after, u, h));
    drive(true);
    step.after.t = a.t + h;
    step.after.lambda.clear();
    return step;
  };
  return Method(definition);
}

Vector honest_carry(const Matrix& a0, const Matrix& a1, const Matrix& mass, const Vector& x) {
  const Matrix n1 = unit_normals(a1, mass), n0 = unit_normals(a0, mass);
  return carried_velocity(n0, n1, mass, x);
}
/// The nearest velocity that satisfies the constraints at the end.
Vector carry_with_end_alone(const Matrix&, const Matrix& a1, const Matrix& mass, const Vector& x) {
  const Matrix n1 = unit_normals(a1, mass);
  return x - n1 * (transpose(mass * n1) * x);
}
/// Normals at both ends, each as the Gram-Schmidt process leaves them.
Vector carry_without_alignment(const Matrix& a0, const Matrix& a1, const Matrix& mass,
                               const Vector& x) {
  const Matrix n1 = unit_normals(a1, mass), n0 = unit_normals(a0, mass);
  const Matrix weighted = transpose(mass * n1);
  const Matrix overlap = Matrix::identity(n0.columns()) + weighted * n0;
  const Vector parts = solve_linear(transpose(overlap), weighted * x);
  return x - (n0 + n1) * parts;
}

Equations honest_pass(const System&, const DriverPieces& pieces, const State& before, Unknowns& u,
                      const Expr& h) {
  return pieces.pass(before, u, h, false);
}
/// Half a kick along the constraints, a drift, half a kick.
Equations kick_drift_pass(const System& s, const DriverPieces& pieces, const State& before,
                          Unknowns&, const Expr& h) {
  const DriverBlocks& blocks = pieces.blocks();
  const auto kicked = [&](const State& at) {
    const Vector force = solve_linear(s.mass(at.q), s.potential_gradient(at.q));
    const Vector along = s.projected_velocity(at.q, force, at.t);
    const Vector nothing = zeros(blocks.drivers.size());
    return at.v - 0.5 * h * blocks.joined(nothing, blocks.of_passengers(along));
  };
  State after = before;
  after.v = kicked(before);
  const Vector still = zeros(blocks.drivers.size());
  after.q = before.q + h * blocks.joined(still, blocks.of_passengers(after.v));
  after.v = kicked(after);
  return {.zero = {}, .constraint = {}, .after = after};
}

/// Properties that a method promises and does not keep, orders included.
std::vector<std::string> broken_on(const Witness& witness, const Method& method) {
  std::vector<Breach> found = exactness_breaches(witness, method);
  const AuditProblem problem = audit_problem(witness);
  for (const Breach& breach :
       breaches(OrderAudit<Extended>(problem).findings(problem, method), false))
    found.push_back(breach);
  std::vector<std::string> names;
  for (const Breach& breach : found) names.push_back(breach.property);
  std::ranges::sort(names);
  return names;
}

void check_broken(const Witness& witness, const Method& method, const std::string& which,
                  std::vector<std::string> expected) {
  std::ranges::sort(expected);
  const auto text = [](const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += name + "; ";
    return all;
  };
  CHECK_MESSAGE(text(broken_on(witness, method)) == text(expected), witness.system.name(), ", ",
                which);
}

Method composed(const Method& base) {
  MethodDefinition definition = Method(Compose{.base = honest_splitting}).definition();
  definition.equations = [base](const System& s, const State& a, Unknowns& u, const Expr& h) {
    std::vector<CompositionStep> steps;
    for (const Constant& fraction : composition_scheme(Scheme::triple_jump).fractions)
      steps.push_back({base, fraction});
    return compose_steps(steps, s, a, u, h);
  };
  return Method(definition);
}

}  // namespace

TEST_CASE("Sabotaged splittings of drivers and passengers are rejected by what broke") {
  const Witness one = witness_coupled(), two = witness_drivers(4, 2);
  for (const Witness& witness : {one, two}) {
    check_broken(witness, honest_splitting, "honest", {});
    check_broken(witness, with_pieces(honest_carry, honest_pass), "honest pieces", {});
  }
  check_broken(one, with_pieces(carry_with_end_alone, honest_pass), "carry with the end alone",
               {"energy", "energy of passengers", "symmetry", "reversibility", "order of q",
                "order of v", "order of lambda", "recomputed lambda", "local order"});
  check_broken(two, with_pieces(carry_without_alignment, honest_pass), "normals not aligned",
               {"energy", "maps D to D", "symmetry", "reversibility", "local order"});
  check_broken(one, with_pieces(honest_carry, kick_drift_pass), "kick and drift",
               {"energy", "energy of passengers"});
  check_broken(one, composed(with_pieces(honest_carry, kick_drift_pass)),
               "kick and drift, composed", {"energy", "energy of passengers"});
}
