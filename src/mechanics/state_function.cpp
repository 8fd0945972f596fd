#include "dalembert/mechanics/state_function.hpp"

#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

template class StateFunction<double>;

void refuse_state_size(const char* what, std::size_t given, std::size_t expected) {
  throw RequestError("a function of the state needs " + std::to_string(expected) + " " + what +
                     ", not " + std::to_string(given));
}

}  // namespace dalembert
