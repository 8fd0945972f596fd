#pragma once
// The number type for what double cannot tell from round-off. Only for the sources of this room.

#if __has_include(<quadmath.h>)
#include <boost/multiprecision/float128.hpp>
#endif

namespace dalembert {

#if __has_include(<quadmath.h>)
using Extended = boost::multiprecision::float128;
constexpr const char* extended_name = "113-bit";
#else
using Extended = long double;
constexpr const char* extended_name = "long double";
#endif

}  // namespace dalembert
