// No facts.
// expected: a required field is missing
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Silent {
  static MethodPage<Silent> page() { return {.name = "silent", .equations = &Silent::equations}; }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};

Method make() { return Silent{}; }
