#pragma once
// The Newmark family near beta + beta' = 1/2. Only for the sources of this folder.

#include <vector>

#include "dalembert/claims/verdict.hpp"
#include "dalembert/picture/picture.hpp"

namespace dalembert::reproduce {

/// What becomes of the order of F^{beta,beta,1/2} as beta approaches 1/4.
struct NewmarkLimit {
  std::vector<study::Evidence> evidence;
  study::Picture picture;
};
NewmarkLimit newmark_limit();

}  // namespace dalembert::reproduce
