#pragma once
// Quadruple precision where the compiler has it.

#if __has_include(<quadmath.h>)
#define DALEMBERT_TEST_HAS_QUAD 1
#include <boost/multiprecision/float128.hpp>

namespace test_support {
using Quad = boost::multiprecision::float128;
}  // namespace test_support
#endif
