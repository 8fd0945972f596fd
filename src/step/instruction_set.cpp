#include "dalembert/step/instruction_set.hpp"

#include <algorithm>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::portable:
      return "portable";
    case InstructionSet::x86_64_v2:
      return "x86-64-v2";
    case InstructionSet::x86_64_v3:
      return "x86-64-v3";
    case InstructionSet::x86_64_v4:
      return "x86-64-v4";
  }
  return "";
}

int doubles_in_vector(InstructionSet set) {
  switch (set) {
    case InstructionSet::x86_64_v3:
      return 4;
    case InstructionSet::x86_64_v4:
      return 8;
    default:
      return 2;
  }
}

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets{InstructionSet::portable};
#ifdef DALEMBERT_X86_64_KERNELS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return sets;
  sets.push_back(InstructionSet::x86_64_v2);
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return sets;
  sets.push_back(InstructionSet::x86_64_v3);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    return sets;
  sets.push_back(InstructionSet::x86_64_v4);
#endif
  return sets;
}

InstructionSet instruction_set_of(std::string_view name) {
  constexpr std::string_view family = "x86-64-";
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::x86_64_v2,
                                   InstructionSet::x86_64_v3, InstructionSet::x86_64_v4}) {
    const std::string_view whole = to_string(set);
    if (name == whole || (whole.starts_with(family) && name == whole.substr(family.size()))) {
      check_available(set);
      return set;
    }
  }
  throw RequestError("there is no instruction set \"" + std::string(name) +
                     "\"; there are portable, v2, v3 and v4");
}

void check_available(InstructionSet set) {
  const std::vector<InstructionSet> sets = available_instruction_sets();
  if (std::find(sets.begin(), sets.end(), set) != sets.end()) return;
  throw RequestError("this machine lacks instruction set " + std::string(to_string(set)) +
                     "; the best that it has is " + std::string(to_string(sets.back())));
}

}  // namespace dalembert
