#include "dalembert/study/ensemble/random_stream.hpp"

#include <Random123/philox.h>

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::study {

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key) {
  const r123::Philox4x64::ctr_type input = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x64::key_type secret = {{key[0], key[1]}};
  const r123::Philox4x64::ctr_type output = r123::Philox4x64{}(input, secret);
  return {output[0], output[1], output[2], output[3]};
}

std::uint64_t RandomStream::word() {
  if (used_ == words_.size()) {
    words_ = philox({block_++, member_, purpose_, 0}, {seed_, 0});
    used_ = 0;
  }
  return words_[used_++];
}

double RandomStream::uniform() {
  constexpr int unused_bits = 12;
  return (static_cast<double>(word() >> unused_bits) + 0.5) * 0x1p-52;
}

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  constexpr double two_pi = 0x1.921fb54442d18p+2;
  const double radius = numeric::sqrt(-2.0 * numeric::log(uniform())), angle = two_pi * uniform();
  spare_ = radius * numeric::sin(angle);
  has_spare_ = true;
  return radius * numeric::cos(angle);
}

}  // namespace dalembert::study
