#pragma once
// The number type for what double cannot tell from round-off. Only for the sources of this room.

#if __has_include(<quadmath.h>)
#include <boost/multiprecision/float128.hpp>
#endif

namespace dalembert {

#if __has_include(<quadmath.h>)
using Extended = boost::multiprecision::float128;
constexpr const char* extended_name = "113-bit";
/// A property is exact below the first bound, round-off of many operations, and clearly not exact
/// above the second.
constexpr double exact_defect = 1e-24, clear_defect = 1e-20;
#else
using Extended = long double;
constexpr const char* extended_name = "long double";
constexpr double exact_defect = 1e-15, clear_defect = 1e-14;
#endif

}  // namespace dalembert
