#include "dalembert/expression/tape/interpreter.hpp"

namespace dalembert {

void run_tape_in_library(TapeView tape, std::size_t begin, std::size_t end, double* slots,
                         double* workspace) {
  run_tape<double>(tape, begin, end, slots, workspace);
}

}  // namespace dalembert
