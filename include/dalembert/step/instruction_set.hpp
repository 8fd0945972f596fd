#pragma once

#include <string_view>
#include <vector>

namespace dalembert {

/// What the lane kernels are compiled for. All give the same bits; the later ones are faster.
enum class InstructionSet {
  portable,   ///< whatever the compiler produces for any machine of the architecture
  x86_64_v2,  ///< SSE4.2, 2 doubles in a register
  x86_64_v3,  ///< AVX2, 4 doubles
  x86_64_v4,  ///< AVX-512, 8 doubles
};

std::string_view to_string(InstructionSet set);

/// The sets that this build holds and this machine can run, from `portable` to the best.
std::vector<InstructionSet> available_instruction_sets();

}  // namespace dalembert
