// No equations.
// expected: a required field is missing
#include "dalembert/method/page.hpp"

using namespace dalembert;

struct Empty {
  static MethodPage<Empty> page() { return {.name = "empty", .facts = Facts{.order = 1}}; }
};

Method make() { return Empty{}; }
