/// \file
/// The body of the units that are compiled once per instruction set; the build names the set in
/// DALEMBERT_INSTRUCTION_SET_NAMESPACE.

#include "dalembert/step/detail/step_loop.hpp"
#include "lane_kernels.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

template <int width, int groups>
inline constexpr Kernel kernel{
    width, width* groups,
    [](const StepView& view, void* slots, void* workspace) {
      using Number = numeric::Lanes<width>;
      set_up_steps<Number, groups>(view, static_cast<Number*>(slots),
                                   static_cast<Number*>(workspace));
    },
    [](const StepView& view, void* slots, void* workspace, std::uint64_t first, std::uint64_t steps,
       AdvanceReport* reports) {
      using Number = numeric::Lanes<width>;
      take_steps<Number, groups>(view, static_cast<Number*>(slots), static_cast<Number*>(workspace),
                                 first, steps, reports);
    }};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE

const Kernel* lane_kernels::DALEMBERT_INSTRUCTION_SET_NAMESPACE(int width) {
  if (width == 4) return &kernel<4, 4>;
  return width == 8 ? &kernel<8, 2> : nullptr;
}

}  // namespace dalembert
