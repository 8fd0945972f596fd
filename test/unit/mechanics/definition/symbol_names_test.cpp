#include "mechanics/definition/symbol_names.hpp"

#include <doctest/doctest.h>

#include <string>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/system.hpp"

using namespace dalembert;

TEST_CASE("Names are identifiers of ASCII, perhaps with indices") {
  for (const char* name : {"x", "w[12]", "R[1,2]", "R_dot[3]", "R_q0", "theta_F"}) {
    CAPTURE(name);
    CHECK(is_symbol_name(name));
  }
  const std::string long_name(201, 'x');
  for (const char* name :
       {"", "1x", "_x", "x y", "x*/", "x\n", "x;", "w[]", "w[1", "w[1,]", "w[,1]", "w[a]", "w[1]x",
        "\xce\xb8", "x\xe2\x80\xae", "x\"", "<b>", "\x1b[31m", long_name.c_str()}) {
    CAPTURE(name);
    CHECK_FALSE(is_symbol_name(name));
  }
}

TEST_CASE("A system whose names no parser gives is refused, in code, too") {
  const auto named = [](const std::string& coordinate, const std::string& parameter) {
    return System::define({.name = "s", .coordinates = {{coordinate}}, .parameters = {{parameter}}},
                          [](const Symbols& s) { return Mechanics{.kinetic = dot(s.v, s.v)}; });
  };
  CHECK_NOTHROW(named("x", "k"));
  CHECK_THROWS_WITH_AS(named("x */ int f(void) { return 0; } /*", "k"),
                       doctest::Contains("is no name of a coordinate or a parameter"),
                       RequestError);
  CHECK_THROWS_AS(named("x", "k\n"), RequestError);
}
