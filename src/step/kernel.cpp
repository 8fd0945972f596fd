#include "dalembert/step/kernel.hpp"

#include <string>

#include "dalembert/error.hpp"
#include "lane_kernels.hpp"

namespace dalembert {
namespace {

const Kernel* find_kernel(InstructionSet set, int width, BlockSize size) {
  switch (set) {
#ifdef DALEMBERT_X86_64_KERNELS
    case InstructionSet::x86_64_v2:
      return lane_kernels::x86_64_v2(width, size);
    case InstructionSet::x86_64_v3:
      return lane_kernels::x86_64_v3(width, size);
    case InstructionSet::x86_64_v4:
      return lane_kernels::x86_64_v4(width, size);
#endif
    default:
      return lane_kernels::portable(width, size);
  }
}

}  // namespace

const Kernel& number_kernel(InstructionSet set) {
  check_available(set);
  return *find_kernel(set, 1, BlockSize::small);
}

const Kernel& lane_kernel(InstructionSet set, int width, BlockSize size) {
  check_available(set);
  const int suggested = set == InstructionSet::x86_64_v4 ? 8 : 4;
  const int chosen = width == 0 ? suggested : width;
  if (chosen != 4 && chosen != 8)
    throw RequestError("a batch has width 4 or 8, not " + std::to_string(width));
  return *find_kernel(set, chosen, size);
}

BlockSize suggested_block(std::size_t slots, std::size_t members) {
  // What a block computes with stays in the second-level cache; there are blocks for some threads.
  constexpr std::size_t cache = 262144, blocks = 16, large = lane_kernels::large_block;
  const bool fits = slots * large * sizeof(double) <= cache;
  return fits && members >= blocks * large ? BlockSize::large : BlockSize::small;
}

}  // namespace dalembert
