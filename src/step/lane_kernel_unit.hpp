/// \file
/// The body of the units that are compiled once per instruction set; the build names the set in
/// DALEMBERT_INSTRUCTION_SET_NAMESPACE.

#include "dalembert/step/detail/step_loop.hpp"
#include "lane_kernels.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

template <class Number, int groups>
inline constexpr Kernel kernel{
    numeric::lane_count<Number>, numeric::lane_count<Number>* groups,
    [](const StepView& view, void* slots, void* workspace) {
      set_up_steps<Number, groups>(view, static_cast<Number*>(slots),
                                   static_cast<Number*>(workspace));
    },
    [](const StepView& view, void* slots, void* workspace, std::uint64_t first, std::uint64_t steps,
       AdvanceReport* reports) {
      take_steps<Number, groups>(view, static_cast<Number*>(slots), static_cast<Number*>(workspace),
                                 first, steps, reports);
    },
    [](const TapeView& tape, std::size_t begin, std::size_t end, void* slots, void* workspace) {
      run_tape<Number, groups>(tape, begin, end, static_cast<Number*>(slots),
                               static_cast<Number*>(workspace));
    }};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE

const Kernel* lane_kernels::DALEMBERT_INSTRUCTION_SET_NAMESPACE(int width, BlockSize size) {
  const bool is_large = size == BlockSize::large;
  switch (width) {
    case 1:
      return &kernel<double, 1>;
    case 4:
      return is_large ? &kernel<numeric::Lanes<4>, large_block / 4>
                      : &kernel<numeric::Lanes<4>, small_block / 4>;
    case 8:
      return is_large ? &kernel<numeric::Lanes<8>, large_block / 8>
                      : &kernel<numeric::Lanes<8>, small_block / 8>;
    default:
      return nullptr;
  }
}

}  // namespace dalembert
