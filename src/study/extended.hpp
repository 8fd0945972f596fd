#pragma once
// The number type for what double cannot tell from round-off, for the libraries and their tests.

#if __has_include(<quadmath.h>) && !defined(DALEMBERT_WITHOUT_QUADMATH)
#include <boost/multiprecision/float128.hpp>
#else
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif

namespace dalembert::study {

// Both have the 113 bits of IEEE's binary128; the second is slower and needs no compiler's help.
#if __has_include(<quadmath.h>) && !defined(DALEMBERT_WITHOUT_QUADMATH)
using Extended = boost::multiprecision::float128;
#else
using Extended = boost::multiprecision::cpp_bin_float_quad;
#endif
constexpr const char* extended_name = "113-bit";
/// A property is exact below the first bound, round-off of many operations, and clearly not exact
/// above the second.
constexpr double exact_defect = 1e-24, clear_defect = 1e-20;

}  // namespace dalembert::study
