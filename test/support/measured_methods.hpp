#pragma once
// Every method of the library is measured by a test, but for those that it names.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "dalembert/method/library.hpp"

namespace test_support {

using MethodNames = std::set<std::string>;

/// Methods that take one kind of systems only, for tests on others to name.
inline const MethodNames of_free_systems{"variational-runge-kutta", "shake"},
    of_coupled_systems{"driver-splitting", "speed-splitting"},
    of_constant_mass{"leapfrog", "discrete-derivative", "moser-veselov"},
    of_mechanical_systems{"reduced-gradient", "hamel", "energy-collocation",
                          "gonzalez-full",    "chart", "frame-splitting"},
    of_linear_constraints{"dla",
                          "dla01",
                          "gni",
                          "herglotz",
                          "newmark",
                          "lie-newmark",
                          "newmark-composition",
                          "velocity-dla",
                          "adjoint",
                          "compose"};

inline MethodNames operator+(MethodNames names, const MethodNames& more) {
  names.insert(more.begin(), more.end());
  return names;
}

/// The methods that a test has measured. Nothing is counted by hand: a method that is added is
/// measured, or the test names it with those that cannot be.
class MeasuredMethods {
 public:
  /// By the name in the library, whatever name the method was asked for.
  void add(const dalembert::MethodSpec& spec) {
    names_.insert(dalembert::make_method(spec).spec().name);
  }
  /// All methods of the library but for `others` were measured, and none of those.
  void check(const MethodNames& others) const {
    for (const dalembert::MethodEntry& entry : dalembert::methods()) {
      const bool measured = names_.contains(entry.name), other = others.contains(entry.name);
      INFO(entry.name);
      CHECK(measured != other);
    }
  }

 private:
  MethodNames names_;
};

}  // namespace test_support
