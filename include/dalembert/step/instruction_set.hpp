#pragma once

#include <string_view>
#include <vector>

namespace dalembert {

/// Instruction set that kernels are compiled for. All give bitwise identical results; the later
/// ones are faster.
enum class InstructionSet {
  portable,   ///< whatever the compiler produces for any machine of the architecture
  x86_64_v2,  ///< SSE4.2, 2 doubles in a register
  x86_64_v3,  ///< AVX2, 4 doubles
  x86_64_v4,  ///< AVX-512, 8 doubles
};

/// Name of the set: "portable", "x86-64-v2", "x86-64-v3" or "x86-64-v4".
std::string_view to_string(InstructionSet set);
/// Number of doubles in one of its vectors: 2, 4 or 8.
int doubles_in_vector(InstructionSet set);

/// The set called `portable`, `v2`, `v3` or `v4` (or as `to_string` writes it). RequestError for
/// any other name, and for a set that is not among `available_instruction_sets()`.
InstructionSet instruction_set_of(std::string_view name);

/// The sets that this build holds and this machine can run, from `portable` to the best.
std::vector<InstructionSet> available_instruction_sets();
/// RequestError, with the best set that there is, unless the set is among them.
void check_available(InstructionSet set);

}  // namespace dalembert
