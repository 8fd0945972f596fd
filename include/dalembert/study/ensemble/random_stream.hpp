#pragma once

#include <array>
#include <cstdint>

namespace dalembert::study {

/// The bijection Philox4x64 with 10 rounds: four words that look random for each counter and key,
/// without a state. Source: [Salmon2011], as the library Random123 computes it.
std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key);

/// The random numbers of one member of an ensemble for one purpose. They depend on (seed, member,
/// purpose) alone: number k of a stream is the same whatever other members there are, in whatever
/// order and on whatever machine they are drawn.
///
/// Words: block b = 0, 1, ... of a stream is philox((b, member, purpose, 0), (seed, 0)); its four
/// words are used in order.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t member, std::uint64_t purpose)
      : seed_(seed), member_(member), purpose_(purpose) {}

  /// The next 64 random bits.
  std::uint64_t word();
  /// Uniform in the open interval (0, 1): the upper 52 bits of a word as k in (k + 1/2) 2^-52,
  /// which is exact and symmetric about 1/2.
  double uniform();
  /// Normal with mean 0 and variance 1, by Box and Muller from two uniform numbers u1, u2:
  /// sqrt(-2 log u1) cos(2 pi u2), then the same with sin for the next call. Elementary functions
  /// are those of dalembert::numeric, the same bits on every machine.
  double normal();

 private:
  std::uint64_t seed_, member_, purpose_, block_ = 0;
  std::array<std::uint64_t, 4> words_ = {};
  unsigned used_ = 4;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace dalembert::study
