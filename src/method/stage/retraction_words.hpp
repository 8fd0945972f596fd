#pragma once
// The option `retraction` of methods on groups.

#include "dalembert/mechanics/group/group.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// The words of the option.
inline Words<Retraction> retraction_words() {
  return {{Retraction::cayley, "cayley"}, {Retraction::exponential, "exponential"}};
}

}  // namespace dalembert
