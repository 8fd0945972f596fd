#pragma once
// Whether a test has measured every method of the library, but for those that it names.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "dalembert/method/library.hpp"

namespace test_support {

/// The methods that a test has measured. Nothing is counted by hand: a method that is added is
/// measured, or the test names it with those that cannot be.
class MeasuredMethods {
 public:
  /// By the name in the library, whatever name the method was asked for.
  void add(const dalembert::MethodSpec& spec) {
    names_.insert(dalembert::make_method(spec).spec().name);
  }
  /// All methods of the library but for `others` were measured, and none of those.
  void check(const std::set<std::string>& others) const {
    for (const dalembert::MethodEntry& entry : dalembert::methods()) {
      const bool measured = names_.contains(entry.name), other = others.contains(entry.name);
      INFO(entry.name);
      CHECK(measured != other);
    }
  }

 private:
  std::set<std::string> names_;
};

}  // namespace test_support
