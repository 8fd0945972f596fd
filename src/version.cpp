#include "dalembert/version.hpp"

namespace dalembert {

std::string version() {
  return std::to_string(DALEMBERT_VERSION_MAJOR) + "." + std::to_string(DALEMBERT_VERSION_MINOR) +
         "." + std::to_string(DALEMBERT_VERSION_PATCH);
}

}  // namespace dalembert
