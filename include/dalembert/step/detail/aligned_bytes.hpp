#pragma once

#include <cstddef>
#include <memory>

namespace dalembert {

struct FreeAligned {
  void operator()(std::byte* bytes) const;
};

/// Memory for numbers of lanes, from an address that is a multiple of 64.
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

/// So many doubles, all zero.
AlignedBytes aligned_zeros(std::size_t numbers);

}  // namespace dalembert
