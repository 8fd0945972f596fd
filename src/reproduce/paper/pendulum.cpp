#include "pendulum.hpp"

#include <utility>

namespace dalembert::reproduce {

System pendulum() {
  SystemDescription description{"pendulum", {{"q"}}, {}};
  return System::define(std::move(description), [](const Symbols& s) {
    Mechanics mechanics;
    mechanics.kinetic = s.v[0] * s.v[0] / 2.0;
    mechanics.potential = -cos(s.q[0]);
    return mechanics;
  });
}

}  // namespace dalembert::reproduce
