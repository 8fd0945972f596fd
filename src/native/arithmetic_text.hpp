#pragma once
// The arithmetic that the library is compiled from, as text.

#include <string_view>
#include <vector>

namespace dalembert {

/// The texts of numeric/arithmetic, after what C has in the place of packs: each definition needs
/// definitions before it only, but for what C declares in its own headers. The build makes the
/// source from the files themselves.
const std::vector<std::string_view>& arithmetic_texts();

}  // namespace dalembert
