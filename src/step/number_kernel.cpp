#include "dalembert/step/kernel.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

void set_up_number(const StepView& view, double* slots, double* workspace) {
  set_up<double, 1>(view, slots, workspace);
}

void advance_number(const StepView& view, double* slots, double* workspace, std::uint64_t first,
                    std::uint64_t steps, AdvanceReport& report) {
  advance<double, 1>(view, slots, workspace, first, steps, &report);
}

}  // namespace dalembert
