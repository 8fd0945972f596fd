// Rayleigh's function gives the friction that is typed as forces.
#include <doctest/doctest.h>

#include <string>

#include "dalembert/document/toml.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

const std::string damped_motion = R"toml(
[parameters]
c = 0.3
[lagrangian]
kinetic = "(x_dot^2 + y_dot^2 + R_dot[1]^2 + 2*R_dot[2]^2 + R_dot[3]^2)/2"
potential = "x^2"
)toml";

Problem problem_with(const std::string& keys, const std::string& tables = "") {
  const std::string text =
      "coordinates = [\"x\", \"y\", \"R in SO(3)\"]\n" + keys + damped_motion + tables;
  return make_problem(read_problem(parse_document(text, "text"), "text"));
}

}  // namespace

TEST_CASE("Friction follows from Rayleigh's function") {
  const Problem dissipation =
      problem_with("dissipation = \"c*(x_dot - y_dot)^2/2 + c*(R_dot[1]^2 + R_dot[3]^4)\"\n",
                   "[force]\ny = \"1\"\n");
  const Problem typed = problem_with("", R"toml(
[force]
x = "-c*(x_dot - y_dot)"
y = "1 + c*(x_dot - y_dot)"
R = ["-2*c*R_dot[1]", 0, "-4*c*R_dot[3]^3"]
)toml");
  Evaluator one(dissipation.system), other(typed.system);
  const std::vector<double> q{0.3, -0.2, 1.0, 0.0, 0.0, 0.0}, v{0.7, -0.4, 0.5, 0.2, 1.1};
  const std::vector<double> x = one.acceleration(0.0, q, v), y = other.acceleration(0.0, q, v);
  // The same forces in another order of three or four operations.
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(x[i] == doctest::Approx(y[i]).epsilon(test_support::round_off_of(4.0)));
  CHECK(conservation(dissipation.system, q, v).energy == Conservation::Kept::no);
}

TEST_CASE("A dissipation without velocities is refused") {
  try {
    static_cast<void>(problem_with("dissipation = \"c*x^2\"\n"));
    FAIL("accepted");
  } catch (const RequestError& error) {
    CHECK(std::string(error.what()).find("key \"dissipation\" contains no velocity") !=
          std::string::npos);
  }
}
