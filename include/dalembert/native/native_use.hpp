#pragma once

#include <string_view>

namespace dalembert {

/// Whether steps are compiled by the system's C compiler. No choice changes a bit.
enum class NativeUse {
  automatic,  ///< for long runs, beside the run, where it can be done
  off,        ///< never
  require,    ///< before the run, which does not begin without
};

/// Of the words auto, off and require. RequestError for another.
NativeUse native_use_of(std::string_view word);

/// What the environment variable DALEMBERT_NATIVE says, else automatic. RequestError for a word
/// that means nothing.
NativeUse usual_native_use();

}  // namespace dalembert
