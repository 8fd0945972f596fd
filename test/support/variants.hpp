#pragma once
// The registered methods with several values of each option.

#include "dalembert/method/variants.hpp"

namespace test_support {
using dalembert::method_variants;
using dalembert::Variants;
}  // namespace test_support
