// Problem files with elements of groups.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

ProblemFile read_body(const std::string& text) {
  return read_problem(parse_document(text, "text"), "test");
}

const std::string body_text = R"toml(
coordinates = ["R in SO(3)", "x", "B in SE(2)"]
[parameters]
k = 2.0
[definitions]
W3 = "sum(j, 1, 3, R[3,j]*R_dot[j])"
[lagrangian]
kinetic = "(sum(j, 1, 3, R_dot[j]^2) + x_dot^2 + sum(j, 1, 3, B_dot[j]^2))/2"
potential = "k*R[3,3] + B_x*B_angle + B[1,2]"
[constraints]
expressions = ["each(i, 1, 2, R[i, 4 - i]*x_dot - R_dot[i])"]
[force]
R = ["1", "0", "-R_dot[3]"]
B = ["0", "x", "B_y"]
[frame]
vectors = ["R_dot[3] - k*B_dot[2]", ["1", "0", "0", "0", "0", "R[1,1]", "x"]]
[reversal]
signs = [1, -1, 1]
[integrals]
vertical = "W3"
[initial.rest]
position = { R = "identity", x = "k", B = { angle = 0.5, x = 1, y = 2 } }
velocity = { R = [0, 0, 1], x = 0, B = [1, 2, "k"] }
)toml";

std::string body_text_with(const std::string& old, const std::string& with) {
  std::string text = body_text;
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), with);
}

/// The changed file is refused in one sentence that contains all these words.
void check_text_refused(const std::string& old, const std::string& with,
                        const std::vector<std::string>& words) {
  CAPTURE(with);
  try {
    static_cast<void>(make_problem(read_body(body_text_with(old, with))));
    FAIL_CHECK("accepted");
  } catch (const RequestError& error) {
    const std::string sentence = error.what();
    for (const std::string& word : words)
      CHECK_MESSAGE(sentence.find(word) != std::string::npos, sentence);
  }
}

}  // namespace

TEST_CASE("elements of groups are matrices, numbers and velocities in expressions") {
  const System system = make_system(read_body(body_text));
  CHECK(system.configuration().text() == "SO(3) x R x SE(2)");
  CHECK(system.dof() == 7);
  CHECK(system.storage_count() == 8);
  const Mechanics& m = system.mechanics();
  CHECK(to_string(m.constraints[0]) == "R[1,3]*x_dot - R_dot[1]");
  CHECK(to_string(m.constraints[1]) == "R[2,2]*x_dot - R_dot[2]");
  CHECK(to_string(m.potential) == "B[1,2] + k*R[3,3] + B_angle*B_x");
  CHECK(to_string(m.integrals[0].second) == "R[3,1]*R_dot[1] + R[3,2]*R_dot[2] + R[3,3]*R_dot[3]");
}

TEST_CASE("forces, frames and reversals of elements of groups go by velocity") {
  const System system = make_system(read_body(body_text));
  const Mechanics& m = system.mechanics();
  REQUIRE(m.force.size() == 7);
  CHECK(m.force[0].is_constant(1.0));
  CHECK(to_string(m.force[2]) == "-R_dot[3]");
  CHECK(m.force[3].is_constant(0.0));
  CHECK(to_string(m.force[5]) == "x");
  REQUIRE(m.frame.size() == 2);
  CHECK(m.frame[0][2].is_constant(1.0));
  CHECK(to_string(m.frame[0][5]) == "-k");
  CHECK(to_string(m.frame[1][5]) == "R[1,1]");
  const std::optional<System::Reversal> reversal = system.reversal();
  REQUIRE(reversal);
  CHECK(reversal->position == std::vector<double>{1, 1, 1, -1, 1, 1, 1});
  CHECK(reversal->stored == std::vector<double>{1, 1, 1, 1, -1, 1, 1, 1});
}

TEST_CASE("what is written wrongly about groups is refused with place and remedy") {
  check_text_refused("in SO(3)", "in S0(3)", {"text:2", "coordinates.0", "S0(3)", "SO(3)"});
  check_text_refused("in SO(3)", "in R", {"coordinates.0", "name alone"});
  check_text_refused("R in SO(3)", "R[1..3] in SO(3)", {"coordinates.0", "array", "SO(3)"});
  check_text_refused("k*R[3,3]", "k*R[4,1]", {"potential", "4,1", "1..3"});
  check_text_refused("k*R[3,3]", "k*R", {"potential", "matrix", "R[1,1]"});
  check_text_refused("k*R[3,3]", "k*R[3]", {"potential", "matrix", "R[1,1]"});
  check_text_refused("B_x*B_angle", "R_dot[1,2]", {"potential", "array", "R_dot[1]"});
  check_text_refused("B_x*B_angle", "B_z", {"potential", "B_z"});
  check_text_refused("B_x*B_angle", "B_dot[4]", {"potential", "index 4", "1..3"});
  check_text_refused("signs = [1,", "signs = [-1,", {"reversal.signs.0", "SO(3)", "1"});
  check_text_refused("[parameters]", "angles = [\"B\"]\n[parameters]", {"angles", "SE(2)"});
  check_text_refused("[\"0\", \"x\", \"B_y\"]", "[\"0\", \"x\"]", {"force.B", "2 entries", "3"});
  check_text_refused("k = 2.0", "k = 2.0\nR = 1.0", {"\"R\"", "twice"});
  check_text_refused("W3 = \"sum", "R = \"sum", {"definitions.R", "already"});
  check_text_refused("[\"1\", \"0\", \"0\", \"0\", \"0\", \"R[1,1]\", \"x\"]", "[\"1\"]",
                     {"frame.vectors.1", "1 entries", "7 velocities"});
}
