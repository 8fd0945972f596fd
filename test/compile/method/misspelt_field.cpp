// A slip in the name of a field.
// expected: misift
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Slip {
  static MethodPage<Slip> page() {
    return {.name = "slip",
            .facts = Facts{.order = 1},
            .equations = &Slip::equations,
            .misift = &Slip::misfit};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
  std::optional<std::string> misfit(const System&) const { return std::nullopt; }
};

Method make() { return Slip{}; }
