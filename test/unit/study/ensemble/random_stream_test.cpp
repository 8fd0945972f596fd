#include "dalembert/study/ensemble/random_stream.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace dalembert;
using namespace dalembert::study;

namespace {

using Block = std::array<std::uint64_t, 4>;

}  // namespace

// Known answers published with the generator: zeros, ones, and digits of pi.
TEST_CASE("philox gives the published words") {
  constexpr std::uint64_t ones = ~0ULL;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Block{0x16554d9eca36314cU, 0xdb20fe9d672d0fdcU, 0xd7e772cee186176bU, 0x7e68b68aec7ba23bU});
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Block{0x87b092c3013fe90bU, 0x438c3c67be8d0224U, 0x9cc7d7c69cd777b6U, 0xa09caebf594f0ba0U});
  CHECK(philox({0x243f6a8885a308d3U, 0x13198a2e03707344U, 0xa4093822299f31d0U, 0x082efa98ec4e6c89U},
               {0x452821e638d01377U, 0xbe5466cf34e90c6cU}) ==
        Block{0xa528f45403e61d95U, 0x38c72dbd566e9788U, 0xa5a1610e72fd18b5U, 0x57bd43b5e52b7fe6U});
}

TEST_CASE("a stream hands out the words of its blocks in order") {
  RandomStream stream(7, 3, 2);
  for (std::uint64_t block = 0; block < 3; ++block)
    for (const std::uint64_t word : philox({block, 3, 2, 0}, {7, 0})) CHECK(stream.word() == word);
}

TEST_CASE("uniform numbers are odd multiples of 2^-53 inside the open interval") {
  RandomStream stream(1, 0, 0), words(1, 0, 0);
  for (int i = 0; i < 1000; ++i) {
    const double u = stream.uniform();
    CHECK(u > 0.0);
    CHECK(u < 1.0);
    CHECK(u * 0x1p53 == 2.0 * static_cast<double>(words.word() >> 12U) + 1.0);
  }
}

TEST_CASE("normal numbers have the moments of the normal law") {
  constexpr int count = 200000;
  double mean = 0.0, square = 0.0, fourth = 0.0;
  RandomStream stream(5, 11, 0);
  for (int i = 0; i < count; ++i) {
    const double x = stream.normal();
    mean += x / count;
    square += x * x / count;
    fourth += x * x * x * x / count;
  }
  // Five standard deviations of the moments of so many independent numbers: 1, 2 and 96.
  const double sigma = 1.0 / std::sqrt(static_cast<double>(count));
  CHECK(std::fabs(mean) < 5.0 * sigma);
  CHECK(std::fabs(square - 1.0) < 5.0 * sigma * std::sqrt(2.0));
  CHECK(std::fabs(fourth - 3.0) < 5.0 * sigma * std::sqrt(96.0));
}

TEST_CASE("streams of other seeds, members and purposes are unlike") {
  const std::uint64_t first = RandomStream(1, 1, 1).word();
  CHECK(RandomStream(2, 1, 1).word() != first);
  CHECK(RandomStream(1, 2, 1).word() != first);
  CHECK(RandomStream(1, 1, 2).word() != first);
}
