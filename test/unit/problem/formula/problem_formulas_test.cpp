#include "dalembert/problem/formula/problem_formulas.hpp"

#include <doctest/doctest.h>

#include "dalembert/expression/notation/latex.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/load_problem.hpp"

using namespace dalembert;
using namespace dalembert::study;

TEST_CASE("The equations of a problem by kind") {
  const ProblemFormulas formulas = problem_formulas(load_problem("pendulum-cvt").system);
  REQUIRE(formulas.energies.size() == 2);
  CHECK(formulas.energies[0].left == "T");
  CHECK(formulas.energies[1].left == "V");
  CHECK(to_latex(formulas.energies[0].right) ==
        "\\frac{1}{2} (\\dot{x}_{1}^{2} + \\dot{x}_{2}^{2} + \\dot{\\xi}^{2})");
  REQUIRE(formulas.constraints.size() == 1);
  CHECK(formulas.constraints[0].left == "0");
  CHECK(formulas.constraints[0].multiplier == "lambda_1");
  CHECK(to_latex(formulas.constraints[0].right) == "\\dot{x}_{1} + \\dot{x}_{2} \\sin \\xi");
  CHECK(formulas.integrals.size() == 2);
  CHECK(formulas.parts.empty());
  CHECK(formulas.forces.empty());
  CHECK(formulas.holonomic.empty());
}

TEST_CASE("Forces are named by coordinates, zeros left out") {
  const ProblemFormulas formulas = problem_formulas(load_problem("dissipative-sleigh").system);
  REQUIRE(!formulas.forces.empty());
  for (const Formula& force : formulas.forces) CHECK(force.left.starts_with("F_"));
}

TEST_CASE("A skew-gradient system shows its Hamiltonian and its matrix") {
  const ProblemFormulas formulas = problem_formulas(load_problem("rigid-body").system);
  REQUIRE(formulas.energies.size() == 1);
  CHECK(formulas.energies[0].left == "H");
  REQUIRE(formulas.structure.size() == 3);
  CHECK(formulas.structure[0].left == "Pi[1,2]");
}

TEST_CASE("Long formulas share their parts") {
  const ProblemFormulas formulas = problem_formulas(load_problem("rattleback").system);
  REQUIRE(!formulas.parts.empty());
  CHECK(formulas.parts[0].left == "part_1");
  CHECK(to_string(formulas.energies[0].right).size() < 2000);
}
