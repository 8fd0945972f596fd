#include "dalembert/expression/text/nearest_name.hpp"

#include <doctest/doctest.h>

using namespace dalembert;

TEST_CASE("the nearest name: slips of spelling by the length of the name") {
  const std::vector<std::string> functions{"sin", "cos", "tan", "atan2", "sqrt", "exp", "abs"};
  CHECK(nearest_name("sni", functions) == "sin");
  CHECK(nearest_name("sine", functions) == "sin");
  CHECK(nearest_name("Sqrt", functions) == "sqrt");
  CHECK(nearest_name("SO3", {"SE(3)", "SO(3)"}) == "SO(3)");
  CHECK(nearest_name("MM", {"m", "M"}) == "M");  // of two that are as near, by their capitals
  CHECK(nearest_name("sqr", functions) == "sqrt");
  CHECK(nearest_name("max", functions) == "");  // two of three letters differ from tan
  CHECK(nearest_name("log", functions) == "");
  CHECK(nearest_name("x", {"y", "z"}) == "");
  CHECK(nearest_name("x", {"y", "x1"}) == "x1");
  CHECK(nearest_name("ab", {"cd", "ac"}) == "ac");
}

TEST_CASE("the nearest name: commands, exchanged letters and beginnings") {
  const std::vector<std::string> commands{"list", "run", "reproduce", "resume", "plot"};
  CHECK(nearest_name("rnu", commands) == "run");
  CHECK(nearest_name("--mehtod", {"--step", "--method"}) == "--method");
  CHECK(nearest_name("repro", commands) == "reproduce");
  CHECK(nearest_name("gonzalez", {"gauss", "gonzalez-full"}) == "gonzalez-full");
  CHECK(nearest_name("energy_at_the_end", {"energy", "constraint"}) == "energy");
  CHECK(nearest_name("dla", {"dla01-or-longer", "dla0"}) == "dla0");  // fewer slips come first
}
