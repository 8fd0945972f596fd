// Facts without an order.
// expected: a required field is missing
#include "dalembert/method/page.hpp"

using namespace dalembert;

Facts facts() { return {.symmetric = true}; }
