// Starts by the names of coordinates.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

/// A free system on `coordinates`, with one start.
Problem free_problem(const std::string& coordinates, const std::string& kinetic,
                     const std::string& start) {
  const std::string text = "coordinates = [" + coordinates +
                           "]\n[sizes]\nn = 2\n[parameters]\na = 0.5\n[lagrangian]\nkinetic = \"" +
                           kinetic + "\"\n[initial.here]\n" + start;
  return make_problem(read_problem(parse_document(text, "text"), "test"));
}

const std::string rotation_kinetic = "sum(j, 1, 3, R_dot[j]^2)/2";

Start rotation_start(const std::string& element, const std::string& velocity = "[1, 2, 3]",
                     const std::string& more = "") {
  return free_problem(
             "\"R in SO(3)\"", rotation_kinetic,
             "position = { R = " + element + " }\nvelocity = { R = " + velocity + " }\n" + more)
      .starts.front();
}

void check_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(i);
    // Scaled to length one, or once multiplied: two or three operations.
    CHECK(std::fabs(found[i] - wanted[i]) <
          test_support::round_off_of(3.0, std::fmax(1.0, std::fabs(wanted[i]))));
  }
}

/// The sentence in which a start is refused.
std::string start_refusal(const std::string& coordinates, const std::string& kinetic,
                          const std::string& start) {
  try {
    const Problem made = free_problem(coordinates, kinetic, start);
    static_cast<void>(prepare_start(made.system, made.starts.front()));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "accepted";
}

void check_start_refused(const std::string& start, const std::vector<std::string>& words) {
  const std::string sentence = start_refusal("\"R in SO(3)\"", rotation_kinetic, start);
  for (const std::string& word : words)
    CHECK_MESSAGE(sentence.find(word) != std::string::npos, sentence);
}

}  // namespace

TEST_CASE("coordinates and arrays by name are the lists q and v") {
  const std::string kinetic = "(x_dot^2 + sum(i, 1, n, w_dot[i]^2))/2";
  const Start by_name = free_problem("\"x\", \"w[1..n]\"", kinetic,
                                     "position = { w = [\"each(i, 1, n, i*a)\"], x = \"2*a\" }\n"
                                     "velocity = { x = 3, w = [\"a\", 5] }\n")
                            .starts.front();
  CHECK(by_name.q == std::vector<double>{1.0, 0.5, 1.0});
  CHECK(by_name.v == std::vector<double>{3.0, 0.5, 5.0});
  const Start mixed = free_problem("\"x\", \"w[1..n]\"", kinetic,
                                   "position = { w = [3, 4], x = 1 }\nv = [7, 8, 9]\n")
                          .starts.front();
  CHECK(mixed.q == std::vector<double>{1.0, 3.0, 4.0});
  CHECK(mixed.v == std::vector<double>{7.0, 8.0, 9.0});
}

