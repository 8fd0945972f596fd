#pragma once

#include <string_view>

namespace dalembert {

/// Use of the system's C compiler for steps. Results are bitwise identical for all choices.
enum class NativeUse {
  automatic,  ///< compiles while long runs go on, if it can be done
  off,        ///< never compiles
  require,    ///< compiles before the run, which fails if it cannot be done
};

/// Value for the words auto, off and require. RequestError for another.
NativeUse native_use_of(std::string_view word);

/// Value of the environment variable DALEMBERT_NATIVE; automatic if it is unset or empty.
/// RequestError for any other word than auto, off and require.
NativeUse usual_native_use();

}  // namespace dalembert
