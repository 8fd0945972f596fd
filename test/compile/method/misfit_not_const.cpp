// A hook that is not const.
// expected: could not convert|cannot convert|cannot initialize
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Moody {
  static MethodPage<Moody> page() {
    return {.name = "moody",
            .facts = Facts{.order = 1},
            .equations = &Moody::equations,
            .misfit = &Moody::misfit};
  }
  Equations equations(const System&, const State& a, Unknowns&, const Expr&) const {
    return {.zero = {}, .constraint = {}, .after = a};
  }
  std::optional<std::string> misfit(const System&) { return std::nullopt; }
};

Method make() { return Moody{}; }
