#include "dalembert/step/detail/aligned_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace dalembert {
namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

void FreeAligned::operator()(std::byte* bytes) const { ::operator delete[](bytes, alignment); }

AlignedBytes aligned_zeros(std::size_t numbers) {
  const std::size_t size = std::max<std::size_t>(1, numbers) * sizeof(double);
  AlignedBytes bytes(new (alignment) std::byte[size]);
  std::memset(bytes.get(), 0, size);
  return bytes;
}

}  // namespace dalembert
