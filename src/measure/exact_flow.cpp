#include "dalembert/measure/exact_flow.hpp"

namespace dalembert {

template class ExactFlow<double>;

}  // namespace dalembert
