#include <doctest/doctest.h>

#include <functional>

#include "dalembert/mechanics/system_error.hpp"
#include "mechanics/definition/multiplier_names.hpp"

using namespace dalembert;

namespace {

System plane(const std::function<void(const Symbols&, Mechanics&)>& change,
             const std::string& first = "x") {
  return System::define(
      {.name = "plane", .coordinates = {{first}, {"y"}}, .parameters = {{.name = "k"}}},
      [&](const Symbols& s) {
        Mechanics mechanics{.kinetic = dot(s.v, s.v) / 2.0};
        change(s, mechanics);
        return mechanics;
      });
}

System with_integral(const std::string& name) {
  return plane([&](const Symbols& s, Mechanics& mechanics) {
    mechanics.integrals = {{name, s.v[1]}};
  });
}

}  // namespace

TEST_CASE("columns of results have one owner") {
  for (const char* name : {"x", "y_dot", "t", "energy", "constraint"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(with_integral(name), doctest::Contains("of an integral is also that of"),
                         RequestError);
  }
  CHECK_THROWS_WITH_AS(with_integral("a b"), doctest::Contains("is no name"), RequestError);
  for (const char* name : {"k", "h", "x_ddot", "spin"}) CHECK_NOTHROW(with_integral(name));
  CHECK_THROWS_WITH_AS(plane([](const Symbols& s, Mechanics& mechanics) {
                         mechanics.integrals = {{"spin", s.v[0]}, {"spin", s.v[1]}};
                       }),
                       doctest::Contains("an integral"), RequestError);
  const auto nothing = [](const Symbols&, Mechanics&) {};
  CHECK_THROWS_WITH_AS(plane(nothing, "energy"), doctest::Contains("cannot be named \"energy\""),
                       SystemError);
}

TEST_CASE("frames and reversals that make no sense are refused") {
  const auto refused = [](const std::function<void(const Symbols&, Mechanics&)>& change,
                          const char* sentence) {
    CHECK_THROWS_WITH_AS(plane(change), doctest::Contains(sentence), SystemError);
  };
  refused([](const Symbols& s, Mechanics& m) { m.frame = {{s.q[0]}}; },
          "has 1 entries; it needs 2");
  refused([](const Symbols& s, Mechanics& m) { m.frame = {{s.v[0], 1.0}}; }, "contains a velocity");
  refused(
      [](const Symbols&, Mechanics& m) {
        m.reversal = std::vector{1.0, 0.5};
      },
      "has 0.5 for \"y\"; a sign is 1 or -1");
}

TEST_CASE("a matrix is skew by its values, not by how it is written") {
  const auto define = [](auto lower) {
    return plane([&](const Symbols& s, Mechanics& m) {
      SkewGradient form{.hamiltonian = dot(s.q, s.q), .structure = Matrix(2, 2)};
      form.structure(0, 1) = s.q[0] - s.q[1];
      form.structure(1, 0) = lower(s);
      m.skew_gradient = form;
    });
  };
  CHECK_NOTHROW(define([](const Symbols& s) { return s.q[1] - s.q[0]; }));
  CHECK_THROWS_WITH_AS(define([](const Symbols& s) { return s.q[0] - s.q[1]; }),
                       doctest::Contains("not skew in entry (2, 1)"), SystemError);
  CHECK_THROWS_WITH_AS(define([](const Symbols& s) { return s.v[0]; }),
                       doctest::Contains("without velocities"), SystemError);
}
