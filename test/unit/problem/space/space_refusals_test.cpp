// Mistakes in bodies, contacts and vectors: one sentence with the file, the table's key and the way
// out.
#include <string>
#include <vector>

#include "unit/problem/space/same_motion.hpp"

using namespace dalembert;
using namespace space_test;

namespace {

const std::string coin_head = R"toml(
coordinates = ["x", "y", "psi", "theta", "phi"]
angles = ["psi", "phi"]
gravity = [0, 0, "-g"]
[parameters]
r = 1
g = 1
)toml";
const std::string coin_body = R"toml(
[[body]]
name     = "coin"
mass     = 1
inertia  = [1, 1, 2]
position = ["x", "y", "r*sin(theta)"]
rotation = [["z", "psi"], ["x", "theta"], ["z", "phi"]]
)toml";
const std::string coin_ground = R"toml(
[[contact]]
name  = "ground"
body  = "coin"
kind  = "rolling"
shape = { disk = "r" }
)toml";

/// The text with a part exchanged.
std::string exchanged(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

std::string sentence(const std::string& text) {
  try {
    static_cast<void>(problem_of(text));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "accepted";
}

void check_refused(const std::string& text, const std::string& part) {
  const std::string found = sentence(text);
  CHECK_MESSAGE(found.starts_with("text"), found);
  CHECK_MESSAGE(found.find(part) != std::string::npos, found);
  CHECK(found.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("The coin of these tests is accepted") {
  CHECK(sentence(coin_head + coin_body + coin_ground) == "accepted");
}

TEST_CASE("A body that makes no sense is refused with the key") {
  const auto refused = [](const std::string& part, const std::string& other,
                          const std::string& words) {
    check_refused(coin_head + exchanged(coin_body, part, other) + coin_ground, words);
  };
  refused("[1, 1, 2]", "[1, 2]", "three principal moments");
  refused("[1, 1, 2]", "[[1, 1, 0], [0, 1, 0], [0, 0, 2]]", "not symmetric in entry (2, 1)");
  refused("inertia  = [1, 1, 2]\n", "", "a rotation but no inertia");
  refused("rotation = [[\"z\", \"psi\"], [\"x\", \"theta\"], [\"z\", \"phi\"]]", "",
          "has no rotation");
  refused("\"x\", \"theta\"", "\"w\", \"theta\"", "is \"w\"; an axis is");
  refused("\"x\", \"theta\"", "\"x\", \"theta_dot\"", "contains a velocity");
  refused("[\"x\", \"y\", \"r*sin(theta)\"]", "[\"x\"]", "has 1 entries; a vector has three");
  refused("[\"x\", \"y\", \"r*sin(theta)\"]", "\"r\"", "a number where a vector is wanted");
  refused("mass ", "maas ", "mass");
  refused("\"coin\"", "\"a coin\"", "a name is a letter followed by");
  check_refused(coin_head + coin_body + coin_body, "is \"coin\" a second time");
  check_refused(coin_head + "[lagrangian]\nkinetic = \"x_dot^2\"\n",
                "there is no [[body]] that it pulls");
}

TEST_CASE("A contact that makes no sense is refused with the key") {
  const auto refused = [](const std::string& part, const std::string& other,
                          const std::string& words) {
    check_refused(coin_head + coin_body + exchanged(coin_ground, part, other), words);
  };
  refused("\"coin\"", "\"coyn\"", "is not a body; did you mean \"coin\"?");
  refused("rolling", "roling", "did you mean \"rolling\"?");
  refused("shape = { disk = \"r\" }", "", "needs a point of the body, or a shape");
  refused("{ disk = \"r\" }", "{ disk = \"r\", sphere = \"r\" }", "must be one of");
  refused("{ disk = \"r\" }", "{ sphere = \"r\", axis = \"z\" }", "this shape has none");
  refused("{ disk = \"r\" }", "{ ellipsoid = [1, 2] }", "has 2 entries; it needs 3");
  refused("{ disk = \"r\" }", "{ disk = \"r\" }\nspin = \"phi\"", "needs both spin and radius");
  refused("{ disk = \"r\" }", "{ disk = \"r\" }\nplane = { point = [0, 0, 0], normal = [0, 0, 0] }",
          "a normal has a direction");
  const std::string flat = exchanged(coin_body, "[\"z\", \"psi\"], [\"x\", \"theta\"], ", "");
  check_refused(coin_head + flat + coin_ground, "lies flat on the plane");
  const std::string fixed = exchanged(coin_body, "r*sin(theta)", "2*r");
  const std::string ball = exchanged(coin_ground, "disk", "sphere");
  check_refused(coin_head + exchanged(fixed, "2*r", "3 + 1") + exchanged(ball, "\"r\"", "1"),
                "its height above it is 3 at all positions");
}

TEST_CASE("Vectors and numbers are told apart") {
  const auto refused = [](const std::string& entry, const std::string& words) {
    check_refused(coin_head + "[vectors]\nu = [1, \"x\", 0]\nw = " + entry + "\n" + coin_body,
                  words);
  };
  refused("\"u*u\"", "write dot(u, v) or cross(u, v)");
  refused("\"u + 1\"", "can be neither added nor subtracted");
  refused("\"1/u\"", "divided by a vector");
  refused("\"dot(u, 1)*u\"", "a number where a vector is wanted");
  refused("\"sin(u)*u\"", "a vector where a number is wanted");
  refused("\"[1, 2]\"", "a vector has 3 entries");
  refused("\"coin.point(1, 2)\"", "a point has 3 entries");
  refused("\"w + u\"", "unknown name \"w\"");
  check_refused(
      coin_head + coin_body + "[constraints]\nexpressions = [\"dot(coin.velocty, coin.axis_1)\"]\n",
      "did you mean \"coin.velocity\"?");
  check_refused(coin_head + "[vectors]\na = \"2*b\"\nb = \"2*a\"\n" + coin_body,
                "cannot be known before it");
}

TEST_CASE("Joints are points that are the same") {
  const std::string two = R"toml(
coordinates = ["x", "y", "a", "X", "Y", "b"]
gravity = [0, "-g"]
[parameters]
g = 1
l = 2
[[body]]
name = "upper"
mass = 1
inertia = 0.3
position = ["x", "y"]
rotation = "a"
[[body]]
name = "lower"
mass = 2
inertia = 0.4
position = ["X", "Y"]
rotation = "b"
[constraints]
)toml";
  const std::string hinges =
      "joint = [[[0, 0, 0], \"upper.point(-l, 0, 0)\"], [\"upper.point(l, 0, 0)\", "
      "\"lower.point(-l, 0, 0)\"]]\n";
  const Problem pendulum = problem_of(two + hinges);
  CHECK(pendulum.system.holonomic_count() == 4);
  CHECK(pendulum.system.nonholonomic_count() == 0);
  check_refused(two + "joint = [\"upper.point(l, 0, 0)\"]\n", "must be two points");
  check_refused(two + "joint = [\"upper.point(l, 0, 0)\", \"lower.point(0, 0, 1)\"]\n",
                "can never be the same");
}
