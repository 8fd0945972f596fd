// Equations that are not const.
// expected: could not convert|no viable conversion|cannot convert
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Changing {
  static MethodPage<Changing> page() {
    return {.name = "changing", .facts = Facts{.order = 1}, .equations = &Changing::equations};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};

Method make() { return Changing{}; }
