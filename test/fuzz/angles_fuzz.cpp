// Angles of any size: brought to [-pi, pi] with their turns, against 2 pi in long double.

#include <bit>
#include <cmath>

#include "dalembert/numeric/angles.hpp"
#include "fuzz.hpp"

namespace {

using namespace dalembert::numeric;

// 2 pi in two parts of long double; products of the first, of 31 bits, with turns below 2^33 are
// exact.
constexpr long double turn_high = 0x6.487ed51p+0L, turn_low = 0x1.0b4611a62633145cp-32L;

void check(double angle) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  double wrapped = angle, winding = 0.0, lost = 0.0;
  static_cast<void>(wrap_and_tell(wrapped, winding, lost));
  const bool left_alone = !(std::fabs(angle) > pi) || !(std::fabs(angle) <= 1e9);
  if (left_alone) {
    if (std::bit_cast<std::uint64_t>(wrapped) != std::bit_cast<std::uint64_t>(angle) ||
        winding != 0.0)
      fuzz::fail("an angle inside is changed");
    return;
  }
  if (!(std::fabs(wrapped) <= pi)) fuzz::fail("an angle is not brought inside");
  if (winding != std::floor(winding)) fuzz::fail("a part of a turn");
  const long double exact =
      (static_cast<long double>(angle) - winding * turn_high) - winding * turn_low;
  // Half a unit in the last place of the result, and what long double keeps of the difference.
  const long double unit = std::ldexp(1.0L, std::ilogb(wrapped == 0.0 ? 1e-300 : wrapped) - 53);
  const long double noise = std::fabs(winding) * 0x1p-90L + std::fabs(exact) * 0x1p-60L + 0x1p-80L;
  if (std::fabs(exact - wrapped) > 1.01L * unit + noise) fuzz::fail("a wrapped angle is off");
  if (std::fabs((exact - wrapped) - lost) > 0.02L * unit + noise + 0x1p-55L * std::fabs(lost))
    fuzz::fail("what is lost is told wrongly");
  // Once more: nothing changes. And back: the angle, to one unit in the last place.
  double again = wrapped, none = 0.0;
  wrap(again, none);
  if (again != wrapped || none != 0.0) fuzz::fail("wrapping twice is not wrapping once");
  const double back = unwrapped(wrapped, winding);
  if (std::fabs(back - angle) > std::ldexp(1.0, std::ilogb(angle) - 52))
    fuzz::fail("an angle is not what it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  fuzz::Bytes bytes(data, size);
  while (!bytes.empty()) {
    const unsigned kind = bytes.next();
    double angle = bytes.number() * (kind & 1 ? 1e3 : 1.0);
    if (kind & 2) angle = std::round(angle) * pi;  // next to multiples of pi
    for (unsigned i = 0; i < (kind >> 2) % 4; ++i) angle = std::nextafter(angle, 1e300);
    if (kind & 64) {
      std::uint64_t bits = 0;
      for (int i = 0; i < 8; ++i) bits = bits << 8 | bytes.next();
      angle = std::bit_cast<double>(bits);
    }
    check(angle);
  }
  return 0;
}
