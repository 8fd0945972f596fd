#pragma once
// What the tests of batches share: members, and their states bit for bit.

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "dalembert/method/library.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "support/small_systems.hpp"

namespace batch_test {

using dalembert::BatchOptions;
using dalembert::BatchStepper;
using dalembert::BlockSize;
using dalembert::InstructionSet;
using dalembert::MethodSpec;
using dalembert::Point;
using dalembert::Stepper;
using dalembert::StepProgram;
using dalembert::StepReport;

/// Every way to run a batch on this machine.
inline std::vector<BatchOptions> all_options() {
  std::vector<BatchOptions> result;
  for (const InstructionSet set : dalembert::available_instruction_sets()) {
    for (const int width : {4, 8}) {
      for (const BlockSize block : {BlockSize::small, BlockSize::large})
        result.push_back({.instruction_set = set, .width = width, .block = block});
    }
  }
  return result;
}

inline std::string text(const BatchOptions& options) {
  return std::string(to_string(*options.instruction_set)) + ", width " +
         std::to_string(options.width) +
         (options.block == BlockSize::large ? ", large blocks" : "");
}

/// All numbers of a point, as bits.
inline std::vector<std::uint64_t> bits(const Point& point) {
  std::vector<std::uint64_t> result{std::bit_cast<std::uint64_t>(point.t)};
  for (const auto* part :
       {&point.q, &point.v, &point.lambda, &point.carried, &point.error_estimate, &point.dense,
        &point.history, &point.turns, &point.q_carry, &point.v_carry}) {
    for (const double x : *part) result.push_back(std::bit_cast<std::uint64_t>(x));
  }
  return result;
}

/// FNV-1a over the bits of a point.
inline std::uint64_t checksum(const Point& point) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::uint64_t word : bits(point)) {
    for (int k = 0; k < 64; k += 8) sum = (sum ^ ((word >> k) & 0xff)) * 0x100000001b3u;
  }
  return sum;
}

}  // namespace batch_test
