#include "dalembert/step/kernel.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/step/detail/step_loop.hpp"
#include "lane_kernels.hpp"

namespace dalembert {
namespace {

void check_available(InstructionSet set) {
  const std::vector<InstructionSet> sets = available_instruction_sets();
  if (std::find(sets.begin(), sets.end(), set) != sets.end()) return;
  throw RequestError("this machine lacks instruction set " + std::string(to_string(set)) +
                     "; the best that it has is " + std::string(to_string(sets.back())));
}

const Kernel* find_kernel(InstructionSet set, int width) {
  switch (set) {
#ifdef DALEMBERT_X86_64_KERNELS
    case InstructionSet::x86_64_v2:
      return lane_kernels::x86_64_v2(width);
    case InstructionSet::x86_64_v3:
      return lane_kernels::x86_64_v3(width);
    case InstructionSet::x86_64_v4:
      return lane_kernels::x86_64_v4(width);
#endif
    default:
      return lane_kernels::portable(width);
  }
}

}  // namespace

const Kernel& number_kernel() {
  static constexpr Kernel kernel{
      1, 1,
      [](const StepView& view, void* slots, void* workspace) {
        set_up_steps<double, 1>(view, static_cast<double*>(slots), static_cast<double*>(workspace));
      },
      [](const StepView& view, void* slots, void* workspace, std::uint64_t first,
         std::uint64_t steps, AdvanceReport* reports) {
        take_steps<double, 1>(view, static_cast<double*>(slots), static_cast<double*>(workspace),
                              first, steps, reports);
      }};
  return kernel;
}

const Kernel& lane_kernel(InstructionSet set, int width) {
  check_available(set);
  const int suggested = set == InstructionSet::x86_64_v4 ? 8 : 4;
  const Kernel* kernel = find_kernel(set, width == 0 ? suggested : width);
  if (kernel == nullptr)
    throw RequestError("a batch has width 4 or 8, not " + std::to_string(width));
  return *kernel;
}

}  // namespace dalembert
