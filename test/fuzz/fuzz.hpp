#pragma once
// What every target of this folder defines, and how it says that something is wrong.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

/// Runs one input; -1 says that it was refused early, so that changing it further finds little. The
/// name is libFuzzer's; standalone.cpp calls it where there is no libFuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// Ends the program, so that the input is kept.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "wrong: %s\n", what.c_str());
  std::abort();
}

/// Numbers from the bytes of an input, zeros when they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  unsigned next() { return empty() ? 0 : data_[at_++]; }
  /// A double of any size and both signs, short or with all digits.
  double number() {
    const int sign = next() % 2 == 0 ? 1 : -1;
    const int exponent = static_cast<int>(next() % 41) - 20;
    std::uint64_t digits = 0;
    for (int i = 0; i < 7; ++i) digits = digits << 8 | next();
    double value = static_cast<double>(digits % (1ull << 53)) * 0x1p-52;
    for (int i = 0; i < std::abs(exponent); ++i) value *= exponent > 0 ? 2.0 : 0.5;
    return sign * value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

}  // namespace fuzz
