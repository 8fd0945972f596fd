#pragma once

#include <string>

/// The version of these headers; the build reads it here.
#define DALEMBERT_VERSION_MAJOR 0
#define DALEMBERT_VERSION_MINOR 2
#define DALEMBERT_VERSION_PATCH 0
/// Number for comparisons: 10000 major + 100 minor + patch.
#define DALEMBERT_VERSION \
  (10000 * DALEMBERT_VERSION_MAJOR + 100 * DALEMBERT_VERSION_MINOR + DALEMBERT_VERSION_PATCH)

namespace dalembert {

/// The version of the library that is linked, as "0.2.0".
std::string version();

}  // namespace dalembert
