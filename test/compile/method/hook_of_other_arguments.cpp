// A hook with other arguments.
// expected: could not convert|cannot convert|cannot initialize
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Deaf {
  static MethodPage<Deaf> page() {
    return {.name = "deaf",
            .facts = Facts{.order = 1},
            .equations = &Deaf::equations,
            .misfit = &Deaf::misfit};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
  std::optional<std::string> misfit() const { return std::nullopt; }
};

Method make() { return Deaf{}; }
