// A range for an option that is a yes or no.
// expected: could not convert|no matching|no viable|cannot convert
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Confused {
  bool fast = false;
  static MethodPage<Confused> page() {
    return {.name = "confused",
            .facts = Facts{.order = 1},
            .equations = &Confused::equations,
            .options = {{"fast", &Confused::fast, "whether to be fast", 0.0, 1.0}}};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
};

Method make() { return Confused{}; }
