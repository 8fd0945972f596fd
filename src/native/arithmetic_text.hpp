#pragma once
// The arithmetic that the library is compiled from, as text.

#include <string_view>
#include <vector>

namespace dalembert {

/// Some files of it.
struct ArithmeticText {
  /// What `Number` is in them: a double, also where others compute with packs, or what these do.
  enum class On { doubles, numbers };
  On on;
  std::vector<std::string_view> files;
};

/// The texts of numeric/arithmetic, after what C has in the place of packs: each definition needs
/// definitions before it only, but for what C declares in its own headers. The build makes the
/// source from the files themselves.
const std::vector<ArithmeticText>& scalar_arithmetic();
/// The same on packs: vectors of doubles, as GCC and clang have them.
const std::vector<ArithmeticText>& pack_arithmetic();

}  // namespace dalembert
