#include "dalembert/result/copies/flush_seconds.hpp"

#include <algorithm>
#include <cstdlib>

namespace dalembert::study {

double flush_seconds() {
  const char* text = std::getenv("DALEMBERT_FLUSH_SECONDS");
  return text == nullptr ? 1.0 : std::clamp(std::atof(text), 0.0, 3600.0);
}

}  // namespace dalembert::study