TEST_CASE("rotations are written as identity, axis, vector, quaternion or matrix") {
  const double c = std::cos(0.25), s = std::sin(0.25);
  CHECK(rotation_start("\"identity\"").q == std::vector<double>{1, 0, 0, 0});
  check_near(rotation_start("{ axis = [0, 0, 2], angle = \"a\" }").q, {c, 0, 0, s});
  check_near(rotation_start("{ rotation_vector = [0, 0, \"a\"] }").q, {c, 0, 0, s});
  check_near(rotation_start("{ quaternion = [0.5, -0.5, 0.5, \"-a\"] }").q, {0.5, -0.5, 0.5, -0.5});
  // A quarter turn about the third axis takes the first into the second.
  check_near(rotation_start("{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }").q,
             {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
  // Half a turn has no scalar part: no formula that divides by it would do.
  check_near(rotation_start("{ matrix = [[-1, 0, 0], [0, 1, 0], [0, 0, -1]] }").q, {0, 0, 1, 0});
  check_near(rotation_start("{ axis = [0, 0, -1], angle = \"2*pi + a\" }").q, {-c, 0, 0, s});
}

TEST_CASE("velocities are those of the body unless they are written along the axes of space") {
  CHECK(rotation_start("\"identity\"").v == std::vector<double>{1, 2, 3});
  // The body's first axis points along the second of space.
  check_near(rotation_start("{ axis = [0, 0, 1], angle = \"pi/2\" }", "{ space = [1, 2, 3] }").v,
             {2, -1, 3});
}

TEST_CASE("motions are a rotation with an origin") {
  const std::string kinetic = "sum(j, 1, 3, B_dot[j]^2)/2";
  const Start plane = free_problem("\"B in SE(2)\"", kinetic,
                                   "position = { B = { angle = \"pi/2\", x = 3, y = 4 } }\n"
                                   "velocity = { B = { space = [5, 1, 2] } }\n")
                          .starts.front();
  check_near(plane.q, {std::acos(-1.0) / 2, 3, 4});
  check_near(plane.v, {5, 2, -1});
  const Start space =
      free_problem(
          "\"B in SE(3)\"", "sum(j, 1, 6, B_dot[j]^2)/2",
          "position = { B = { axis = [0, 0, 1], angle = \"pi/2\", x = 3, y = 4, z = 5 } }\n"
          "velocity = { B = { space = [1, 2, 3, 4, 5, 6] } }\n")
          .starts.front();
  check_near(space.q, {std::sqrt(0.5), 0, 0, std::sqrt(0.5), 3, 4, 5});
  check_near(space.v, {2, -1, 3, 5, -4, 6});
  const Start contact = free_problem("\"P in H(3)\"", "sum(j, 1, 3, P_dot[j]^2)/2",
                                     "position = { P = { x = 1, y = 2, z = 3 } }\n"
                                     "velocity = { P = [4, 5, 6] }\n")
                            .starts.front();
  CHECK(contact.q == std::vector<double>{1, 2, 3});
  CHECK(contact.v == std::vector<double>{4, 5, 6});
}

TEST_CASE("with project the nearest rotation is taken") {
  const std::string project = "project = true\n";
  check_near(rotation_start("{ quaternion = [3, 0, 0, 4] }", "[0, 0, 0]", project).q,
             {0.6, 0, 0, 0.8});
  check_near(
      rotation_start("{ matrix = [[0, -3, 0], [3, 0, 0], [0, 0, 2]] }", "[0, 0, 0]", project).q,
      {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
}

TEST_CASE("what is no element or no velocity is refused with the residual") {
  const std::string v = "velocity = { R = [0, 0, 0] }\n";
  const auto element = [&](const std::string& text) { return "position = { R = " + text + " }\n"; };
  check_start_refused(element("{ quaternion = [1, 0.01, 0, 0] }") + v,
                      {"text:9", "R", "1.00004", "project"});
  check_start_refused(element("{ quaternion = [0, 0, 0, 0] }") + v, {"zero"});
  check_start_refused(element("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0.001, 1]] }") + v,
                      {"no rotation", "0.001", "1e-9", "project"});
  check_start_refused(element("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }") + v,
                      {"reflection"});
  check_start_refused(
      element("{ matrix = [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }") + v + "project = true\n",
      {"nearest"});
  check_start_refused(element("{ matrix = [[1, 0, 0], [0, 1, 0]] }") + v, {"3 rows"});
  check_start_refused(element("{ axis = [0, 0, 0], angle = 1 }") + v, {"axis", "zero"});
  check_start_refused(element("{ axis = [0, 0, 1] }") + v, {"no rotation", "axis with angle"});
  check_start_refused(element("{ axes = [0, 0, 1], angle = 1 }") + v, {"axes", "axis"});
  check_start_refused(element("\"unity\"") + v, {"identity", "SO(3)", "unity"});
  check_start_refused(element("[1, 0, 0, 0]") + v, {"identity", "SO(3)"});
  check_start_refused(element("\"identity\"") + "velocity = { R = [1, 2] }\n",
                      {"3 velocities", "SO(3)"});
  check_start_refused(element("\"identity\"") + "velocity = { R = { space = [1, 2] } }\n",
                      {"2 entries", "3"});
  check_start_refused("q = [1, 0.01, 0, 0]\nv = [0, 0, 0]\n", {"quaternion", "length", "project"});
  check_start_refused("q = [1, 0, 0]\nv = [0, 0, 0]\n",
                      {"3 entries", "4", "R_q0, R_q1, R_q2, R_q3"});
  check_start_refused("q = [1, 0, 0, 0]\nv = [0, 0]\n",
                      {"2 entries", "3", "R_dot[1], R_dot[2], R_dot[3]"});
}

TEST_CASE("names that are missing, unknown or given twice are refused") {
  const std::string kinetic = "(x_dot^2 + y_dot^2)/2";
  const auto sentence = [&](const std::string& start) {
    return start_refusal("\"x\", \"y\"", kinetic, start);
  };
  CHECK(sentence("position = { x = 1 }\nv = [1, 2]\n").find("\"y\" is missing") !=
        std::string::npos);
  CHECK(sentence("position = { x = 1, y = 2, yy = 3 }\nv = [1, 2]\n").find("did you mean \"y\"") !=
        std::string::npos);
  CHECK(
      sentence("position = { x = 1, y = 2 }\nq = [1, 2]\nv = [1, 2]\n").find("give one of them") !=
      std::string::npos);
  CHECK(
      sentence("q = [1, 2]\nv = [1, 2]\nvelocity = { x = 1, y = 2 }\n").find("give one of them") !=
      std::string::npos);
  CHECK(sentence("position = { x = [1, 2], y = 2 }\nv = [1, 2]\n").find("2 entries; it needs 1") !=
        std::string::npos);
}
