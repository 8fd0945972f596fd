// No name.
// expected: a required field is missing
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Nameless {
  static MethodPage<Nameless> page() {
    return {.facts = Facts{.order = 1}, .equations = &Nameless::equations};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};

Method make() { return Nameless{}; }
