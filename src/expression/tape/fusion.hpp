#pragma once

#include "draft.hpp"

namespace dalembert {

/// Joins sine and cosine of one argument, and products with the sum that alone uses them.
void fuse(TapeDraft& draft);

}  // namespace dalembert
