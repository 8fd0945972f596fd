// The page of another type: what is overridden here would not run.
// expected: could not convert|no viable conversion|constraints not satisfied
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Base {
  static MethodPage<Base> page() {
    return {.name = "base", .facts = Facts{.order = 1}, .equations = &Base::equations};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};
struct Heir : Base {
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};

Method make() { return Heir{}; }
